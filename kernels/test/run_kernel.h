// SPDX-License-Identifier: Apache-2.0
//
// Calls one kernel of one backend on tensors owned by the test.
#ifndef TRK_TEST_RUN_KERNEL_H
#define TRK_TEST_RUN_KERNEL_H

#include "trk/kernel.h"

#include <array>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
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
      : dtype(type), dims(shape), bytes(size_t(count(shape) * dtypeBytes(type))) {}

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

// How a backend is called.
struct Backend {
  std::string name;
  void (*fill)(KernelTable &) = nullptr;
  int threads = 1;
  int slices = 2;
  ConvAlgorithm algorithm = ConvAlgorithm::Auto; // of every convolution
};
Backend referenceBackend();
void PrintTo(const Backend &backend, std::ostream *os);

struct RunOptions {
  uint8_t poison = 0xAB;   // outputs and scratch hold this byte before the call; 0xFF is NaN
  int alias_out = -1;      // this output operand shares the buffer of ...
  int alias_in = -1;       // ... this input operand
  bool used_state = false; // run before, on the same state, in other memory with other values
  const void *staging = nullptr;
  std::function<void(const std::vector<Tensor> &)> observe; // what the call is about to run on
};

// Runs `op` on copies of the operands with guard zones around every buffer, and
// writes the results back. Returns an empty string or what went wrong.
std::string runKernel(const Backend &backend, Opcode op, std::vector<Host> &operands,
                      const std::vector<Attr> &attrs, const RunOptions &options = {});

inline Attr attr(int64_t value) {
  Attr a;
  a.i = value;
  return a;
}
inline Attr attr(int value) { return attr(int64_t(value)); }
inline Attr attr(double value) {
  Attr a;
  a.f = value;
  return a;
}
inline Attr attr(Activation act) { return attr(static_cast<int64_t>(act)); }

// Attributes of a convolution or pooling, both axes apart.
struct Window {
  int64_t kernel_h = 1, kernel_w = 1, stride_h = 1, stride_w = 1, pad_h = 0, pad_w = 0;
  int64_t dilation_h = 1, dilation_w = 1, groups = 1;
};
std::vector<Attr> convAttrList(const Window &w);
std::vector<Attr> poolAttrList(const Window &w);
int64_t outputExtent(int64_t in, int64_t kernel, int64_t stride, int64_t pad, int64_t dilation = 1);

} // namespace trk::test

#endif // TRK_TEST_RUN_KERNEL_H
