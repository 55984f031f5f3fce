// SPDX-License-Identifier: Apache-2.0
//
// The order of samples in an epoch: a keyed bijection of [0, n), a pure function
// of (seed, epoch) with no state, so that any position can be asked for directly.
#ifndef TRRT_DATA_PERMUTATION_H
#define TRRT_DATA_PERMUTATION_H

#include <cstdint>

namespace trrt {

class Permutation {
public:
  // n >= 1. A balanced Feistel network over the smallest even number of bits that
  // holds n, walked until the value lies below n.
  Permutation(uint64_t n, uint64_t seed, uint64_t epoch);

  uint64_t operator()(uint64_t position) const;
  uint64_t size() const { return count; }

private:
  uint64_t encrypt(uint64_t value) const;

  uint64_t count, seed, epoch;
  uint32_t halfBits;
};

} // namespace trrt

#endif // TRRT_DATA_PERMUTATION_H
