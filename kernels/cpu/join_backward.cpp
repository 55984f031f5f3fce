// SPDX-License-Identifier: Apache-2.0
//
// The backward pass behind a residual sum: see loops/join.cpp.
#include "cpu/cpu.h"
#include "trk/join.h"

namespace trk::cpu {
namespace {

using namespace join;

struct ReduceScratch {
  double *sumG, *sumGx, *sumShortcut;
  float *work;
  ReduceScratch(Carver &carver, int parts, int64_t c)
      : sumG(carver.take<double>(parts * c)), sumGx(carver.take<double>(parts * c)),
        sumShortcut(carver.take<double>(parts * c)), work(carver.take<float>(parts * 3 * c)) {}
};

int64_t reduceScratch(const Call &call) {
  Carver carver(nullptr);
  const Tensor &x = call.operand(kX);
  ReduceScratch(carver, RowParts(call, x).count, x.c());
  return carver.bytes();
}

std::string prepareReduce(const Call &call, void **) { return reduceError(call); }

// dgamma = inv_std * sum of the parts.
void finishGamma(const Call &call, const double *sums, int parts, int invStd, int dgamma) {
  const float *scale = call.operand(invStd).f32();
  float *to = call.operand(dgamma).f32();
  for (int64_t i = 0, c = call.operand(invStd).c(); i < c; ++i) {
    double sum = 0;
    for (int p = 0; p < parts; ++p)
      sum += sums[p * c + i];
    to[i] = float(sum * scale[i]);
  }
}

void finishBeta(const Call &call, const double *sums, int parts, int dbeta) {
  float *to = call.operand(dbeta).f32();
  for (int64_t i = 0, c = call.operand(dbeta).c(); i < c; ++i) {
    double sum = 0;
    for (int p = 0; p < parts; ++p)
      sum += sums[p * c + i];
    to[i] = float(sum);
  }
}

void joinBwdReduce(const Call &call) {
  const Tensor &x = call.operand(kX), &shortcut = call.operand(kShortcutX);
  RowParts parts(call, x);
  Carver carver(call.scratch);
  int64_t c = x.c();
  ReduceScratch s(carver, parts.count, c);
  forParts(call, parts.count, [&](int i) {
    Range r = parts.range(i);
    int64_t first = r.begin * c;
    auto at = [&](int operand) -> float * {
      return call.operand(operand) ? call.operand(operand).f32() + first : nullptr;
    };
    JoinReduce args;
    args.dy = at(kDy);
    args.dy2 = at(kDy2);
    args.y = at(kY);
    args.g = at(kG);
    args.input = {at(kX), call.operand(kMean).f32(), s.sumGx + i * c};
    if (shortcut)
      args.shortcut = {at(kShortcutX), call.operand(kShortcutMean).f32(), s.sumShortcut + i * c};
    args.sum_g = s.sumG + i * c;
    args.work = s.work + i * 3 * c;
    args.rows = r.size();
    args.c = c;
    args.act = activationAttr(call);
    loops().join_reduce(args);
  });
  finishGamma(call, s.sumGx, parts.count, kInvStd, kDgamma);
  finishBeta(call, s.sumG, parts.count, kDbeta);
  if (!shortcut)
    return;
  finishGamma(call, s.sumShortcut, parts.count, kShortcutInvStd, kShortcutDgamma);
  finishBeta(call, s.sumG, parts.count, kShortcutDbeta);
}

struct ApplyScratch {
  float *scale, *offset, *slope;
  ApplyScratch(Carver &carver, int64_t c)
      : scale(carver.take<float>(c)), offset(carver.take<float>(c)), slope(carver.take<float>(c)) {}
};

int64_t applyScratch(const Call &call) {
  Carver carver(nullptr);
  for (int i = 0; i < 2; ++i)
    ApplyScratch(carver, call.operand(0).c());
  return carver.bytes();
}

JoinGradient::Input gradientInput(const Call &call, int index, Carver &carver) {
  int first = kFirstGroup + index * kGroup;
  const Tensor &x = call.operand(first);
  ApplyScratch s(carver, x.c());
  const float *invStd = call.operand(first + 2).f32(), *gamma = call.operand(first + 3).f32();
  const float *dgamma = call.operand(first + 4).f32(), *dbeta = call.operand(first + 5).f32();
  double count = double(x.n() * x.h() * x.w());
  for (int64_t i = 0; i < x.c(); ++i) {
    s.scale[i] = gamma[i] * invStd[i];
    s.offset[i] = float(dbeta[i] / count);
    s.slope[i] = float(double(invStd[i]) * dgamma[i] / count);
  }
  return {x.f32(), call.operand(first + 1).f32(),      s.scale, s.offset,
          s.slope, call.operand(kResult + index).f32()};
}

void joinBwdApply(const Call &call) {
  const Tensor &g = call.operand(0);
  RowParts parts(call, g);
  Carver carver(call.scratch);
  JoinGradient all;
  all.c = g.c();
  for (int i = 0; i < 2; ++i)
    all.inputs[i] = gradientInput(call, i, carver);
  forParts(call, parts.count, [&](int i) {
    Range r = parts.range(i);
    JoinGradient args = all;
    args.rows = r.size();
    args.g = g.f32() + r.begin * args.c;
    for (JoinGradient::Input &input : args.inputs) {
      input.x += r.begin * args.c;
      input.dx += r.begin * args.c;
    }
    loops().join_gradient(args);
  });
}

} // namespace

void addJoinBackwardKernels(KernelTable &table) {
  slot(table, Opcode::join_bwd_reduce) = {reduceScratch, prepareReduce, joinBwdReduce, nullptr};
  slot(table, Opcode::join_bwd_apply) = {applyScratch, nullptr, joinBwdApply, nullptr};
}

} // namespace trk::cpu
