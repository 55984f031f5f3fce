// SPDX-License-Identifier: Apache-2.0
//
// Fully connected layer: forward and both gradients. Split by outputs or features
// instead of samples: every part reads its own share of the weights, and no partial
// sums arise.
#include "cpu/onednn.h"

namespace trk::cpu {
namespace {

// Parts of whole vectors of `columns`; each column costs `weight` multiplications.
template <typename Body>
void forColumns(const Call &call, int64_t columns, int64_t weight, Body body) {
  constexpr int64_t kVector = 16;
  int64_t vectors = (columns + kVector - 1) / kVector;
  int count = partCount(call, vectors, kVector * weight / 32);
  forParts(call, count, [&](int i) {
    Range r = part(vectors, count, i);
    body(Range{r.begin * kVector, std::min(r.end * kVector, columns)});
  });
}

int64_t features(const Tensor &x) { return x.h() * x.w() * x.c(); }

void fcFwd(const Call &call) {
  namespace op = ops::fc_fwd;
  const Tensor &x = call[op::x], &w = call[op::w], &y = call[op::y];
  const float *bias = call[op::bias].f32();
  int64_t n = x.n(), k = features(x), outputs = w.n();
  forColumns(call, outputs, n * k, [&](Range r) {
    float *out = y.f32() + r.begin;
    multiply(n, r.size(), k, {x.f32(), k, false}, {w.f32() + r.begin * k, k, true}, out, outputs);
    if (bias) // in each row the same one
      loops().add(Activation::None, {out, outputs}, {bias + r.begin, 0}, {out, outputs}, n,
                  r.size());
  });
}

void fcBwdData(const Call &call) {
  namespace op = ops::fc_bwd_data;
  const Tensor &dy = call[op::dy], &w = call[op::w], &dx = call[op::dx];
  int64_t n = dx.n(), k = features(dx), outputs = w.n();
  forColumns(call, k, n * outputs, [&](Range r) {
    multiply(n, r.size(), outputs, {dy.f32(), outputs, false}, {w.f32() + r.begin, k, false},
             dx.f32() + r.begin, k);
  });
}

struct BiasScratch {
  double *sums;
  float *work;
  BiasScratch(Carver &carver, int64_t outputs)
      : sums(carver.take<double>(outputs)), work(carver.take<float>(outputs)) {}
};

int64_t bwdWeightScratch(const Call &call) {
  Carver carver(nullptr);
  BiasScratch(carver, call[ops::fc_bwd_weight::dw].n());
  return carver.bytes();
}

void fcBwdWeight(const Call &call) {
  namespace op = ops::fc_bwd_weight;
  const Tensor &x = call[op::x], &dy = call[op::dy], &dw = call[op::dw];
  float *dbias = call[op::dbias].f32();
  int64_t n = x.n(), k = features(x), outputs = dw.n();
  Carver carver(call.scratch);
  BiasScratch s(carver, outputs);
  forColumns(call, outputs, n * k, [&](Range r) {
    const float *gradient = dy.f32() + r.begin;
    multiply(r.size(), k, n, {gradient, outputs, true}, {x.f32(), k, false}, dw.f32() + r.begin * k,
             k);
    if (!dbias)
      return;
    double *sums = s.sums + r.begin;
    loops().columnSums({gradient, outputs}, n, r.size(), sums, s.work + r.begin);
    for (int64_t i = 0; i < r.size(); ++i)
      dbias[r.begin + i] = float(sums[i]);
  });
}

} // namespace

void addFcKernels(const Registrar &kernels) {
  kernels.add(Opcode::fc_fwd, fcFwd);
  kernels.add(Opcode::fc_bwd_data, fcBwdData);
  kernels.add(Opcode::fc_bwd_weight, {bwdWeightScratch, nullptr, fcBwdWeight});
}

} // namespace trk::cpu
