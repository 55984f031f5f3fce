// SPDX-License-Identifier: Apache-2.0
//
// Format-preserving shuffling by cycle walking.
#include "data/permutation.h"

#include "trf/philox.h"

namespace trrt {

using namespace trf;

static constexpr uint32_t kRounds = 8;

Permutation::Permutation(uint64_t n, uint64_t seed, uint64_t epoch)
    : count(n), seed(seed), epoch(epoch), halfBits(1) {
  while (halfBits < 31 && (uint64_t{1} << (2 * halfBits)) < n)
    ++halfBits;
}

uint64_t Permutation::encrypt(uint64_t value) const {
  const uint32_t mask = (1u << halfBits) - 1;
  uint32_t left = static_cast<uint32_t>(value >> halfBits),
           right = static_cast<uint32_t>(value) & mask;
  for (uint32_t round = 0; round < kRounds; ++round) {
    const PhiloxCounter counter = {right, round | static_cast<uint32_t>(epoch >> 32) << 8,
                                   static_cast<uint32_t>(epoch),
                                   static_cast<uint32_t>(PhiloxPurpose::Order)};
    const uint32_t mixed = left ^ (philox4x32(counter, philoxKey(seed))[0] & mask);
    left = right;
    right = mixed;
  }
  return static_cast<uint64_t>(left) << halfBits | right;
}

uint64_t Permutation::operator()(uint64_t position) const {
  // The domain is less than four times n, so this ends after a few rounds.
  do
    position = encrypt(position);
  while (position >= count);
  return position;
}

} // namespace trrt
