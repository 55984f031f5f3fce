// SPDX-License-Identifier: Apache-2.0
//
// IDX, the format of MNIST and its relatives: a big-endian header and bytes.
#ifndef TRRT_DATA_IDX_H
#define TRRT_DATA_IDX_H

#include <cstdint>
#include <string>
#include <vector>

namespace trrt {

struct IdxFile {
  std::vector<uint32_t> dims; // rank 1 for labels, 3 for grey images
  std::vector<uint8_t> values;
};

// Reads unsigned bytes of the given rank, plain or gzip. Throws Error naming the
// file for anything else, including a length that differs from the header's.
IdxFile readIdx(const std::string &path, uint32_t rank);

} // namespace trrt

#endif // TRRT_DATA_IDX_H
