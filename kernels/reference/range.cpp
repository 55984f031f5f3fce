// SPDX-License-Identifier: Apache-2.0
//
// Kernels over whole regions (transfer, clear, checks, optimizers) and over the
// scalars that live beside them.
#include "reference/reference.h"
#include "reference/view.h"

#include <cmath>
#include <cstring>

namespace trk::reference {
namespace {

bool skipped(const Tensor &nonfinite) { return nonfinite.i32()[0] != 0; }
double scalar(const Call &call, int index) { return call.operand(index).f32()[0]; }

void rangeH2d(const Call &call) {
  std::memcpy(call.operand(0).data, call.staging, call.operand(0).bytes());
}

void rangeClear(const Call &call) { std::memset(call.operand(0).data, 0, call.operand(0).bytes()); }

void rangeCheckFinite(const Call &call) {
  const float *g = call.operand(0).f32();
  int32_t found = 0;
  for (int64_t e = 0; e < call.operand(0).elements(); ++e)
    found |= !std::isfinite(g[e]);
  call.operand(1).i32()[0] = found;
}

void rangeCommit(const Call &call) {
  if (!skipped(call.operand(1)))
    std::memcpy(call.operand(2).data, call.operand(0).data, call.operand(2).bytes());
}

void rangeSgd(const Call &call) {
  if (skipped(call.operand(6)))
    return;
  float *w = call.operand(0).f32(), *m = call.operand(2).f32();
  const float *g = call.operand(1).f32();
  double lr = scalar(call, 3), momentum = scalar(call, 4), decay = scalar(call, 5);
  for (int64_t e = 0; e < call.operand(0).elements(); ++e) {
    m[e] = float(momentum * m[e] + (g[e] + decay * w[e]));
    w[e] = float(w[e] - lr * m[e]);
  }
}

void rangeAdamW(const Call &call) {
  if (skipped(call.operand(11)))
    return;
  float *w = call.operand(0).f32(), *m = call.operand(2).f32(), *v = call.operand(3).f32();
  const float *g = call.operand(1).f32();
  double lr = scalar(call, 4), beta1 = scalar(call, 5), beta2 = scalar(call, 6);
  double eps = scalar(call, 7), decay = scalar(call, 8);
  double correction1 = scalar(call, 9), correction2 = scalar(call, 10);
  for (int64_t e = 0; e < call.operand(0).elements(); ++e) {
    double gradient = g[e];
    m[e] = float(beta1 * m[e] + (1.0 - beta1) * gradient);
    v[e] = float(beta2 * v[e] + (1.0 - beta2) * gradient * gradient);
    double denominator = std::sqrt(v[e] / correction2) + eps;
    w[e] = float(w[e] * (1.0 - lr * decay) - lr / correction1 * m[e] / denominator);
  }
}

void adamStep(const Call &call) {
  int32_t &step = call.operand(0).i32()[0];
  if (!skipped(call.operand(3)))
    ++step;
  for (int i = 0; i < 2; ++i)
    call.operand(4 + i).f32()[0] =
        step ? float(1.0 - std::pow(scalar(call, 1 + i), double(step))) : 1.0f;
}

void counterAdd(const Call &call) {
  int32_t &counter = call.operand(0).i32()[0];
  counter = int32_t(uint32_t(counter) + uint32_t(call.attrs[0].i));
}

void accumMetrics(const Call &call) {
  double valid = call.operand(3).i32()[0];
  const double weights[] = {valid, 1.0, 1.0};
  for (int i = 0; i < 3; ++i) {
    float &sum = call.operand(4 + i).f32()[0];
    sum = float(sum + scalar(call, i) * weights[i]);
  }
}

} // namespace

void addRangeKernels(KernelTable &table) {
  slot(table, Opcode::range_h2d).run = rangeH2d;
  slot(table, Opcode::range_clear).run = rangeClear;
  slot(table, Opcode::range_check_finite).run = rangeCheckFinite;
  slot(table, Opcode::range_commit).run = rangeCommit;
  slot(table, Opcode::range_sgd).run = rangeSgd;
  slot(table, Opcode::range_adamw).run = rangeAdamW;
  slot(table, Opcode::adam_step).run = adamStep;
  slot(table, Opcode::counter_add).run = counterAdd;
  slot(table, Opcode::accum_metrics).run = accumMetrics;
}

} // namespace trk::reference
