// SPDX-License-Identifier: Apache-2.0
//
// The kernel calls of a convolution without a bias and of its batch normalisation.
#include "conv_calls.h"

namespace bench {

using namespace trk;

ConvCalls::ConvCalls(const Layer &l, int64_t batch)
    : window(l.window()), x{batch, l.h, l.w, l.c},
      y{batch, trf::windowExtent(l.h, l.kernel, l.stride, l.pad),
        trf::windowExtent(l.w, l.kernel, l.stride, l.pad), l.outputs},
      w{l.outputs, l.kernel, l.kernel, l.c / l.groups}, v{1, 1, 1, l.outputs} {}

KernelCall ConvCalls::forward() const {
  namespace op = ops::conv_fwd;
  return {op::kOpcode, {{op::x, x}, {op::w, w}, {op::y, y}}, convAttrs<op::Attrs>(window)};
}

KernelCall ConvCalls::forwardWithStats() const {
  namespace op = ops::conv_stats_fwd;
  op::Attrs attrs = convAttrs<op::Attrs>(window);
  attrs.eps = 1e-5;
  attrs.momentum = 0.1;
  return {op::kOpcode,
          {{op::x, x},
           {op::w, w},
           {op::prev_mean, v},
           {op::prev_var, v},
           {op::y, y},
           {op::mean, v},
           {op::inv_std, v},
           {op::next_mean, v},
           {op::next_var, v}},
          attrs};
}

KernelCall ConvCalls::inference() const {
  namespace op = ops::conv_inf;
  op::Attrs attrs = convAttrs<op::Attrs>(window);
  attrs.act = Activation::ReLU;
  return {op::kOpcode,
          {{op::x, x},
           {op::w, w},
           {op::scale, v},
           {op::shift, v},
           {op::folds, {1, 1, 1, 1}},
           {op::y, y}},
          attrs};
}

KernelCall ConvCalls::backwardData() const {
  namespace op = ops::conv_bwd_data;
  return {op::kOpcode, {{op::dy, y}, {op::w, w}, {op::dx, x}}, convAttrs<op::Attrs>(window)};
}

KernelCall ConvCalls::backwardWeight() const {
  namespace op = ops::conv_bwd_weight;
  return {op::kOpcode, {{op::x, x}, {op::dy, y}, {op::dw, w}}, convAttrs<op::Attrs>(window)};
}

KernelCall ConvCalls::bnApply() const {
  namespace op = ops::bn_apply;
  return {op::kOpcode,
          {{op::x, y}, {op::mean, v}, {op::inv_std, v}, {op::gamma, v}, {op::beta, v}, {op::y, y}},
          op::Attrs{Activation::ReLU}};
}

KernelCall ConvCalls::bnReduce() const {
  namespace op = ops::bn_bwd_reduce;
  return {op::kOpcode,
          {{op::dy, y},
           {op::x, y},
           {op::mean, v},
           {op::inv_std, v},
           {op::gamma, v},
           {op::beta, v},
           {op::dgamma, v},
           {op::dbeta, v}},
          op::Attrs{Activation::ReLU}};
}

KernelCall ConvCalls::bnGradient() const {
  namespace op = ops::bn_bwd_apply;
  return {op::kOpcode,
          {{op::dy, y},
           {op::x, y},
           {op::mean, v},
           {op::inv_std, v},
           {op::gamma, v},
           {op::beta, v},
           {op::dgamma, v},
           {op::dbeta, v},
           {op::dx, y}},
          op::Attrs{Activation::ReLU}};
}

} // namespace bench
