// SPDX-License-Identifier: Apache-2.0
//
// Gradients of batch normalisation with its activation.
#include "cpu/bn.h"

namespace trk::cpu {
namespace {

struct ReduceScratch {
  double *sumG, *sumGx;
  float *work;
  ReduceScratch(Carver &carver, int parts, int64_t c)
      : sumG(carver.take<double>(parts * c)), sumGx(carver.take<double>(parts * c)),
        work(carver.take<float>(parts * 2 * c)) {}
};

int64_t reduceScratch(const Call &call) {
  Carver carver(nullptr);
  const Tensor &x = call.operand(1);
  ReduceScratch(carver, RowParts(call, x).count, x.c());
  return carver.bytes() + termScratch(x.c(), 1);
}

void bnBwdReduce(const Call &call) {
  const Tensor &x = call.operand(1);
  RowParts parts(call, x);
  Carver carver(call.scratch);
  int64_t c = x.c();
  ReduceScratch s(carver, parts.count, c);
  NormTerm term = batchTerm(call, 1, carver);
  forParts(call, parts.count, [&](int i) {
    Range r = parts.range(i);
    NormReduce args;
    args.dy = call.operand(0).f32() + r.begin * c;
    args.x = term;
    args.x.x += r.begin * c;
    args.sum_g = s.sumG + i * c;
    args.sum_gx = s.sumGx + i * c;
    args.work = s.work + i * 2 * c;
    args.rows = r.size();
    args.c = c;
    args.act = activationAttr(call);
    loops().norm_reduce(args);
  });
  const float *invStd = call.operand(3).f32();
  float *dgamma = call.operand(6).f32(), *dbeta = call.operand(7).f32();
  for (int64_t i = 0; i < c; ++i) {
    double g = 0, gx = 0;
    for (int p = 0; p < parts.count; ++p) {
      g += s.sumG[p * c + i];
      gx += s.sumGx[p * c + i];
    }
    dgamma[i] = float(gx * invStd[i]);
    dbeta[i] = float(g);
  }
}

int64_t applyScratch(const Call &call) { return termScratch(call.operand(1).c(), 3); }

void bnBwdApply(const Call &call) {
  const Tensor &x = call.operand(1);
  RowParts parts(call, x);
  Carver carver(call.scratch);
  int64_t c = x.c();
  NormTerm term = batchTerm(call, 1, carver);
  float *offset = carver.take<float>(c), *slope = carver.take<float>(c);
  const float *invStd = call.operand(3).f32();
  const float *dgamma = call.operand(6).f32(), *dbeta = call.operand(7).f32();
  double count = double(x.n() * x.h() * x.w());
  for (int64_t i = 0; i < c; ++i) {
    offset[i] = float(dbeta[i] / count);
    slope[i] = float(double(invStd[i]) * dgamma[i] / count);
  }
  forParts(call, parts.count, [&](int i) {
    Range r = parts.range(i);
    NormGradient args;
    args.dy = call.operand(0).f32() + r.begin * c;
    args.x = term;
    args.x.x += r.begin * c;
    args.offset = offset;
    args.slope = slope;
    args.dx = call.operand(8).f32() + r.begin * c;
    args.rows = r.size();
    args.c = c;
    args.act = activationAttr(call);
    loops().norm_gradient(args);
  });
}

} // namespace

void addBnBackwardKernels(KernelTable &table) {
  slot(table, Opcode::bn_bwd_reduce) = {reduceScratch, nullptr, bnBwdReduce, nullptr};
  slot(table, Opcode::bn_bwd_apply) = {applyScratch, nullptr, bnBwdApply, nullptr};
}

} // namespace trk::cpu
