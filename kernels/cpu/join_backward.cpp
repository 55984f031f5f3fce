// SPDX-License-Identifier: Apache-2.0
//
// The backward pass of a residual sum: see loops/join.cpp.
#include "common/requirements.h"
#include "cpu/cpu.h"

namespace trk::cpu {
namespace {

struct ReduceScratch {
  double *sumG, *sumGx, *sumShortcut;
  float *work;
  ReduceScratch(Carver &carver, int parts, int64_t c)
      : sumG(carver.take<double>(parts * c)), sumGx(carver.take<double>(parts * c)),
        sumShortcut(carver.take<double>(parts * c)), work(carver.take<float>(parts * 3 * c)) {}
};

int64_t reduceScratch(const Call &call) {
  const Tensor &x = call[ops::join_bwd_reduce::x];
  Carver carver(nullptr);
  ReduceScratch(carver, RowParts(call, x).count, x.c());
  return carver.bytes();
}

// dgamma = invStd * sum of the parts.
void finishGamma(const double *sums, int parts, const Tensor &invStd, const Tensor &dgamma) {
  const float *scale = invStd.f32();
  float *to = dgamma.f32();
  for (int64_t i = 0, c = invStd.c(); i < c; ++i) {
    double sum = 0;
    for (int p = 0; p < parts; ++p)
      sum += sums[p * c + i];
    to[i] = float(sum * scale[i]);
  }
}

void finishBeta(const double *sums, int parts, const Tensor &dbeta) {
  float *to = dbeta.f32();
  for (int64_t i = 0, c = dbeta.c(); i < c; ++i) {
    double sum = 0;
    for (int p = 0; p < parts; ++p)
      sum += sums[p * c + i];
    to[i] = float(sum);
  }
}

void joinBwdReduce(const Call &call) {
  namespace op = ops::join_bwd_reduce;
  const Tensor &x = call[op::x], &shortcut = call[op::shortcut_x];
  const Act act = call.attrs<op::Attrs>().act;
  RowParts parts(call, x);
  Carver carver(call.scratch);
  int64_t c = x.c();
  ReduceScratch s(carver, parts.count, c);
  forParts(call, parts.count, [&](int i) {
    Range r = parts.range(i);
    auto at = [&](const Tensor &t) { return constPixelsOf(t, t ? r.begin : 0); };
    JoinReduce args;
    args.dy = at(call[op::dy]);
    args.dy2 = at(call[op::dy2]);
    args.y = at(call[op::y]);
    args.g = pixelsOf(call[op::g], r.begin);
    args.input = {at(x), call[op::mean].f32(), s.sumGx + i * c};
    if (shortcut)
      args.shortcut = {at(shortcut), call[op::shortcut_mean].f32(), s.sumShortcut + i * c};
    args.sumG = s.sumG + i * c;
    args.work = s.work + i * 3 * c;
    args.rows = r.size();
    args.c = c;
    args.act = act;
    loops().joinReduce(args);
  });
  finishGamma(s.sumGx, parts.count, call[op::inv_std], call[op::dgamma]);
  finishBeta(s.sumG, parts.count, call[op::dbeta]);
  if (!shortcut)
    return;
  finishGamma(s.sumShortcut, parts.count, call[op::shortcut_inv_std], call[op::shortcut_dgamma]);
  finishBeta(s.sumG, parts.count, call[op::shortcut_dbeta]);
}

struct ApplyScratch {
  float *scale, *offset, *slope;
  ApplyScratch(Carver &carver, int64_t c)
      : scale(carver.take<float>(c)), offset(carver.take<float>(c)), slope(carver.take<float>(c)) {}
};

int64_t applyScratch(const Call &call) {
  Carver carver(nullptr);
  for (int i = 0; i < 2; ++i)
    ApplyScratch(carver, call[ops::join_bwd_apply::g].c());
  return carver.bytes();
}

JoinGradient::Input gradientInput(const BnSlopes &in, Carver &carver) {
  const Tensor &x = in.x;
  ApplyScratch s(carver, x.c());
  const float *invStd = in.invStd.f32(), *gamma = in.gamma.f32();
  const float *dgamma = in.dgamma.f32(), *dbeta = in.dbeta.f32();
  double count = double(x.n() * x.h() * x.w());
  for (int64_t i = 0; i < x.c(); ++i) {
    s.scale[i] = gamma ? gamma[i] * invStd[i] : invStd[i];
    s.offset[i] = float(dbeta[i] / count);
    s.slope[i] = float(double(invStd[i]) * dgamma[i] / count);
  }
  return {constPixelsOf(x), in.mean.f32(), s.scale, s.offset, s.slope, pixelsOf(in.dx)};
}

void joinBwdApply(const Call &call) {
  namespace op = ops::join_bwd_apply;
  const Tensor &g = call[op::g];
  RowParts parts(call, g);
  Carver carver(call.scratch);
  JoinGradient all;
  all.c = g.c();
  all.inputs[0] = gradientInput({call[op::x], call[op::mean], call[op::inv_std], call[op::gamma],
                                 call[op::dgamma], call[op::dbeta], call[op::dx]},
                                carver);
  all.inputs[1] =
      gradientInput({call[op::shortcut_x], call[op::shortcut_mean], call[op::shortcut_inv_std],
                     call[op::shortcut_gamma], call[op::shortcut_dgamma], call[op::shortcut_dbeta],
                     call[op::shortcut_dx]},
                    carver);
  forParts(call, parts.count, [&](int i) {
    Range r = parts.range(i);
    JoinGradient args = all;
    args.rows = r.size();
    args.g = constPixelsOf(g, r.begin);
    for (JoinGradient::Input &input : args.inputs) {
      input.x = skip(input.x, r.begin);
      input.dx = skip(input.dx, r.begin);
    }
    loops().joinGradient(args);
  });
}

} // namespace

void addJoinBackwardKernels(const Registrar &kernels) {
  kernels.add(Opcode::join_bwd_reduce, {reduceScratch, requireJoinOperands, joinBwdReduce});
  kernels.add(Opcode::join_bwd_apply, {applyScratch, nullptr, joinBwdApply});
}

} // namespace trk::cpu
