// SPDX-License-Identifier: Apache-2.0
//
// Kernels over whole regions (transfer, clear, checks, optimizers) and over the
// scalars that live beside them.
#include "cpu/cpu.h"

#include <cmath>
#include <cstring>

namespace trk::cpu {
namespace {

bool skipped(const Tensor &nonfinite) { return nonfinite.i32()[0] != 0; }
double scalar(const Call &call, int index) { return call.operand(index).f32()[0]; }

void rangeH2d(const Call &call) {
  const Tensor &dst = call.operand(0);
  forBytes(call, dst.bytes(), [&](Range r) {
    std::memcpy(dst.u8() + r.begin, static_cast<const uint8_t *>(call.staging) + r.begin,
                size_t(r.size()));
  });
}

void rangeClear(const Call &call) {
  const Tensor &dst = call.operand(0);
  forBytes(call, dst.bytes(),
           [&](Range r) { std::memset(dst.u8() + r.begin, 0, size_t(r.size())); });
}

void rangeCommit(const Call &call) {
  const Tensor &src = call.operand(0), &dst = call.operand(2);
  if (skipped(call.operand(1)))
    return;
  forBytes(call, dst.bytes(),
           [&](Range r) { std::memcpy(dst.u8() + r.begin, src.u8() + r.begin, size_t(r.size())); });
}

int finiteParts(const Call &call) { return partCount(call, call.operand(0).elements(), 1); }
int64_t finiteScratch(const Call &call) { return finiteParts(call) * int64_t(sizeof(int32_t)); }

void rangeCheckFinite(const Call &call) {
  const Tensor &g = call.operand(0);
  int count = finiteParts(call);
  int32_t *found = static_cast<int32_t *>(call.scratch);
  forParts(call, count, [&](int i) {
    Range r = part(g.elements(), count, i);
    found[i] = !loops().all_finite(g.f32() + r.begin, r.size());
  });
  int32_t any = 0;
  for (int i = 0; i < count; ++i)
    any |= found[i];
  call.operand(1).i32()[0] = any;
}

void rangeSgd(const Call &call) {
  if (skipped(call.operand(6)))
    return;
  float *w = call.operand(0).f32(), *m = call.operand(2).f32();
  const float *g = call.operand(1).f32();
  Sgd s{float(scalar(call, 3)), float(scalar(call, 4)), float(scalar(call, 5))};
  forElements(call, call.operand(0).elements(),
              [&](Range r) { loops().sgd(s, w + r.begin, g + r.begin, m + r.begin, r.size()); });
}

void rangeAdamW(const Call &call) {
  if (skipped(call.operand(11)))
    return;
  float *w = call.operand(0).f32(), *m = call.operand(2).f32(), *v = call.operand(3).f32();
  const float *g = call.operand(1).f32();
  double lr = scalar(call, 4), beta1 = scalar(call, 5), beta2 = scalar(call, 6);
  AdamW s{};
  s.beta1 = float(beta1);
  s.beta2 = float(beta2);
  s.rest1 = float(1.0 - beta1);
  s.rest2 = float(1.0 - beta2);
  s.eps = float(scalar(call, 7));
  s.keep = float(1.0 - lr * scalar(call, 8));
  s.rate = float(lr / scalar(call, 9));
  s.inv_correction2 = float(1.0 / scalar(call, 10));
  forElements(call, call.operand(0).elements(), [&](Range r) {
    loops().adamw(s, w + r.begin, g + r.begin, m + r.begin, v + r.begin, r.size());
  });
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
  slot(table, Opcode::range_commit).run = rangeCommit;
  slot(table, Opcode::range_check_finite) = {finiteScratch, nullptr, rangeCheckFinite, nullptr};
  slot(table, Opcode::range_sgd).run = rangeSgd;
  slot(table, Opcode::range_adamw).run = rangeAdamW;
  slot(table, Opcode::adam_step).run = adamStep;
  slot(table, Opcode::counter_add).run = counterAdd;
  slot(table, Opcode::accum_metrics).run = accumMetrics;
}

} // namespace trk::cpu
