// SPDX-License-Identifier: Apache-2.0
//
// The backward pass behind a residual sum, by the formulas of bn_bwd_reduce and bn_bwd_apply.
#include "reference/bn.h"
#include "reference/reference.h"
#include "trk/join.h"

namespace trk::reference {
namespace {

using namespace join;

int64_t reduceScratch(const Call &call) {
  return 3 * call.operand(kX).c() * static_cast<int64_t>(sizeof(double));
}

std::string prepareReduce(const Call &call, void **) { return reduceError(call); }

BnInput<float> statisticsOf(const Call &call, int x) {
  return {operandView(call, x), call.operand(x + 1).f32(), call.operand(x + 2).f32(), nullptr,
          nullptr};
}

void joinBwdReduce(const Call &call) {
  Activation act = activationAttr(call);
  const float *dy = call.operand(kDy).f32(), *dy2 = call.operand(kDy2).f32();
  const float *y = call.operand(kY).f32();
  float *g = call.operand(kG).f32();
  bool both = bool(call.operand(kShortcutX));
  BnInput<float> in = statisticsOf(call, kX);
  BnInput<float> shortcut = statisticsOf(call, both ? kShortcutX : kX);
  int64_t channels = in.x.c;
  double *dbeta = static_cast<double *>(call.scratch), *dgamma = dbeta + channels,
         *other = dgamma + channels;
  std::fill(dbeta, dbeta + 3 * channels, 0.0);
  forEach(in.x, [&](int64_t e, int64_t c) {
    double sum = double(dy[e]) + (dy2 ? double(dy2[e]) : 0.0);
    if (act != Activation::None)
      sum *= activationGradientFromOutput(act, double(y[e]));
    g[e] = float(sum);
    dbeta[c] += sum;
    dgamma[c] += sum * in.normalised(e, c);
    other[c] += sum * shortcut.normalised(e, c);
  });
  std::copy(dgamma, dgamma + channels, call.operand(kDgamma).f32());
  std::copy(dbeta, dbeta + channels, call.operand(kDbeta).f32());
  if (!both)
    return;
  std::copy(other, other + channels, call.operand(kShortcutDgamma).f32());
  std::copy(dbeta, dbeta + channels, call.operand(kShortcutDbeta).f32());
}

void joinBwdApply(const Call &call) {
  const float *g = call.operand(0).f32();
  double count = double(operandView(call, 0).pixels());
  auto value = [&](int group, int64_t e, int64_t c) {
    int first = kFirstGroup + group * kGroup;
    BnInput<float> in = statisticsOf(call, first);
    double gamma = call.operand(first + 3).f32()[c], dgamma = call.operand(first + 4).f32()[c];
    double dbeta = call.operand(first + 5).f32()[c];
    double centred = double(g[e]) - dbeta / count - in.normalised(e, c) * dgamma / count;
    return float(gamma * double(in.inv_std[c]) * centred);
  };
  forEach(operandView(call, 0), [&](int64_t e, int64_t c) {
    float dx = value(0, e, c), other = value(1, e, c); // one of them may lie on g
    call.operand(kResult).f32()[e] = dx;
    call.operand(kResult + 1).f32()[e] = other;
  });
}

} // namespace

void addJoinBackwardKernels(KernelTable &table) {
  slot(table, Opcode::join_bwd_reduce) = {reduceScratch, prepareReduce, joinBwdReduce, nullptr};
  slot(table, Opcode::join_bwd_apply).run = joinBwdApply;
}

} // namespace trk::reference
