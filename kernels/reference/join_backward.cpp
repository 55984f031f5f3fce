// SPDX-License-Identifier: Apache-2.0
//
// The backward pass of a residual sum, by the formulas of bn_bwd_reduce and bn_bwd_apply.
#include "common/requirements.h"
#include "reference/bn.h"
#include "reference/reference.h"

namespace trk::reference {
namespace {

int64_t reduceScratch(const Call &call) {
  return 3 * call[ops::join_bwd_reduce::x].c() * static_cast<int64_t>(sizeof(double));
}

BnInput<float> statisticsOf(const Tensor &x, const Tensor &mean, const Tensor &invStd) {
  return {view(x), mean.f32(), invStd.f32(), nullptr, nullptr};
}

void joinBwdReduce(const Call &call) {
  namespace op = ops::join_bwd_reduce;
  Act act = call.attrs<op::Attrs>().act;
  const View<float> dy = view(call[op::dy]), dy2 = view(call[op::dy2]), y = view(call[op::y]);
  const View<float> g = view(call[op::g]);
  bool both = bool(call[op::shortcut_x]);
  BnInput<float> in = statisticsOf(call[op::x], call[op::mean], call[op::inv_std]);
  BnInput<float> shortcut =
      both ? statisticsOf(call[op::shortcut_x], call[op::shortcut_mean], call[op::shortcut_inv_std])
           : in;
  int64_t channels = in.x.c;
  double *dbeta = static_cast<double *>(call.scratch), *dgamma = dbeta + channels,
         *other = dgamma + channels;
  std::fill(dbeta, dbeta + 3 * channels, 0.0);
  forEach(in.x, [&](int64_t p, int64_t c) {
    double sum = double(dy.at(p, c)) + (dy2.data ? double(dy2.at(p, c)) : 0.0);
    if (act != Activation::None)
      sum *= activationGradientFromOutput(act, double(y.at(p, c)));
    g.at(p, c) = float(sum);
    dbeta[c] += sum;
    dgamma[c] += sum * in.normalised(p, c);
    other[c] += sum * shortcut.normalised(p, c);
  });
  std::copy(dgamma, dgamma + channels, call[op::dgamma].f32());
  std::copy(dbeta, dbeta + channels, call[op::dbeta].f32());
  if (!both)
    return;
  std::copy(other, other + channels, call[op::shortcut_dgamma].f32());
  std::copy(dbeta, dbeta + channels, call[op::shortcut_dbeta].f32());
}

// The gradient of an element of one input.
float gradientAt(const BnSlopes &s, float g, double count, int64_t p, int64_t c) {
  BnInput<float> in = statisticsOf(s.x, s.mean, s.invStd);
  double gamma = s.gamma ? s.gamma.f32()[c] : 1.0, dgamma = s.dgamma.f32()[c];
  double dbeta = s.dbeta.f32()[c];
  double centred = double(g) - dbeta / count - in.normalised(p, c) * dgamma / count;
  return float(gamma * double(in.invStd[c]) * centred);
}

void joinBwdApply(const Call &call) {
  namespace op = ops::join_bwd_apply;
  const BnSlopes input{call[op::x],      call[op::mean],  call[op::inv_std], call[op::gamma],
                       call[op::dgamma], call[op::dbeta], call[op::dx]};
  const BnSlopes shortcut{call[op::shortcut_x],       call[op::shortcut_mean],
                          call[op::shortcut_inv_std], call[op::shortcut_gamma],
                          call[op::shortcut_dgamma],  call[op::shortcut_dbeta],
                          call[op::shortcut_dx]};
  const View<float> g = view(call[op::g]), dx = view(input.dx), shortcutDx = view(shortcut.dx);
  double count = double(g.pixels());
  forEach(g, [&](int64_t p, int64_t c) {
    const float gradient = g.at(p, c); // an output may lie on it
    dx.at(p, c) = gradientAt(input, gradient, count, p, c);
    shortcutDx.at(p, c) = gradientAt(shortcut, gradient, count, p, c);
  });
}

} // namespace

void addJoinBackwardKernels(const Registrar &kernels) {
  kernels.add(Opcode::join_bwd_reduce, {reduceScratch, requireJoinOperands, joinBwdReduce});
  kernels.add(Opcode::join_bwd_apply, joinBwdApply);
}

} // namespace trk::reference
