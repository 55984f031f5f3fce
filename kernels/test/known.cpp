// SPDX-License-Identifier: Apache-2.0
//
// Layers as the known-answer tests call them.
#include "known.h"

namespace trk::test {

Host KnownAnswers::conv(const Host &x, const Host &w, const Host &bias, const Window &window) {
  namespace op = ops::conv_fwd;
  Host y = Host::f32(windowDims(x.dims, window, w.dims[0]));
  return ran({op::kOpcode,
              {{op::x, x}, {op::w, w}, {op::bias, bias}, {op::y, y}},
              convAttrs<op::Attrs>(window)})[op::y];
}

Host KnownAnswers::fc(const Host &x, const Host &w, const Host &bias) {
  namespace op = ops::fc_fwd;
  Host y = Host::f32({x.dims[0], 1, 1, w.dims[0]});
  return ran({op::kOpcode, {{op::x, x}, {op::w, w}, {op::bias, bias}, {op::y, y}}})[op::y];
}

Host KnownAnswers::activation(Act act, const Floats &values) {
  namespace op = ops::act_fwd;
  return ran({op::kOpcode, {{op::x, Host::vec(values)}}, op::Attrs{act}})[op::y];
}

Host KnownAnswers::avgPool(const Host &x, const Window &w) {
  namespace op = ops::avgpool_fwd;
  Host y = Host::f32(windowDims(x.dims, w, x.dims[3]));
  return ran({op::kOpcode, {{op::x, x}, {op::y, y}}, poolAttrs<op::Attrs>(w)})[op::y];
}

Host KnownAnswers::avgPoolGradient(const Host &dy, const Dims &x, const Window &w) {
  namespace op = ops::avgpool_bwd;
  return ran(
      {op::kOpcode, {{op::dy, dy}, {op::dx, Host::f32(x)}}, poolAttrs<op::Attrs>(w)})[op::dx];
}

Host KnownAnswers::copy(const Host &x, const Dims &dims) {
  namespace op = ops::copy;
  return ran({op::kOpcode, {{op::x, x}, {op::y, Host::f32(dims)}}})[op::y];
}

KnownAnswers::Pooled KnownAnswers::maxPool(const Host &x, const Window &w) {
  namespace op = ops::maxpool_fwd;
  const Dims dims = windowDims(x.dims, w, x.dims[3]);
  const Invocation call =
      ran({op::kOpcode,
           {{op::x, x}, {op::y, Host::f32(dims)}, {op::index, Host(indexType(w), dims)}},
           poolAttrs<op::Attrs>(w)});
  return {call[op::y], call[op::index]};
}

Host KnownAnswers::maxPoolGradient(const Host &dy, const Host &index, const Dims &x,
                                   const Window &w) {
  namespace op = ops::maxpool_bwd;
  return ran({op::kOpcode,
              {{op::dy, dy}, {op::index, index}, {op::dx, Host::f32(x)}},
              poolAttrs<op::Attrs>(w)})[op::dx];
}

Host KnownAnswers::bnApply(const BnHosts &in, Act act) {
  namespace op = ops::bn_apply;
  return ran({op::kOpcode, in.at(op::x, op::mean, op::inv_std, op::gamma, op::beta),
              op::Attrs{act}})[op::y];
}

Host KnownAnswers::bnEval(const Host &x, const Host &gamma, const Host &beta, const Host &mean,
                          const Host &var, double eps, Act act) {
  namespace fold = ops::bn_fold;
  const Invocation folded =
      ran({fold::kOpcode,
           {{fold::gamma, gamma}, {fold::beta, beta}, {fold::mean, mean}, {fold::var, var}},
           fold::Attrs{eps}});
  namespace op = ops::bn_inf;
  return ran({op::kOpcode,
              {{op::x, x}, {op::scale, folded[fold::scale]}, {op::bias, folded[fold::bias]}},
              op::Attrs{act}})[op::y];
}

KnownAnswers::BnTrained KnownAnswers::bnTrain(const Host &x, const Host &gamma, const Host &beta,
                                              double eps, double momentum, const Host &prevMean,
                                              const Host &prevVar) {
  namespace op = ops::bn_stats;
  const Invocation stats = ran({op::kOpcode,
                                {{op::x, x}, {op::prev_mean, prevMean}, {op::prev_var, prevVar}},
                                op::Attrs{eps, momentum}});
  const Host &mean = stats[op::mean], &invStd = stats[op::inv_std];
  return {bnApply({x, mean, invStd, gamma, beta}, Activation::None), mean, invStd,
          stats[op::next_mean], stats[op::next_var]};
}

KnownAnswers::Loss KnownAnswers::softmaxCe(const Host &logits, const std::vector<int32_t> &labels,
                                           int32_t valid, float smoothing) {
  namespace op = ops::softmax_ce_fwd;
  Host y = Host::i32({logits.dims[0], 1, 1, 1}, labels);
  Host count = Host::scalarInt(valid), factor = Host::scalar(smoothing);
  const Invocation f = ran({op::kOpcode,
                            {{op::logits, logits},
                             {op::labels, y},
                             {op::valid, count},
                             {op::label_smoothing, factor},
                             {op::top1, Host::scalar(0)},
                             {op::top5, Host::scalar(0)},
                             {op::predicted, Host(DType::I32, y.dims)}}});
  namespace back = ops::softmax_ce_bwd;
  const Invocation b = ran({back::kOpcode,
                            {{back::probs, f[op::probs]},
                             {back::labels, y},
                             {back::valid, count},
                             {back::label_smoothing, factor}}});
  return {f[op::loss].f()[0], f[op::top1].f()[0], f[op::top5].f()[0],
          f[op::probs],       f[op::predicted],   b[back::dlogits]};
}

} // namespace trk::test
