// SPDX-License-Identifier: Apache-2.0
//
// Batch normalisation, forward and inference, with the fused adds.
#include "cpu/bn.h"

#include <cmath>
#include <cstring>

namespace trk::cpu {

void finishStats(const StatsScratch &s, const RowParts &parts, int64_t c, const BnStatistics &to) {
  double total = double(parts.items * parts.rowsPerItem);
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
  for (int64_t i = 0; i < c; ++i)
    writeStatistics(to, i, s.mean[i], s.m2[i], total);
}

namespace {

int64_t statsScratch(const Call &call) {
  const Tensor &x = call[ops::bn_stats::x];
  Carver carver(nullptr);
  StatsScratch(carver, RowParts(call, x).count, x.c());
  return carver.bytes();
}

void bnStats(const Call &call) {
  const Tensor &x = call[ops::bn_stats::x];
  RowParts parts(call, x);
  Carver carver(call.scratch);
  int64_t c = x.c();
  StatsScratch s(carver, parts.count, c);
  forParts(call, parts.count, [&](int i) {
    Range r = parts.range(i);
    loops().stats(constPixelsOf(x, r.begin), 0, r.size(), c, s.mean + i * c, s.m2 + i * c,
                  s.work + i * 3 * c);
  });
  finishStats(s, parts, c, statisticsOfBnStats(call));
}

// Applies in parts of rows; the terms of `args` are at the whole tensors.
void applyParts(const Call &call, const NormApply &args, const Tensor &y) {
  RowParts parts(call, y);
  forParts(call, parts.count, [&](int i) {
    Range r = parts.range(i);
    NormApply mine = args;
    mine.rows = r.size();
    mine.c = y.c();
    mine.x.x = skip(args.x.x, r.begin);
    mine.shortcut.x = skip(args.shortcut.x, r.begin);
    mine.y = pixelsOf(y, r.begin);
    loops().normApply(mine);
  });
}

// Of an op whose input X is normalised, alone or with a second one of as many channels.
template <int X, int Terms> int64_t scratchOfTerms(const Call &call) {
  return termScratch(call[X].c(), Terms);
}

void bnApply(const Call &call) {
  namespace op = ops::bn_apply;
  Carver carver(call.scratch);
  NormApply args;
  args.act = call.attrs<op::Attrs>().act;
  args.x = batchTerm(
      {call[op::x], call[op::mean], call[op::inv_std], call[op::gamma], call[op::beta]}, carver);
  applyParts(call, args, call[op::y]);
}

void bnApplyAdd(const Call &call) {
  namespace op = ops::bn_apply_add;
  Carver carver(call.scratch);
  NormApply args;
  args.act = call.attrs<op::Attrs>().act;
  args.x = batchTerm(
      {call[op::x], call[op::mean], call[op::inv_std], call[op::gamma], call[op::beta]}, carver);
  args.shortcut.x = constPixelsOf(call[op::shortcut]);
  applyParts(call, args, call[op::y]);
}

void bnApplyAddBn(const Call &call) {
  namespace op = ops::bn_apply_add_bn;
  Carver carver(call.scratch);
  NormApply args;
  args.act = call.attrs<op::Attrs>().act;
  args.x = batchTerm(
      {call[op::x], call[op::mean], call[op::inv_std], call[op::gamma], call[op::beta]}, carver);
  args.shortcut =
      batchTerm({call[op::shortcut_x], call[op::shortcut_mean], call[op::shortcut_inv_std],
                 call[op::shortcut_gamma], call[op::shortcut_beta]},
                carver);
  applyParts(call, args, call[op::y]);
}

void bnInf(const Call &call) {
  namespace op = ops::bn_inf;
  Carver carver(call.scratch);
  NormApply args;
  args.act = call.attrs<op::Attrs>().act;
  args.x = foldedTerm(call[op::x], call[op::scale], call[op::bias], carver);
  applyParts(call, args, call[op::y]);
}

void bnFold(const Call &call) {
  namespace op = ops::bn_fold;
  const float *gamma = call[op::gamma].f32(), *beta = call[op::beta].f32();
  const float *mean = call[op::mean].f32(), *var = call[op::var].f32();
  float *scale = call[op::scale].f32(), *bias = call[op::bias].f32();
  const double eps = call.attrs<op::Attrs>().eps;
  for (int64_t i = 0, c = call[op::mean].elements(); i < c; ++i) {
    double s = (gamma ? double(gamma[i]) : 1.0) / std::sqrt(double(var[i]) + eps);
    scale[i] = float(s);
    bias[i] = float((beta ? double(beta[i]) : 0.0) - mean[i] * s);
  }
}

void bnCumulate(const Call &call) { cumulateStatistics(call); }

float *takeZeros(int64_t c, Carver &carver) {
  float *zeros = carver.take<float>(c);
  std::memset(zeros, 0, size_t(c) * sizeof(float));
  return zeros;
}

} // namespace

NormTerm batchTerm(const BnOperands &in, Carver &carver) {
  int64_t c = in.x.c();
  const float *invStd = in.invStd.f32(), *gamma = in.gamma.f32();
  float *scale = carver.take<float>(c);
  for (int64_t i = 0; i < c; ++i)
    scale[i] = gamma ? gamma[i] * invStd[i] : invStd[i];
  const float *beta = in.beta ? in.beta.f32() : takeZeros(c, carver);
  return {constPixelsOf(in.x), in.mean.f32(), scale, beta};
}

NormTerm foldedTerm(const Tensor &x, const Tensor &scale, const Tensor &bias, Carver &carver) {
  return {constPixelsOf(x), takeZeros(x.c(), carver), scale.f32(), bias.f32()};
}

int64_t termScratch(int64_t c, int terms) {
  Carver carver(nullptr);
  for (int i = 0; i < 2 * terms; ++i) // a scale, and zeros where there is no beta
    carver.take<float>(c);
  return carver.bytes();
}

void addBnKernels(const Registrar &kernels) {
  kernels.add(Opcode::bn_stats, {statsScratch, nullptr, bnStats});
  kernels.add(Opcode::bn_apply, {scratchOfTerms<ops::bn_apply::x, 1>, nullptr, bnApply});
  kernels.add(Opcode::bn_apply_add, {scratchOfTerms<ops::bn_apply_add::x, 1>, nullptr, bnApplyAdd});
  kernels.add(Opcode::bn_apply_add_bn,
              {scratchOfTerms<ops::bn_apply_add_bn::x, 2>, nullptr, bnApplyAddBn});
  kernels.add(Opcode::bn_fold, bnFold);
  kernels.add(Opcode::bn_cumulate, bnCumulate);
  kernels.add(Opcode::bn_inf, {scratchOfTerms<ops::bn_inf::x, 1>, nullptr, bnInf});
}

} // namespace trk::cpu
