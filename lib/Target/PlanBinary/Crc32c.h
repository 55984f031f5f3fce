// SPDX-License-Identifier: Apache-2.0
//
// CRC-32C (Castagnoli, reflected), a byte at a time; plans are small.
#ifndef RENAISSANCE_LIB_TARGET_PLANBINARY_CRC32C_H
#define RENAISSANCE_LIB_TARGET_PLANBINARY_CRC32C_H

#include <cstddef>
#include <cstdint>

namespace tr::detail {

struct Crc32cTable {
  uint32_t entry[256];
  constexpr Crc32cTable() : entry() {
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t crc = i;
      for (int bit = 0; bit < 8; ++bit)
        crc = (crc >> 1) ^ ((crc & 1) ? 0x82f63b78u : 0);
      entry[i] = crc;
    }
  }
};
inline constexpr Crc32cTable kCrc32cTable;

inline uint32_t crc32c(const uint8_t *data, size_t size) {
  uint32_t crc = ~0u;
  for (size_t i = 0; i < size; ++i)
    crc = kCrc32cTable.entry[(crc ^ data[i]) & 255] ^ (crc >> 8);
  return ~crc;
}

} // namespace tr::detail

#endif // RENAISSANCE_LIB_TARGET_PLANBINARY_CRC32C_H
