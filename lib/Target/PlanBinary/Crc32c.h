// SPDX-License-Identifier: Apache-2.0
//
// CRC-32C (Castagnoli, reflected), eight bytes at a time ("slicing by 8"): table k
// holds the effect of a byte that k more bytes follow.
#ifndef RENAISSANCE_LIB_TARGET_PLANBINARY_CRC32C_H
#define RENAISSANCE_LIB_TARGET_PLANBINARY_CRC32C_H

#include <cstddef>
#include <cstdint>

namespace tr::detail {

struct Crc32cTables {
  uint32_t entry[8][256];
  constexpr Crc32cTables() : entry() {
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t crc = i;
      for (int bit = 0; bit < 8; ++bit)
        crc = (crc >> 1) ^ ((crc & 1) ? 0x82f63b78u : 0);
      entry[0][i] = crc;
    }
    for (int k = 1; k < 8; ++k)
      for (uint32_t i = 0; i < 256; ++i)
        entry[k][i] = entry[0][entry[k - 1][i] & 255] ^ (entry[k - 1][i] >> 8);
  }
};
inline constexpr Crc32cTables kCrc32c;

inline uint32_t crc32c(const uint8_t *data, size_t size) {
  uint32_t crc = ~0u;
  for (; size >= 8; data += 8, size -= 8) {
    uint32_t next = 0;
    for (int i = 0; i < 4; ++i) {
      next ^= kCrc32c.entry[7 - i][data[i] ^ ((crc >> (8 * i)) & 255)];
      next ^= kCrc32c.entry[3 - i][data[4 + i]];
    }
    crc = next;
  }
  for (size_t i = 0; i < size; ++i)
    crc = kCrc32c.entry[0][(crc ^ data[i]) & 255] ^ (crc >> 8);
  return ~crc;
}

} // namespace tr::detail

#endif // RENAISSANCE_LIB_TARGET_PLANBINARY_CRC32C_H
