// SPDX-License-Identifier: Apache-2.0
//
// Kernels over whole regions (clear, checks, optimizers) and over the scalars that live
// beside them.
#include "reference/reference.h"

#include <cmath>
#include <cstring>

namespace trk::reference {
namespace {

bool isSet(const Tensor &flag) { return flag.i32()[0] != 0; }
double valueOf(const Tensor &scalar) { return scalar.f32()[0]; }

void rangeClear(const Call &call) {
  const Tensor &dst = call[ops::range_clear::dst];
  std::memset(dst.data, 0, dst.bytes());
}

void rangeCheckFinite(const Call &call) {
  namespace op = ops::range_check_finite;
  const float *g = call[op::grads].f32();
  int32_t found = 0;
  for (int64_t e = 0; e < call[op::grads].elements(); ++e)
    found |= !std::isfinite(g[e]);
  call[op::nonfinite].i32()[0] = found;
}

void rangeCommit(const Call &call) {
  namespace op = ops::range_commit;
  if (!isSet(call[op::nonfinite]))
    std::memcpy(call[op::dst].data, call[op::src].data, call[op::dst].bytes());
}

void rangeSgd(const Call &call) {
  namespace op = ops::range_sgd;
  if (isSet(call[op::nonfinite]))
    return;
  float *w = call[op::w].f32(), *m = call[op::m].f32();
  const float *g = call[op::g].f32();
  double lr = valueOf(call[op::lr]), momentum = valueOf(call[op::momentum]);
  double decay = valueOf(call[op::weight_decay]);
  for (int64_t e = 0; e < call[op::w].elements(); ++e) {
    m[e] = float(momentum * m[e] + (g[e] + decay * w[e]));
    w[e] = float(w[e] - lr * m[e]);
  }
}

void rangeAdamW(const Call &call) {
  namespace op = ops::range_adamw;
  if (isSet(call[op::nonfinite]))
    return;
  float *w = call[op::w].f32(), *m = call[op::m].f32(), *v = call[op::v].f32();
  const float *g = call[op::g].f32();
  double lr = valueOf(call[op::lr]), decay = valueOf(call[op::weight_decay]);
  double beta1 = valueOf(call[op::beta1]), beta2 = valueOf(call[op::beta2]);
  double eps = valueOf(call[op::eps]);
  double correction1 = valueOf(call[op::bias_correction1]);
  double correction2 = valueOf(call[op::bias_correction2]);
  for (int64_t e = 0; e < call[op::w].elements(); ++e) {
    double gradient = g[e];
    m[e] = float(beta1 * m[e] + (1.0 - beta1) * gradient);
    v[e] = float(beta2 * v[e] + (1.0 - beta2) * gradient * gradient);
    double denominator = std::sqrt(v[e] / correction2) + eps;
    w[e] = float(w[e] * (1.0 - lr * decay) - lr / correction1 * m[e] / denominator);
  }
}

float biasCorrection(const Tensor &beta, int32_t step) {
  return step ? float(1.0 - std::pow(valueOf(beta), double(step))) : 1.0f;
}

void adamStep(const Call &call) {
  namespace op = ops::adam_step;
  int32_t &step = call[op::adam_step].i32()[0];
  if (!isSet(call[op::nonfinite]))
    ++step;
  call[op::bias_correction1].f32()[0] = biasCorrection(call[op::beta1], step);
  call[op::bias_correction2].f32()[0] = biasCorrection(call[op::beta2], step);
}

void counterAdd(const Call &call) {
  namespace op = ops::counter_add;
  int32_t &counter = call[op::counter].i32()[0];
  counter = int32_t(uint32_t(counter) + uint32_t(call.attrs<op::Attrs>().amount));
}

void addTo(const Tensor &sum, const Tensor &value, double weight) {
  float &to = sum.f32()[0];
  to = float(to + valueOf(value) * weight);
}

void accumMetrics(const Call &call) {
  namespace op = ops::accum_metrics;
  addTo(call[op::accum_loss], call[op::loss], call[op::valid].i32()[0]);
  addTo(call[op::accum_top1], call[op::top1], 1.0);
  addTo(call[op::accum_top5], call[op::top5], 1.0);
}

} // namespace

void addRangeKernels(const Registrar &kernels) {
  kernels.add(Opcode::range_clear, rangeClear);
  kernels.add(Opcode::range_check_finite, rangeCheckFinite);
  kernels.add(Opcode::range_commit, rangeCommit);
  kernels.add(Opcode::range_sgd, rangeSgd);
  kernels.add(Opcode::range_adamw, rangeAdamW);
  kernels.add(Opcode::adam_step, adamStep);
  kernels.add(Opcode::counter_add, counterAdd);
  kernels.add(Opcode::accum_metrics, accumMetrics);
}

} // namespace trk::reference
