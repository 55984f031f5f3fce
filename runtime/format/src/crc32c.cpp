// SPDX-License-Identifier: Apache-2.0
//
// CRC-32C twice: eight bytes a step by table, and by the SSE4.2 instruction,
// chosen when the program runs.
#include "trf/crc32c.h"

#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace trf {

namespace {

// entry[k][b]: the CRC of byte b followed by k zero bytes.
struct Tables {
  uint32_t entry[8][256];

  constexpr Tables() : entry() {
    for (uint32_t b = 0; b < 256; ++b) {
      uint32_t crc = b;
      for (int bit = 0; bit < 8; ++bit)
        crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78u : 0);
      entry[0][b] = crc;
    }
    for (int k = 1; k < 8; ++k)
      for (uint32_t b = 0; b < 256; ++b)
        entry[k][b] = entry[0][entry[k - 1][b] & 255] ^ (entry[k - 1][b] >> 8);
  }
};
constexpr Tables kTables;

uint32_t update(uint32_t crc, const uint8_t *data, size_t size) {
  const auto &t = kTables.entry;
  for (; size >= 8; data += 8, size -= 8)
    crc = t[7][(crc ^ data[0]) & 255] ^ t[6][((crc >> 8) ^ data[1]) & 255] ^
          t[5][((crc >> 16) ^ data[2]) & 255] ^ t[4][(crc >> 24) ^ data[3]] ^ t[3][data[4]] ^
          t[2][data[5]] ^ t[1][data[6]] ^ t[0][data[7]];
  for (; size != 0; ++data, --size)
    crc = t[0][(crc ^ *data) & 255] ^ (crc >> 8);
  return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) uint32_t updateSse42(uint32_t crc, const uint8_t *data,
                                                       size_t size) {
  uint64_t wide = crc;
  for (; size >= 8; data += 8, size -= 8) {
    uint64_t word;
    std::memcpy(&word, data, 8);
    wide = _mm_crc32_u64(wide, word);
  }
  crc = static_cast<uint32_t>(wide);
  for (; size != 0; ++data, --size)
    crc = _mm_crc32_u8(crc, *data);
  return crc;
}
#endif

} // namespace

uint32_t crc32cPortable(const void *data, size_t size) {
  return ~update(~0u, static_cast<const uint8_t *>(data), size);
}

uint32_t crc32c(const void *data, size_t size) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2"))
    return ~updateSse42(~0u, static_cast<const uint8_t *>(data), size);
#endif
  return crc32cPortable(data, size);
}

} // namespace trf
