// SPDX-License-Identifier: Apache-2.0
//
// prelu, scale and drop_mask.
#include "common/drop_mask.h"
#include "common/requirements.h"
#include "cpu/cpu.h"

namespace trk::cpu {
namespace {

// The sum over all parts of channel c.
double sumOfParts(const SumScratch &s, int parts, int64_t channels, int64_t c) {
  double sum = 0;
  for (int p = 0; p < parts; ++p)
    sum += s.sums[p * channels + c];
  return sum;
}

// A slope for each channel, also where there is one for all.
const float *slopesOf(const Tensor &slope, int64_t c, Carver &carver) {
  float *all = carver.take<float>(c);
  if (slope.c() == c)
    return slope.f32();
  std::fill_n(all, c, slope.f32()[0]);
  return all;
}

int64_t preluFwdScratch(const Call &call) {
  Carver carver(nullptr);
  carver.take<float>(call[ops::prelu_fwd::x].c());
  return carver.bytes();
}

void preluFwd(const Call &call) {
  namespace op = ops::prelu_fwd;
  const Tensor &x = call[op::x], &y = call[op::y];
  Carver carver(call.scratch);
  const float *slopes = slopesOf(call[op::slope], x.c(), carver);
  const RowParts parts(call, x);
  forParts(call, parts.count, [&](int i) {
    const Range r = parts.range(i);
    loops().prelu(constPixelsOf(x, r.begin), slopes, pixelsOf(y, r.begin), r.size(), x.c());
  });
}

int64_t preluBwdScratch(const Call &call) {
  const Tensor &x = call[ops::prelu_bwd::x];
  Carver carver(nullptr);
  SumScratch(carver, RowParts(call, x).count, x.c());
  carver.take<float>(x.c());
  return carver.bytes();
}

void preluBwd(const Call &call) {
  namespace op = ops::prelu_bwd;
  const Tensor &dy = call[op::dy], &x = call[op::x], &dx = call[op::dx], &dslope = call[op::dslope];
  const int64_t c = x.c();
  const RowParts parts(call, x);
  Carver carver(call.scratch);
  const SumScratch s(carver, parts.count, c);
  const float *slopes = slopesOf(call[op::slope], c, carver);
  forParts(call, parts.count, [&](int i) {
    const Range r = parts.range(i);
    PreluGradient args;
    args.dy = constPixelsOf(dy, r.begin);
    args.x = constPixelsOf(x, r.begin);
    args.slopes = slopes;
    args.dx = dx ? pixelsOf(dx, r.begin) : Pixels();
    args.sums = s.sums + i * c;
    args.work = s.work + i * c;
    args.rows = r.size();
    args.c = c;
    loops().preluBwd(args);
  });
  double all = 0;
  for (int64_t k = 0; k < c; ++k) {
    const double sum = sumOfParts(s, parts.count, c, k);
    all += sum;
    if (dslope.c() == c)
      dslope.f32()[k] = float(sum);
  }
  if (dslope.c() != c)
    dslope.f32()[0] = float(all);
}

void scaleFwd(const Call &call) {
  namespace op = ops::scale_fwd;
  const Tensor &x = call[op::x], &y = call[op::y];
  const ConstPixels factor{call[op::factor].f32(), 0};
  const RowParts parts(call, x);
  forParts(call, parts.count, [&](int i) {
    const Range r = parts.range(i);
    loops().mul(constPixelsOf(x, r.begin), factor, pixelsOf(y, r.begin), r.size(), x.c());
  });
}

int64_t scaleBwdScratch(const Call &call) {
  const Tensor &x = call[ops::scale_bwd::x];
  Carver carver(nullptr);
  SumScratch(carver, RowParts(call, x).count, x.c());
  return carver.bytes();
}

void scaleBwd(const Call &call) {
  namespace op = ops::scale_bwd;
  const Tensor &dy = call[op::dy], &x = call[op::x], &dx = call[op::dx];
  const int64_t c = x.c();
  const RowParts parts(call, x);
  Carver carver(call.scratch);
  const SumScratch s(carver, parts.count, c);
  forParts(call, parts.count, [&](int i) {
    const Range r = parts.range(i);
    SpreadGradient args;
    args.dy = constPixelsOf(dy, r.begin);
    args.map = constPixelsOf(x, r.begin);
    args.values = call[op::factor].f32();
    args.dmap = dx ? pixelsOf(dx, r.begin) : Pixels();
    args.sums = s.sums + i * c;
    args.work = s.work + i * c;
    args.rows = r.size();
    args.c = c;
    loops().spreadGradient(args);
  });
  for (int64_t k = 0; k < c; ++k)
    call[op::dfactor].f32()[k] = float(sumOfParts(s, parts.count, c, k));
}

} // namespace

void addFactorKernels(const Registrar &kernels) {
  kernels.add(Opcode::prelu_fwd, {preluFwdScratch, nullptr, preluFwd});
  kernels.add(Opcode::prelu_bwd, {preluBwdScratch, nullptr, preluBwd});
  kernels.add(Opcode::scale_fwd, scaleFwd);
  kernels.add(Opcode::scale_bwd, {scaleBwdScratch, nullptr, scaleBwd});
  kernels.add(Opcode::drop_mask, {nullptr, requireMaskOfPixels, drawDropMask});
}

} // namespace trk::cpu
