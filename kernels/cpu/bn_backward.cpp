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
  const Tensor &x = call[ops::bn_bwd_reduce::x];
  Carver carver(nullptr);
  ReduceScratch(carver, RowParts(call, x).count, x.c());
  return carver.bytes() + termScratch(x.c(), 1);
}

void bnBwdReduce(const Call &call) {
  namespace op = ops::bn_bwd_reduce;
  const Tensor &x = call[op::x], &dy = call[op::dy];
  const Act act = call.attrs<op::Attrs>().act;
  RowParts parts(call, x);
  Carver carver(call.scratch);
  int64_t c = x.c();
  ReduceScratch s(carver, parts.count, c);
  NormTerm term =
      batchTerm({x, call[op::mean], call[op::inv_std], call[op::gamma], call[op::beta]}, carver);
  forParts(call, parts.count, [&](int i) {
    Range r = parts.range(i);
    NormReduce args;
    args.dy = constPixelsOf(dy, r.begin);
    args.x = term;
    args.x.x = constPixelsOf(x, r.begin);
    args.sumG = s.sumG + i * c;
    args.sumGx = s.sumGx + i * c;
    args.work = s.work + i * 2 * c;
    args.rows = r.size();
    args.c = c;
    args.act = act;
    loops().normReduce(args);
  });
  const float *invStd = call[op::inv_std].f32();
  float *dgamma = call[op::dgamma].f32(), *dbeta = call[op::dbeta].f32();
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

int64_t applyScratch(const Call &call) { return termScratch(call[ops::bn_bwd_apply::x].c(), 3); }

void bnBwdApply(const Call &call) {
  namespace op = ops::bn_bwd_apply;
  const Tensor &x = call[op::x], &dy = call[op::dy], &dx = call[op::dx];
  const Act act = call.attrs<op::Attrs>().act;
  RowParts parts(call, x);
  Carver carver(call.scratch);
  int64_t c = x.c();
  NormTerm term =
      batchTerm({x, call[op::mean], call[op::inv_std], call[op::gamma], call[op::beta]}, carver);
  float *offset = carver.take<float>(c), *slope = carver.take<float>(c);
  const float *invStd = call[op::inv_std].f32();
  const float *dgamma = call[op::dgamma].f32(), *dbeta = call[op::dbeta].f32();
  double count = double(x.n() * x.h() * x.w());
  for (int64_t i = 0; i < c; ++i) {
    offset[i] = float(dbeta[i] / count);
    slope[i] = float(double(invStd[i]) * dgamma[i] / count);
  }
  forParts(call, parts.count, [&](int i) {
    Range r = parts.range(i);
    NormGradient args;
    args.dy = constPixelsOf(dy, r.begin);
    args.x = term;
    args.x.x = constPixelsOf(x, r.begin);
    args.offset = offset;
    args.slope = slope;
    args.dx = pixelsOf(dx, r.begin);
    args.rows = r.size();
    args.c = c;
    args.act = act;
    loops().normGradient(args);
  });
}

} // namespace

void addBnBackwardKernels(const Registrar &kernels) {
  kernels.add(Opcode::bn_bwd_reduce, {reduceScratch, nullptr, bnBwdReduce});
  kernels.add(Opcode::bn_bwd_apply, {applyScratch, nullptr, bnBwdApply});
}

} // namespace trk::cpu
