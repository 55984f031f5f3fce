// SPDX-License-Identifier: Apache-2.0
//
// Batch normalisation, forward and inference, with the fused adds.
#include "reference/bn.h"
#include "reference/reference.h"

namespace trk::reference {

int64_t bnStatsScratch(int64_t channels) {
  return 2 * channels * static_cast<int64_t>(sizeof(double));
}

void runBnStats(const Call &call, const Tensor &input, int prev, int first, double eps,
                double momentum) {
  View<float> x = view(input);
  double *mean = static_cast<double *>(call.scratch), *var = mean + x.c;
  batchStatistics(x, mean, var);
  const float *prevMean = call.operand(prev).f32(), *prevVar = call.operand(prev + 1).f32();
  float *outMean = call.operand(first).f32(), *invStd = call.operand(first + 1).f32();
  float *nextMean = call.operand(first + 2).f32(), *nextVar = call.operand(first + 3).f32();
  double count = double(x.pixels());
  for (int64_t c = 0; c < x.c; ++c) {
    outMean[c] = float(mean[c]);
    invStd[c] = float(1.0 / std::sqrt(var[c] + eps));
    nextMean[c] = float((1.0 - momentum) * prevMean[c] + momentum * mean[c]);
    nextVar[c] = prevVar[c]; // one value has no unbiased variance
    if (count > 1)
      nextVar[c] = float((1.0 - momentum) * prevVar[c] + momentum * var[c] * count / (count - 1));
  }
}

namespace {

int64_t statsScratch(const Call &call) { return bnStatsScratch(call.operand(0).c()); }

void bnStats(const Call &call) {
  runBnStats(call, call.operand(0), 1, 3, call.attrs[0].f, call.attrs[1].f);
}

void bnApply(const Call &call) {
  Activation act = activationAttr(call);
  BnInput<float> in = bnInput(call, 0);
  View<float> y = operandView(call, 5);
  forEach(y, [&](int64_t e, int64_t c) { y.data[e] = float(activate(act, in.value(e, c))); });
}

void bnApplyAdd(const Call &call) {
  Activation act = activationAttr(call);
  BnInput<float> in = bnInput(call, 0);
  const float *shortcut = call.operand(5).f32();
  View<float> y = operandView(call, 6);
  forEach(y, [&](int64_t e, int64_t c) {
    y.data[e] = float(activate(act, in.value(e, c) + double(shortcut[e])));
  });
}

void bnApplyAddBn(const Call &call) {
  Activation act = activationAttr(call);
  BnInput<float> in = bnInput(call, 0), shortcut = bnInput(call, 5);
  View<float> y = operandView(call, 10);
  forEach(y, [&](int64_t e, int64_t c) {
    y.data[e] = float(activate(act, in.value(e, c) + shortcut.value(e, c)));
  });
}

void bnFold(const Call &call) {
  const float *gamma = call.operand(0).f32(), *beta = call.operand(1).f32();
  const float *mean = call.operand(2).f32(), *var = call.operand(3).f32();
  float *scale = call.operand(4).f32(), *bias = call.operand(5).f32();
  for (int64_t c = 0; c < call.operand(0).elements(); ++c) {
    double s = gamma[c] / std::sqrt(double(var[c]) + call.attrs[0].f);
    scale[c] = float(s);
    bias[c] = float(beta[c] - mean[c] * s);
  }
}

// x*scale + bias of the three operands from `first` on.
struct Folded {
  const float *x, *scale, *bias;
  Folded(const Call &call, int first)
      : x(call.operand(first).f32()), scale(call.operand(first + 1).f32()),
        bias(call.operand(first + 2).f32()) {}
  double value(int64_t e, int64_t c) const { return double(x[e]) * scale[c] + bias[c]; }
};

void bnInf(const Call &call) {
  Activation act = activationAttr(call);
  Folded in(call, 0);
  View<float> y = operandView(call, 3);
  forEach(y, [&](int64_t e, int64_t c) { y.data[e] = float(activate(act, in.value(e, c))); });
}

void bnInfAdd(const Call &call) {
  Activation act = activationAttr(call);
  Folded in(call, 0);
  const float *shortcut = call.operand(3).f32();
  View<float> y = operandView(call, 4);
  forEach(y, [&](int64_t e, int64_t c) {
    y.data[e] = float(activate(act, in.value(e, c) + double(shortcut[e])));
  });
}

void bnInfAddBn(const Call &call) {
  Activation act = activationAttr(call);
  Folded in(call, 0), shortcut(call, 3);
  View<float> y = operandView(call, 6);
  forEach(y, [&](int64_t e, int64_t c) {
    y.data[e] = float(activate(act, in.value(e, c) + shortcut.value(e, c)));
  });
}

} // namespace

void addBnKernels(KernelTable &table) {
  slot(table, Opcode::bn_stats) = {statsScratch, nullptr, bnStats, nullptr};
  slot(table, Opcode::bn_apply).run = bnApply;
  slot(table, Opcode::bn_apply_add).run = bnApplyAdd;
  slot(table, Opcode::bn_apply_add_bn).run = bnApplyAddBn;
  slot(table, Opcode::bn_fold).run = bnFold;
  slot(table, Opcode::bn_inf).run = bnInf;
  slot(table, Opcode::bn_inf_add).run = bnInfAdd;
  slot(table, Opcode::bn_inf_add_bn).run = bnInfAddBn;
}

} // namespace trk::reference
