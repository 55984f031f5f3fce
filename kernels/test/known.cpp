// SPDX-License-Identifier: Apache-2.0
//
// Layers as the known-answer tests call them.
#include "known.h"

namespace trk::test {

static Dims windowDims(const Host &x, const Window &w, int64_t channels) {
  return {x.dims[0], outputExtent(x.dims[1], w.kernel_h, w.stride_h, w.pad_h, w.dilation_h),
          outputExtent(x.dims[2], w.kernel_w, w.stride_w, w.pad_w, w.dilation_w), channels};
}

Host KnownAnswers::conv(const Host &x, const Host &w, const Host &bias, const Window &window) {
  Dims y = windowDims(x, window, w.dims[0]);
  return runFor(Opcode::conv_fwd, {x, w, bias, Host::f32(y)}, convAttrList(window), 3);
}

Host KnownAnswers::fc(const Host &x, const Host &w, const Host &bias) {
  return runFor(Opcode::fc_fwd, {x, w, bias, Host::f32({x.dims[0], 1, 1, w.dims[0]})}, {}, 3);
}

Host KnownAnswers::activation(Activation act, const Floats &values) {
  Host x = Host::vec(values);
  return runFor(Opcode::act_fwd, {x, Host::f32(x.dims)}, {attr(act)}, 1);
}

Host KnownAnswers::avgPool(const Host &x, const Window &w) {
  Host y = Host::f32(windowDims(x, w, x.dims[3]));
  return runFor(Opcode::avgpool_fwd, {x, y}, poolAttrList(w), 1);
}

KnownAnswers::Pooled KnownAnswers::maxPool(const Host &x, const Window &w) {
  Dims dims = windowDims(x, w, x.dims[3]);
  const DType index = w.kernel_h * w.kernel_w <= 256 ? DType::U8 : DType::I32;
  std::vector<Host> operands = {x, Host::f32(dims), Host(index, dims)};
  run(Opcode::maxpool_fwd, operands, poolAttrList(w));
  return {operands[1], operands[2]};
}

Host KnownAnswers::bnEval(const Host &x, const Host &gamma, const Host &beta, const Host &mean,
                          const Host &var, double eps, Activation act) {
  std::vector<Host> fold = {gamma, beta, mean, var, Host::f32(gamma.dims), Host::f32(gamma.dims)};
  run(Opcode::bn_fold, fold, {attr(eps)});
  return runFor(Opcode::bn_inf, {x, fold[4], fold[5], Host::f32(x.dims)}, {attr(act)}, 3);
}

KnownAnswers::BnTrained KnownAnswers::bnTrain(const Host &x, const Host &gamma, const Host &beta,
                                              double eps, double momentum, const Host &prevMean,
                                              const Host &prevVar) {
  Host vec = Host::f32(gamma.dims);
  std::vector<Host> stats = {x, prevMean, prevVar, vec, vec, vec, vec};
  run(Opcode::bn_stats, stats, {attr(eps), attr(momentum)});
  Host y = runFor(Opcode::bn_apply, {x, stats[3], stats[4], gamma, beta, Host::f32(x.dims)},
                  {attr(Activation::None)}, 5);
  return {y, stats[3], stats[4], stats[5], stats[6]};
}

KnownAnswers::Loss KnownAnswers::softmaxCe(const Host &logits, const std::vector<int32_t> &labels,
                                           int32_t valid, float smoothing) {
  Host y = Host::i32({logits.dims[0], 1, 1, 1}, labels), out = Host::scalar(0);
  Host count = Host::scalarInt(valid), e = Host::scalar(smoothing);
  std::vector<Host> f = {
      logits, y, count, e, Host::f32(logits.dims), out, out, out, Host(DType::I32, y.dims)};
  run(Opcode::softmax_ce_fwd, f);
  Host gradient =
      runFor(Opcode::softmax_ce_bwd, {f[4], y, count, e, Host::f32(logits.dims)}, {}, 4);
  return {f[5].f()[0], f[6].f()[0], f[7].f()[0], f[4], f[8], gradient};
}

} // namespace trk::test
