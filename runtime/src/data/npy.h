// SPDX-License-Identifier: Apache-2.0
//
// NumPy's .npy: one array.
#ifndef TRRT_DATA_NPY_H
#define TRRT_DATA_NPY_H

#include <cstdint>
#include <string>
#include <vector>

namespace trrt {

struct NpyArray {
  std::string dtype; // as safetensors calls it: "U8", "I64", "F32", ...
  std::vector<int64_t> shape;
  std::vector<uint8_t> data; // little-endian, C order
};

// Throws Error naming the file, also for arrays in Fortran order, of big-endian numbers and of
// objects.
NpyArray readNpy(const std::string &path);
NpyArray parseNpy(std::vector<uint8_t> bytes, const std::string &path);

} // namespace trrt

#endif // TRRT_DATA_NPY_H
