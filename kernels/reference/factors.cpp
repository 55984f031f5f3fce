// SPDX-License-Identifier: Apache-2.0
//
// prelu, scale, drop_mask, and what gates of a map's own mean need.
#include "reference/factors.h"

#include "common/drop_mask.h"
#include "common/requirements.h"
#include "reference/bn.h"
#include "reference/reference.h"

#include <algorithm>

namespace trk::reference {
namespace {

void preluFwd(const Call &call) {
  namespace op = ops::prelu_fwd;
  const Tensor &slope = call[op::slope];
  preluForward(view(call[op::x]), {slope.f32(), slope.c()}, view(call[op::y]));
}

int64_t preluBwdScratch(const Call &call) {
  return call[ops::prelu_bwd::slope].c() * static_cast<int64_t>(sizeof(double));
}

void preluBwd(const Call &call) {
  namespace op = ops::prelu_bwd;
  const View<float> dy = view(call[op::dy]), x = view(call[op::x]), dx = view(call[op::dx]);
  const Slopes<float> slopes{call[op::slope].f32(), call[op::slope].c()};
  double *sums = static_cast<double *>(call.scratch);
  std::fill(sums, sums + slopes.count, 0.0);
  forEach(x, [&](int64_t p, int64_t c) {
    const double value = x.at(p, c), gradient = dy.at(p, c);
    sums[slopes.at(c)] += value > 0 ? 0.0 : value * gradient;
    if (dx.data)
      dx.at(p, c) = float(value > 0 ? gradient : slopes[c] * gradient);
  });
  std::copy(sums, sums + slopes.count, call[op::dslope].f32());
}

void scaleFwd(const Call &call) {
  namespace op = ops::scale_fwd;
  scaleForward(view(call[op::x]), call[op::factor].f32(), view(call[op::y]));
}

int64_t scaleBwdScratch(const Call &call) {
  return call[ops::scale_bwd::factor].c() * static_cast<int64_t>(sizeof(double));
}

void scaleBwd(const Call &call) {
  namespace op = ops::scale_bwd;
  const View<float> dy = view(call[op::dy]), x = view(call[op::x]), dx = view(call[op::dx]);
  const float *factor = call[op::factor].f32();
  double *sums = static_cast<double *>(call.scratch);
  std::fill(sums, sums + x.c, 0.0);
  forEach(x, [&](int64_t p, int64_t c) {
    const double gradient = dy.at(p, c);
    sums[c] += gradient * double(x.at(p, c));
    if (dx.data)
      dx.at(p, c) = float(gradient * double(factor[c]));
  });
  std::copy(sums, sums + x.c, call[op::dfactor].f32());
}

// The average as gap_fwd takes it of the values that are stored.
void bnApplyGap(const Call &call) {
  namespace op = ops::bn_apply_gap;
  const Act act = call.attrs<op::Attrs>().act;
  const BnInput<float> in =
      bnInput({call[op::x], call[op::mean], call[op::inv_std], call[op::gamma], call[op::beta]});
  const View<float> y = view(call[op::y]);
  const int64_t pixels = y.h * y.w;
  double *sums = static_cast<double *>(call.scratch);
  std::fill(sums, sums + y.n * y.c, 0.0);
  forEach(y, [&](int64_t p, int64_t c) {
    y.at(p, c) = float(activate(act, in.value(p, c)));
    sums[p / pixels * y.c + c] += double(y.at(p, c));
  });
  for (int64_t i = 0; i < y.n * y.c; ++i)
    call[op::average].f32()[i] = float(sums[i] / double(pixels));
}
int64_t bnApplyGapScratch(const Call &call) {
  return call[ops::bn_apply_gap::average].elements() * static_cast<int64_t>(sizeof(double));
}

void gateBwd(const Call &call) {
  namespace op = ops::gate_bwd;
  const View<float> dy = view(call[op::dy]), gate = view(call[op::gate]), dx = view(call[op::dx]);
  const View<float> ofAverage = view(call[op::daverage]);
  const int64_t pixels = dy.h * dy.w;
  forEach(dx, [&](int64_t p, int64_t c) {
    dx.at(p, c) = float(double(dy.at(p, c)) * double(gate.at(p / pixels, c)) +
                        double(ofAverage.at(p / pixels, c)) / double(pixels));
  });
}

} // namespace

void addFactorKernels(const Registrar &kernels) {
  kernels.add(Opcode::prelu_fwd, preluFwd);
  kernels.add(Opcode::prelu_bwd, {preluBwdScratch, nullptr, preluBwd});
  kernels.add(Opcode::scale_fwd, scaleFwd);
  kernels.add(Opcode::scale_bwd, {scaleBwdScratch, nullptr, scaleBwd});
  kernels.add(Opcode::bn_apply_gap, {bnApplyGapScratch, nullptr, bnApplyGap});
  kernels.add(Opcode::gate_bwd, gateBwd);
  kernels.add(Opcode::drop_mask, {nullptr, requireMaskOfPixels, drawDropMask});
}

} // namespace trk::reference
