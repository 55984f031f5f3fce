// SPDX-License-Identifier: Apache-2.0
//
// Kernels over whole regions (clear, checks, optimizers) and over the scalars that live
// beside them.
#include "cpu/cpu.h"

#include <cmath>
#include <cstring>

namespace trk::cpu {
namespace {

bool isSet(const Tensor &flag) { return flag.i32()[0] != 0; }
double valueOf(const Tensor &scalar) { return scalar.f32()[0]; }

void rangeClear(const Call &call) {
  const Tensor &dst = call[ops::range_clear::dst];
  forBytes(call, dst.bytes(),
           [&](Range r) { std::memset(dst.u8() + r.begin, 0, size_t(r.size())); });
}

void rangeCommit(const Call &call) {
  namespace op = ops::range_commit;
  const Tensor &src = call[op::src], &dst = call[op::dst];
  if (isSet(call[op::nonfinite]))
    return;
  forBytes(call, dst.bytes(),
           [&](Range r) { std::memcpy(dst.u8() + r.begin, src.u8() + r.begin, size_t(r.size())); });
}

int finiteParts(const Call &call) {
  return partCount(call, call[ops::range_check_finite::grads].elements(), 1);
}
int64_t finiteScratch(const Call &call) { return finiteParts(call) * int64_t(sizeof(int32_t)); }

void rangeCheckFinite(const Call &call) {
  namespace op = ops::range_check_finite;
  const Tensor &g = call[op::grads];
  int count = finiteParts(call);
  int32_t *found = static_cast<int32_t *>(call.scratch);
  forParts(call, count, [&](int i) {
    Range r = part(g.elements(), count, i);
    found[i] = !loops().allFinite(g.f32() + r.begin, r.size());
  });
  int32_t any = 0;
  for (int i = 0; i < count; ++i)
    any |= found[i];
  call[op::nonfinite].i32()[0] = any;
}

void rangeSgd(const Call &call) {
  namespace op = ops::range_sgd;
  if (isSet(call[op::nonfinite]))
    return;
  float *w = call[op::w].f32(), *m = call[op::m].f32();
  const float *g = call[op::g].f32();
  Sgd s{float(valueOf(call[op::lr])), float(valueOf(call[op::momentum])),
        float(valueOf(call[op::weight_decay]))};
  forElements(call, call[op::w].elements(),
              [&](Range r) { loops().sgd(s, w + r.begin, g + r.begin, m + r.begin, r.size()); });
}

void rangeAdamW(const Call &call) {
  namespace op = ops::range_adamw;
  if (isSet(call[op::nonfinite]))
    return;
  float *w = call[op::w].f32(), *m = call[op::m].f32(), *v = call[op::v].f32();
  const float *g = call[op::g].f32();
  double lr = valueOf(call[op::lr]);
  double beta1 = valueOf(call[op::beta1]), beta2 = valueOf(call[op::beta2]);
  AdamW s{};
  s.beta1 = float(beta1);
  s.beta2 = float(beta2);
  s.rest1 = float(1.0 - beta1);
  s.rest2 = float(1.0 - beta2);
  s.eps = float(valueOf(call[op::eps]));
  s.keep = float(1.0 - lr * valueOf(call[op::weight_decay]));
  s.rate = float(lr / valueOf(call[op::bias_correction1]));
  s.invCorrection2 = float(1.0 / valueOf(call[op::bias_correction2]));
  forElements(call, call[op::w].elements(), [&](Range r) {
    loops().adamw(s, w + r.begin, g + r.begin, m + r.begin, v + r.begin, r.size());
  });
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
  kernels.add(Opcode::range_commit, rangeCommit);
  kernels.add(Opcode::range_check_finite, {finiteScratch, nullptr, rangeCheckFinite});
  kernels.add(Opcode::range_sgd, rangeSgd);
  kernels.add(Opcode::range_adamw, rangeAdamW);
  kernels.add(Opcode::adam_step, adamStep);
  kernels.add(Opcode::counter_add, counterAdd);
  kernels.add(Opcode::accum_metrics, accumMetrics);
}

} // namespace trk::cpu
