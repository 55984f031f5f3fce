// SPDX-License-Identifier: Apache-2.0
//
// Fully connected layer: forward and both gradients.
#include "reference/fc.h"
#include "reference/reference.h"

#include <algorithm>

namespace trk::reference {
namespace {

void fcFwd(const Call &call) {
  fcForward(operandView(call, 0), operandView(call, 1), call.operand(2).f32(),
            operandView(call, 3));
}

// One row of features in double.
int64_t rowScratch(const Call &call) {
  const Tensor &t = call.operand(2);
  return t.h() * t.w() * t.c() * static_cast<int64_t>(sizeof(double));
}

void addRow(double *sums, double factor, const float *row, int64_t count) {
  for (int64_t k = 0; k < count; ++k)
    sums[k] += factor * double(row[k]);
}

void fcBwdData(const Call &call) {
  View<float> dy = operandView(call, 0), w = operandView(call, 1), dx = operandView(call, 2);
  int64_t features = dx.h * dx.w * dx.c;
  double *sums = static_cast<double *>(call.scratch);
  for (int64_t n = 0; n < dx.n; ++n) {
    std::fill(sums, sums + features, 0.0);
    for (int64_t o = 0; o < w.n; ++o)
      addRow(sums, dy.data[n * w.n + o], w.data + o * features, features);
    std::copy(sums, sums + features, dx.data + n * features);
  }
}

void fcBwdWeight(const Call &call) {
  View<float> x = operandView(call, 0), dy = operandView(call, 1), dw = operandView(call, 2);
  float *dbias = call.operand(3).f32();
  int64_t features = x.h * x.w * x.c;
  double *sums = static_cast<double *>(call.scratch);
  for (int64_t o = 0; o < dw.n; ++o) {
    double bias = 0;
    std::fill(sums, sums + features, 0.0);
    for (int64_t n = 0; n < x.n; ++n) {
      addRow(sums, dy.data[n * dw.n + o], x.data + n * features, features);
      bias += dy.data[n * dw.n + o];
    }
    std::copy(sums, sums + features, dw.data + o * features);
    if (dbias)
      dbias[o] = float(bias);
  }
}

} // namespace

void addFcKernels(KernelTable &table) {
  slot(table, Opcode::fc_fwd).run = fcFwd;
  slot(table, Opcode::fc_bwd_data) = {rowScratch, nullptr, fcBwdData, nullptr};
  slot(table, Opcode::fc_bwd_weight) = {rowScratch, nullptr, fcBwdWeight, nullptr};
}

} // namespace trk::reference
