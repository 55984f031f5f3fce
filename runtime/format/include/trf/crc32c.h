// SPDX-License-Identifier: Apache-2.0
//
// CRC-32C (Castagnoli), as used by iSCSI, ext4 and plan files.
#ifndef TRF_CRC32C_H
#define TRF_CRC32C_H

#include <cstddef>
#include <cstdint>

namespace trf {

// Of `size` bytes; the CPU's instruction where it has one.
uint32_t crc32c(const void *data, size_t size);
// The same by table, on every CPU.
uint32_t crc32cPortable(const void *data, size_t size);

} // namespace trf

#endif // TRF_CRC32C_H
