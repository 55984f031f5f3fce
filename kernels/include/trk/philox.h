// SPDX-License-Identifier: Apache-2.0
//
// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
// 2011): four random words as a pure function of a counter and a key, so every
// backend and thread count draws the same values.
#ifndef TRK_PHILOX_H
#define TRK_PHILOX_H

#include <array>
#include <cstdint>

namespace trk {

using PhiloxCounter = std::array<uint32_t, 4>;
using PhiloxKey = std::array<uint32_t, 2>;

inline PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t a = uint64_t(0xD2511F53u) * counter[0];
    uint64_t b = uint64_t(0xCD9E8D57u) * counter[2];
    counter = {uint32_t(b >> 32) ^ counter[1] ^ key[0], uint32_t(b),
               uint32_t(a >> 32) ^ counter[3] ^ key[1], uint32_t(a)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

// In [0, 1), exact in double.
inline double philoxUniform(uint32_t word) { return word * (1.0 / 4294967296.0); }

} // namespace trk

#endif // TRK_PHILOX_H
