// SPDX-License-Identifier: Apache-2.0
//
// Fully connected layer: forward and both gradients.
#include "reference/fc.h"
#include "reference/reference.h"

#include <algorithm>

namespace trk::reference {
namespace {

void fcFwd(const Call &call) {
  namespace op = ops::fc_fwd;
  fcForward(view(call[op::x]), view(call[op::w]), call[op::bias].f32(), view(call[op::y]));
}

// One row of features of the result in double.
template <int Result> int64_t rowScratch(const Call &call) {
  const Tensor &t = call[Result];
  return t.h() * t.w() * t.c() * static_cast<int64_t>(sizeof(double));
}

void addRow(double *sums, double factor, const float *row, int64_t count) {
  for (int64_t k = 0; k < count; ++k)
    sums[k] += factor * double(row[k]);
}

void fcBwdData(const Call &call) {
  namespace op = ops::fc_bwd_data;
  View<float> dy = view(call[op::dy]), w = view(call[op::w]), dx = view(call[op::dx]);
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
  namespace op = ops::fc_bwd_weight;
  View<float> x = view(call[op::x]), dy = view(call[op::dy]), dw = view(call[op::dw]);
  float *dbias = call[op::dbias].f32();
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

void addFcKernels(const Registrar &kernels) {
  kernels.add(Opcode::fc_fwd, fcFwd);
  kernels.add(Opcode::fc_bwd_data, {rowScratch<ops::fc_bwd_data::dx>, nullptr, fcBwdData});
  kernels.add(Opcode::fc_bwd_weight, {rowScratch<ops::fc_bwd_weight::dw>, nullptr, fcBwdWeight});
}

} // namespace trk::reference
