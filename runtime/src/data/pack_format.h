// SPDX-License-Identifier: Apache-2.0
//
// The records of a pack. Little-endian, as plans are.
#ifndef TRRT_DATA_PACK_FORMAT_H
#define TRRT_DATA_PACK_FORMAT_H

#include <cstdint>
#include <type_traits>

namespace trrt {

inline constexpr char kPackMagic[8] = {'T', 'R', 'P', 'A', 'C', 'K', '\r', '\n'};
inline constexpr uint32_t kPackVersion = 1;

// At the beginning. The pictures follow, then the index, then the class names, each with a line
// end, of which `nameBytes` may be 0.
struct PackHeader {
  char magic[8];
  uint32_t version, headerBytes;
  uint64_t count, indexOffset, nameBytes, fileBytes;
  uint32_t indexChecksum; // CRC-32C of index and names
  uint32_t checksum;      // of this header, taken with this field 0
};
static_assert(sizeof(PackHeader) == 56 && std::is_trivially_copyable_v<PackHeader>);

struct PackEntry {
  uint64_t offset;
  uint32_t bytes;
  int32_t label;
  uint32_t checksum;
  uint32_t part; // 0 training, 1 validation
};
static_assert(sizeof(PackEntry) == 24 && std::is_trivially_copyable_v<PackEntry>);

} // namespace trrt

#endif // TRRT_DATA_PACK_FORMAT_H
