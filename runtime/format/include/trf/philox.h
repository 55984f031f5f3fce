// SPDX-License-Identifier: Apache-2.0
//
// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"):
// a counter-based generator, so that a number depends on its key and counter
// only, never on who asked first.
#ifndef TRF_PHILOX_H
#define TRF_PHILOX_H

#include <array>
#include <cstdint>

namespace trf {

using PhiloxCounter = std::array<uint32_t, 4>;
using PhiloxKey = std::array<uint32_t, 2>;

inline PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xD2511F53u} * counter[0];
    const uint64_t b = uint64_t{0xCD9E8D57u} * counter[2];
    counter = {static_cast<uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(b),
               static_cast<uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(a)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

inline PhiloxKey philoxKey(uint64_t seed) {
  return {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)};
}

// In [0, 1), exact in double.
inline double philoxUniform(uint32_t word) { return word * (1.0 / 4294967296.0); }

// Last counter word of each use, so that uses of one seed never share numbers.
// Dropout has the training step there, which stays far below these.
enum class PhiloxPurpose : uint32_t {
  Init = 0xF0000001u,
  Order = 0xF0000002u,
  Synthetic = 0xF0000003u,
  NodeOrder = 0xF0000004u,
  Augment = 0xF0000005u,
};

} // namespace trf

#endif // TRF_PHILOX_H
