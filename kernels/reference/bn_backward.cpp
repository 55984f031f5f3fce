// SPDX-License-Identifier: Apache-2.0
//
// Gradients of batch normalisation with its activation. The pre-activation value
// is recomputed from x, so nothing but x and the statistics need be kept.
#include "reference/bn.h"
#include "reference/reference.h"

namespace trk::reference {
namespace {

// Gradient in front of the activation.
double preActivation(Act act, const BnInput<float> &in, const View<float> &dy, int64_t p,
                     int64_t c) {
  return double(dy.at(p, c)) * activationGradient(act, in.value(p, c));
}

int64_t reduceScratch(const Call &call) {
  return 2 * call[ops::bn_bwd_reduce::x].c() * static_cast<int64_t>(sizeof(double));
}

void bnBwdReduce(const Call &call) {
  namespace op = ops::bn_bwd_reduce;
  Act act = call.attrs<op::Attrs>().act;
  View<float> dy = view(call[op::dy]);
  BnInput<float> in =
      bnInput({call[op::x], call[op::mean], call[op::inv_std], call[op::gamma], call[op::beta]});
  int64_t channels = in.x.c;
  double *dgamma = static_cast<double *>(call.scratch), *dbeta = dgamma + channels;
  std::fill(dgamma, dgamma + 2 * channels, 0.0);
  forEach(in.x, [&](int64_t p, int64_t c) {
    double g = preActivation(act, in, dy, p, c);
    dgamma[c] += g * in.normalised(p, c);
    dbeta[c] += g;
  });
  std::copy(dgamma, dgamma + channels, call[op::dgamma].f32());
  std::copy(dbeta, dbeta + channels, call[op::dbeta].f32());
}

void bnBwdApply(const Call &call) {
  namespace op = ops::bn_bwd_apply;
  Act act = call.attrs<op::Attrs>().act;
  View<float> dy = view(call[op::dy]), dx = view(call[op::dx]);
  BnInput<float> in =
      bnInput({call[op::x], call[op::mean], call[op::inv_std], call[op::gamma], call[op::beta]});
  const float *dgamma = call[op::dgamma].f32(), *dbeta = call[op::dbeta].f32();
  double count = double(in.x.pixels());
  forEach(in.x, [&](int64_t p, int64_t c) {
    double g = preActivation(act, in, dy, p, c);
    double centred = g - dbeta[c] / count - in.normalised(p, c) * dgamma[c] / count;
    dx.at(p, c) = float(in.factor(c) * double(in.invStd[c]) * centred);
  });
}

} // namespace

void addBnBackwardKernels(const Registrar &kernels) {
  kernels.add(Opcode::bn_bwd_reduce, {reduceScratch, nullptr, bnBwdReduce});
  kernels.add(Opcode::bn_bwd_apply, bnBwdApply);
}

} // namespace trk::reference
