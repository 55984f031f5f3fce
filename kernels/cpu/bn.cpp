// SPDX-License-Identifier: Apache-2.0
//
// Batch normalisation, forward and inference, with the fused adds.
#include "cpu/bn.h"
#include "cpu/cpu.h"

#include <cmath>
#include <cstring>

namespace trk::cpu {

void finishStats(const Call &call, const StatsScratch &s, const RowParts &parts, int64_t c,
                 int prev, int first, int attr) {
  double eps = call.attrs[attr].f, momentum = call.attrs[attr + 1].f;
  const float *prevMean = call.operand(prev).f32(), *prevVar = call.operand(prev + 1).f32();
  float *outMean = call.operand(first).f32(), *invStd = call.operand(first + 1).f32();
  float *nextMean = call.operand(first + 2).f32(), *nextVar = call.operand(first + 3).f32();
  double total = double(parts.items * parts.rows_per_item);
  for (int p = 1; p < parts.count; ++p) {
    double before = double(parts.range(p).begin), n = double(parts.range(p).size());
    double weight = n / (before + n), cross = before * weight;
    const double *mean = s.mean + p * c, *m2 = s.m2 + p * c;
    for (int64_t i = 0; i < c; ++i) {
      double delta = mean[i] - s.mean[i];
      s.mean[i] += delta * weight;
      s.m2[i] += m2[i] + delta * delta * cross;
    }
  }
  for (int64_t i = 0; i < c; ++i) {
    double mean = s.mean[i], var = s.m2[i] / total;
    outMean[i] = float(mean);
    invStd[i] = float(1.0 / std::sqrt(var + eps));
    nextMean[i] = float((1.0 - momentum) * prevMean[i] + momentum * mean);
    double unbiased = s.m2[i] / (total - 1);
    nextVar[i] =
        total > 1 ? float((1.0 - momentum) * prevVar[i] + momentum * unbiased) : prevVar[i];
  }
}

namespace {

int64_t statsScratch(const Call &call) {
  RowParts parts(call, call.operand(0));
  Carver carver(nullptr);
  StatsScratch(carver, parts.count, call.operand(0).c());
  return carver.bytes();
}

void bnStats(const Call &call) {
  const Tensor &x = call.operand(0);
  RowParts parts(call, x);
  Carver carver(call.scratch);
  int64_t c = x.c();
  StatsScratch s(carver, parts.count, c);
  forParts(call, parts.count, [&](int i) {
    Range r = parts.range(i);
    loops().stats(x.f32() + r.begin * c, 0, r.size(), c, s.mean + i * c, s.m2 + i * c,
                  s.work + i * 3 * c);
  });
  finishStats(call, s, parts, c, 1, 3, 0);
}

// Applies in parts of rows; term x of `args` is at the whole tensor.
void applyParts(const Call &call, const NormApply &args, const Tensor &y) {
  RowParts parts(call, y);
  forParts(call, parts.count, [&](int i) {
    Range r = parts.range(i);
    NormApply mine = args;
    mine.rows = r.size();
    mine.c = y.c();
    mine.x.x += r.begin * mine.c;
    if (mine.shortcut.x)
      mine.shortcut.x += r.begin * mine.c;
    mine.y = y.f32() + r.begin * mine.c;
    loops().norm_apply(mine);
  });
}

int64_t oneTermScratch(const Call &call) { return termScratch(call.operand(0).c(), 1); }
int64_t twoTermScratch(const Call &call) { return termScratch(call.operand(0).c(), 2); }

NormApply applyArgs(const Call &call) {
  NormApply args;
  args.act = activationAttr(call);
  return args;
}

void bnApply(const Call &call) {
  Carver carver(call.scratch);
  NormApply args = applyArgs(call);
  args.x = batchTerm(call, 0, carver);
  applyParts(call, args, call.operand(5));
}

void bnApplyAdd(const Call &call) {
  Carver carver(call.scratch);
  NormApply args = applyArgs(call);
  args.x = batchTerm(call, 0, carver);
  args.shortcut.x = call.operand(5).f32();
  applyParts(call, args, call.operand(6));
}

void bnApplyAddBn(const Call &call) {
  Carver carver(call.scratch);
  NormApply args = applyArgs(call);
  args.x = batchTerm(call, 0, carver);
  args.shortcut = batchTerm(call, 5, carver);
  applyParts(call, args, call.operand(10));
}

void bnInf(const Call &call) {
  Carver carver(call.scratch);
  NormApply args = applyArgs(call);
  args.x = foldedTerm(call, 0, carver);
  applyParts(call, args, call.operand(3));
}

void bnInfAdd(const Call &call) {
  Carver carver(call.scratch);
  NormApply args = applyArgs(call);
  args.x = foldedTerm(call, 0, carver);
  args.shortcut.x = call.operand(3).f32();
  applyParts(call, args, call.operand(4));
}

void bnInfAddBn(const Call &call) {
  Carver carver(call.scratch);
  NormApply args = applyArgs(call);
  args.x = foldedTerm(call, 0, carver);
  args.shortcut = foldedTerm(call, 3, carver);
  applyParts(call, args, call.operand(6));
}

void bnFold(const Call &call) {
  const float *gamma = call.operand(0).f32(), *beta = call.operand(1).f32();
  const float *mean = call.operand(2).f32(), *var = call.operand(3).f32();
  float *scale = call.operand(4).f32(), *bias = call.operand(5).f32();
  for (int64_t i = 0, c = call.operand(0).elements(); i < c; ++i) {
    double s = gamma[i] / std::sqrt(double(var[i]) + call.attrs[0].f);
    scale[i] = float(s);
    bias[i] = float(beta[i] - mean[i] * s);
  }
}

} // namespace

NormTerm batchTerm(const Call &call, int first, Carver &carver) {
  int64_t c = call.operand(first).c();
  const float *invStd = call.operand(first + 2).f32(), *gamma = call.operand(first + 3).f32();
  float *scale = carver.take<float>(c);
  for (int64_t i = 0; i < c; ++i)
    scale[i] = gamma[i] * invStd[i];
  return {call.operand(first).f32(), call.operand(first + 1).f32(), scale,
          call.operand(first + 4).f32()};
}

NormTerm foldedTerm(const Call &call, int first, Carver &carver) {
  int64_t c = call.operand(first).c();
  float *zeros = carver.take<float>(c);
  std::memset(zeros, 0, size_t(c) * sizeof(float));
  return {call.operand(first).f32(), zeros, call.operand(first + 1).f32(),
          call.operand(first + 2).f32()};
}

int64_t termScratch(int64_t c, int terms) {
  Carver carver(nullptr);
  for (int i = 0; i < terms; ++i)
    carver.take<float>(c);
  return carver.bytes();
}

void addBnKernels(KernelTable &table) {
  slot(table, Opcode::bn_stats) = {statsScratch, nullptr, bnStats, nullptr};
  slot(table, Opcode::bn_apply) = {oneTermScratch, nullptr, bnApply, nullptr};
  slot(table, Opcode::bn_apply_add) = {oneTermScratch, nullptr, bnApplyAdd, nullptr};
  slot(table, Opcode::bn_apply_add_bn) = {twoTermScratch, nullptr, bnApplyAddBn, nullptr};
  slot(table, Opcode::bn_fold).run = bnFold;
  slot(table, Opcode::bn_inf) = {oneTermScratch, nullptr, bnInf, nullptr};
  slot(table, Opcode::bn_inf_add) = {oneTermScratch, nullptr, bnInfAdd, nullptr};
  slot(table, Opcode::bn_inf_add_bn) = {twoTermScratch, nullptr, bnInfAddBn, nullptr};
}

} // namespace trk::cpu
