// SPDX-License-Identifier: Apache-2.0
//
// The only door to oneDNN: onednn.cpp alone includes its headers, so that a change
// of its major version stays in one file. Every call into the library runs on one
// thread; the caller splits the work.
#ifndef TRK_CPU_ONEDNN_H
#define TRK_CPU_ONEDNN_H

#include "cpu/cpu.h"

#include <memory>
#include <string>

namespace trk::cpu {

enum class ConvPass { Forward, BackwardData, BackwardWeight };

struct ConvShape {
  int64_t n = 0, h = 0, w = 0, c = 0;  // input
  int64_t oh = 0, ow = 0, outputs = 0; // output
  ConvAttrs a{};
  bool bias = false;
};

// The four tensors of a convolution, or their gradients.
struct ConvData {
  float *x = nullptr, *w = nullptr, *bias = nullptr, *y = nullptr;
};

// One pass of a convolution with its batch cut into slices. Each slice is a library
// primitive of its own on one thread. The library wants weights in blocks: forward
// and backward data pack them once, for all slices; backward weight sums the
// gradients of the slices in order and unpacks the sum.
class Convolution {
public:
  // Returns an empty string or why the library does not support this shape.
  static std::string build(ConvPass pass, const ConvShape &shape, int slices,
                           std::unique_ptr<Convolution> &result);
  virtual ~Convolution() = default;

  virtual int slices() const = 0;
  virtual Range images(int slice) const = 0;
  virtual int64_t scratchBytes() const = 0;
  // Name of the library's implementation, for benchmarks.
  virtual std::string implementation() const = 0;

  // Before the slices of forward and backward data.
  virtual void packWeights(const float *w, void *scratch) = 0;
  // One slice, on the calling thread. `data` is at the whole batch.
  virtual void runSlice(int slice, const ConvData &data, void *scratch) = 0;
  // After the slices of backward weight.
  virtual void finishGradients(const Call &call, const ConvData &data, void *scratch) = 0;
};

// Row-major C = op(A) * op(B), C of m rows and n columns, on the calling thread.
struct Matrix {
  const float *data;
  int64_t stride; // of rows
  bool transposed;
};
void multiply(int64_t m, int64_t n, int64_t k, const Matrix &a, const Matrix &b, float *c,
              int64_t strideC);

} // namespace trk::cpu

#endif // TRK_CPU_ONEDNN_H
