// SPDX-License-Identifier: Apache-2.0
//
// Batch normalisation, forward and inference, with the fused adds.
#include "reference/bn.h"
#include "reference/reference.h"

namespace trk::reference {

int64_t bnStatsScratch(int64_t channels) {
  return 2 * channels * static_cast<int64_t>(sizeof(double));
}

void runBnStats(const Call &call, const Tensor &input, const BnStatistics &s) {
  View<float> x = view(input);
  double *mean = static_cast<double *>(call.scratch), *m2 = mean + x.c;
  batchStatistics(x, mean, m2);
  for (int64_t c = 0; c < x.c; ++c)
    writeStatistics(s, c, mean[c], m2[c], double(x.pixels()));
}

namespace {

int64_t statsScratch(const Call &call) { return bnStatsScratch(call[ops::bn_stats::x].c()); }

void bnStats(const Call &call) {
  runBnStats(call, call[ops::bn_stats::x], statisticsOfBnStats(call));
}

void bnApply(const Call &call) {
  namespace op = ops::bn_apply;
  Act act = call.attrs<op::Attrs>().act;
  BnInput<float> in =
      bnInput({call[op::x], call[op::mean], call[op::inv_std], call[op::gamma], call[op::beta]});
  View<float> y = view(call[op::y]);
  forEach(y, [&](int64_t p, int64_t c) { y.at(p, c) = float(activate(act, in.value(p, c))); });
}

void bnApplyAdd(const Call &call) {
  namespace op = ops::bn_apply_add;
  Act act = call.attrs<op::Attrs>().act;
  BnInput<float> in =
      bnInput({call[op::x], call[op::mean], call[op::inv_std], call[op::gamma], call[op::beta]});
  View<float> shortcut = view(call[op::shortcut]), y = view(call[op::y]);
  forEach(y, [&](int64_t p, int64_t c) {
    y.at(p, c) = float(activate(act, in.value(p, c) + double(shortcut.at(p, c))));
  });
}

void bnApplyAddBn(const Call &call) {
  namespace op = ops::bn_apply_add_bn;
  Act act = call.attrs<op::Attrs>().act;
  BnInput<float> in =
      bnInput({call[op::x], call[op::mean], call[op::inv_std], call[op::gamma], call[op::beta]});
  BnInput<float> shortcut =
      bnInput({call[op::shortcut_x], call[op::shortcut_mean], call[op::shortcut_inv_std],
               call[op::shortcut_gamma], call[op::shortcut_beta]});
  View<float> y = view(call[op::y]);
  forEach(y, [&](int64_t p, int64_t c) {
    y.at(p, c) = float(activate(act, in.value(p, c) + shortcut.value(p, c)));
  });
}

void bnFold(const Call &call) {
  namespace op = ops::bn_fold;
  const float *gamma = call[op::gamma].f32(), *beta = call[op::beta].f32();
  const float *mean = call[op::mean].f32(), *var = call[op::var].f32();
  float *scale = call[op::scale].f32(), *bias = call[op::bias].f32();
  const double eps = call.attrs<op::Attrs>().eps;
  for (int64_t c = 0; c < call[op::mean].elements(); ++c) {
    double s = (gamma ? double(gamma[c]) : 1.0) / std::sqrt(double(var[c]) + eps);
    scale[c] = float(s);
    bias[c] = float((beta ? double(beta[c]) : 0.0) - mean[c] * s);
  }
}

void bnInf(const Call &call) {
  namespace op = ops::bn_inf;
  Act act = call.attrs<op::Attrs>().act;
  const float *scale = call[op::scale].f32(), *bias = call[op::bias].f32();
  View<float> x = view(call[op::x]), y = view(call[op::y]);
  forEach(y, [&](int64_t p, int64_t c) {
    y.at(p, c) = float(activate(act, double(x.at(p, c)) * scale[c] + bias[c]));
  });
}

void bnCumulate(const Call &call) { cumulateStatistics(call); }

} // namespace

void addBnKernels(const Registrar &kernels) {
  kernels.add(Opcode::bn_stats, {statsScratch, nullptr, bnStats});
  kernels.add(Opcode::bn_apply, bnApply);
  kernels.add(Opcode::bn_apply_add, bnApplyAdd);
  kernels.add(Opcode::bn_apply_add_bn, bnApplyAddBn);
  kernels.add(Opcode::bn_fold, bnFold);
  kernels.add(Opcode::bn_inf, bnInf);
  kernels.add(Opcode::bn_cumulate, bnCumulate);
}

} // namespace trk::reference
