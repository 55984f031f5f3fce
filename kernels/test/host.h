// SPDX-License-Identifier: Apache-2.0
//
// Operands that a test owns.
#ifndef TRK_TEST_HOST_H
#define TRK_TEST_HOST_H

#include "trk/kernel.h"

#include <array>
#include <cstdint>
#include <vector>

namespace trk::test {

using Dims = std::array<int64_t, 4>;
inline int64_t count(const Dims &d) { return d[0] * d[1] * d[2] * d[3]; }

// The host copy of one operand. Absent operands have no bytes.
struct Host {
  DType dtype = DType::F32;
  Dims dims{0, 0, 0, 0};
  std::vector<uint8_t> bytes;

  Host() = default;
  Host(DType type, const Dims &shape)
      : dtype(type), dims(shape), bytes(size_t(count(shape) * trf::bytesOf(type))) {}

  static Host f32(const Dims &shape, const std::vector<float> &values);
  static Host f32(const Dims &shape) { return Host(DType::F32, shape); }
  static Host i32(const Dims &shape, const std::vector<int32_t> &values);
  static Host scalar(float value) { return f32({1, 1, 1, 1}, {value}); }
  static Host scalarInt(int32_t value) { return i32({1, 1, 1, 1}, {value}); }
  // (1,1,1,c)
  static Host vec(const std::vector<float> &values);
  static Host vec(int64_t c) { return f32({1, 1, 1, c}); }

  bool present() const { return !bytes.empty(); }
  int64_t elements() const { return count(dims); }
  float *f() { return reinterpret_cast<float *>(bytes.data()); }
  const float *f() const { return reinterpret_cast<const float *>(bytes.data()); }
  int32_t *i() { return reinterpret_cast<int32_t *>(bytes.data()); }
  const int32_t *i() const { return reinterpret_cast<const int32_t *>(bytes.data()); }
  std::vector<float> floats() const { return {f(), f() + elements()}; }
};

} // namespace trk::test

#endif // TRK_TEST_HOST_H
