// SPDX-License-Identifier: Apache-2.0
//
// The only door to oneDNN: onednn.cpp alone includes its headers, so that a change
// of its major version stays in one file. Every call into the library runs on one
// thread; the caller splits the work.
#ifndef TRK_CPU_ONEDNN_H
#define TRK_CPU_ONEDNN_H

#include "cpu/convolution.h"

namespace trk::cpu {

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
