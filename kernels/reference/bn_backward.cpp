// SPDX-License-Identifier: Apache-2.0
//
// Gradients of batch normalisation with its activation. The pre-activation value
// is recomputed from x, so nothing but x and the statistics need be kept.
#include "reference/bn.h"
#include "reference/reference.h"

namespace trk::reference {
namespace {

// Gradient in front of the activation.
double preActivation(Activation act, const BnInput<float> &in, const float *dy, int64_t e,
                     int64_t c) {
  return double(dy[e]) * activationGradient(act, in.value(e, c));
}

int64_t reduceScratch(const Call &call) {
  return 2 * call.operand(0).c() * static_cast<int64_t>(sizeof(double));
}

void bnBwdReduce(const Call &call) {
  Activation act = activationAttr(call);
  const float *dy = call.operand(0).f32();
  BnInput<float> in = bnInput(call, 1);
  int64_t channels = in.x.c;
  double *dgamma = static_cast<double *>(call.scratch), *dbeta = dgamma + channels;
  std::fill(dgamma, dgamma + 2 * channels, 0.0);
  forEach(in.x, [&](int64_t e, int64_t c) {
    double g = preActivation(act, in, dy, e, c);
    dgamma[c] += g * in.normalised(e, c);
    dbeta[c] += g;
  });
  std::copy(dgamma, dgamma + channels, call.operand(6).f32());
  std::copy(dbeta, dbeta + channels, call.operand(7).f32());
}

void bnBwdApply(const Call &call) {
  Activation act = activationAttr(call);
  const float *dy = call.operand(0).f32();
  BnInput<float> in = bnInput(call, 1);
  const float *dgamma = call.operand(6).f32(), *dbeta = call.operand(7).f32();
  float *dx = call.operand(8).f32();
  double count = double(in.x.pixels());
  forEach(in.x, [&](int64_t e, int64_t c) {
    double g = preActivation(act, in, dy, e, c);
    double centred = g - dbeta[c] / count - in.normalised(e, c) * dgamma[c] / count;
    dx[e] = float(double(in.gamma[c]) * double(in.inv_std[c]) * centred);
  });
}

} // namespace

void addBnBackwardKernels(KernelTable &table) {
  slot(table, Opcode::bn_bwd_reduce) = {reduceScratch, nullptr, bnBwdReduce, nullptr};
  slot(table, Opcode::bn_bwd_apply).run = bnBwdApply;
}

} // namespace trk::reference
