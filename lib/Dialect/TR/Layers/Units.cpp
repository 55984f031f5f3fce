// SPDX-License-Identifier: Apache-2.0
//
// Convolution, batch normalisation and fully connected product as tensors and
// kernel ops. First values are those of PyTorch: Kaiming normal for convolution
// weights (fan out, which PyTorch does not divide by the groups), uniform in
// 1/sqrt(fan in) for FC weights and all biases.
#include "Units.h"

#include "Shapes.h"

#include <cmath>

using namespace tr;
using namespace tr::units;
using trf::Group;
using trf::Init;
using trf::ParamLayout;
using trf::Role;

trf::DType units::indexType(PoolAttr window) {
  return window.getKernel().h * window.getKernel().w <= 256 ? trf::DType::U8 : trf::DType::I32;
}

llvm::StringRef units::partOf(mlir::ArrayAttr parts, unsigned index) {
  return mlir::cast<mlir::StringAttr>(parts[index]).getValue();
}

KernelCall units::poolAverage(PoolAttr window, TensorRef x, TensorRef y) {
  namespace op = trf::ops::avgpool_fwd;
  return KernelCall(op::kOpcode, {{op::x, x}, {op::y, y}}, withAverageWindow<op::Attrs>(window));
}
KernelCall units::poolAverageBackward(PoolAttr window, TensorRef dy, TensorRef dx) {
  namespace op = trf::ops::avgpool_bwd;
  return KernelCall(op::kOpcode, {{op::dy, dy}, {op::dx, dx}},
                    withAverageWindow<op::Attrs>(window));
}
KernelCall units::averageMaps(TensorRef x, TensorRef y) {
  namespace op = trf::ops::gap_fwd;
  return KernelCall(op::kOpcode, {{op::x, x}, {op::y, y}});
}
KernelCall units::averageMapsBackward(TensorRef dy, TensorRef dx) {
  namespace op = trf::ops::gap_bwd;
  return KernelCall(op::kOpcode, {{op::dy, dy}, {op::dx, dx}});
}

KernelCall units::placeChannels(int64_t at, TensorRef x, TensorRef y) {
  namespace op = trf::ops::channel_place;
  return KernelCall(op::kOpcode, {{op::x, x}, {op::y, y}}, op::Attrs{at});
}
KernelCall units::takeChannels(int64_t at, TensorRef x, TensorRef y) {
  namespace op = trf::ops::channel_take;
  return KernelCall(op::kOpcode, {{op::x, x}, {op::y, y}}, op::Attrs{at});
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

Conv::Conv(LayerDescription &d, llvm::StringRef part, ImageShape in, ConvAttr g)
    : shape(shapes::convolved(in, g)), d(d), geometry(g) {
  TensorDims dims = {g.getOut(), g.getKernel().h, g.getKernel().w, in.c / g.getGroups()};
  double window = static_cast<double>(dims[1]) * dims[2];
  Group group = d.getContext().first ? Group::FirstConv : Group::DeepConv;
  weight = d.parameter(part, "weight", group, dims, ParamLayout::Conv, Init::Normal,
                       std::sqrt(2.0 / (g.getOut() * window)));
  if (g.getBias())
    bias = d.parameter(part, "bias", Group::FcBias, {1, 1, 1, g.getOut()}, ParamLayout::Vector,
                       Init::Uniform, 1.0 / std::sqrt(dims[3] * window));
  y = d.feature(part + ".output", shape);
}

KernelCall Conv::makeCall(TensorRef x) const {
  namespace op = trf::ops::conv_fwd;
  return KernelCall(op::kOpcode,
                    {{op::x, x}, {op::w, weight.value}, {op::bias, bias.value}, {op::y, y}},
                    withGeometry<op::Attrs>(geometry));
}

void Conv::forward(TensorRef x) { d.forward(makeCall(x)); }
void Conv::inference(TensorRef x) { d.inference(makeCall(x)); }

void Conv::backward(TensorRef x, TensorRef dy, TensorRef dx) {
  namespace dw = trf::ops::conv_bwd_weight;
  d.backward(KernelCall(dw::kOpcode,
                        {{dw::x, x}, {dw::dy, dy}, {dw::dw, weight.grad}, {dw::dbias, bias.grad}},
                        withGeometry<dw::Attrs>(geometry)));
  if (!dx)
    return;
  namespace op = trf::ops::conv_bwd_data;
  d.backward(KernelCall(op::kOpcode, {{op::dy, dy}, {op::w, weight.value}, {op::dx, dx}},
                        withGeometry<op::Attrs>(geometry)));
}

//===----------------------------------------------------------------------===//
// Batch normalisation
//===----------------------------------------------------------------------===//

Bn::Bn(LayerDescription &d, llvm::StringRef part, int64_t channels, double eps, double momentum,
       BnOptions options)
    : d(d), eps(eps), momentum(momentum) {
  TensorDims dims = {1, 1, 1, channels};
  if (options.affine) {
    gamma = d.parameter(part, "weight", Group::BnWeight, dims, ParamLayout::Vector,
                        options.zeroGamma ? Init::Zeros : Init::Ones, 0.0);
    beta = d.parameter(part, "bias", Group::BnBias, dims, ParamLayout::Vector, Init::Zeros, 0.0);
    dgamma = gamma.grad;
    dbeta = beta.grad;
  } else {
    dgamma = d.trainingChannels(part + ".dgamma", Role::Temp, channels);
    dbeta = d.trainingChannels(part + ".dbeta", Role::Temp, channels);
  }
  prevMean = d.statistic(part, "running_mean", Role::PrevMean, channels, Init::Zeros);
  prevVar = d.statistic(part, "running_var", Role::PrevVar, channels, Init::Ones);
  nextMean = d.trainingChannels(part + ".next_mean", Role::NextMean, channels);
  nextVar = d.trainingChannels(part + ".next_var", Role::NextVar, channels);
  if (options.cumulative) {
    prevCount = d.statistic(part, "num_batches_tracked", Role::PrevMean, 1, Init::Zeros);
    nextCount = d.trainingChannels(part + ".next_count", Role::NextMean, 1);
  }
  mean = d.trainingChannels(part + ".mean", Role::Temp, channels);
  invStd = d.trainingChannels(part + ".inv_std", Role::Temp, channels);
  scale = d.channels(part + ".eq_scale", Role::EqScale, channels);
  shift = d.channels(part + ".eq_bias", Role::EqBias, channels);
  namespace op = trf::ops::bn_fold;
  d.fold(KernelCall(op::kOpcode,
                    {{op::gamma, gamma.value},
                     {op::beta, beta.value},
                     {op::mean, prevMean},
                     {op::var, prevVar},
                     {op::scale, scale},
                     {op::bias, shift}},
                    op::Attrs{eps}));
}

void Bn::stats(TensorRef x) {
  namespace op = trf::ops::bn_stats;
  d.forward(KernelCall(op::kOpcode,
                       {{op::x, x},
                        {op::prev_mean, prevMean},
                        {op::prev_var, prevVar},
                        {op::mean, mean},
                        {op::inv_std, invStd},
                        {op::next_mean, nextMean},
                        {op::next_var, nextVar}},
                       op::Attrs{eps, momentum}));
  cumulate();
}

void Bn::cumulate() {
  if (!prevCount)
    return;
  namespace op = trf::ops::bn_cumulate;
  d.forward(KernelCall(op::kOpcode, {{op::prev_count, prevCount},
                                     {op::prev_mean, prevMean},
                                     {op::prev_var, prevVar},
                                     {op::next_count, nextCount},
                                     {op::next_mean, nextMean},
                                     {op::next_var, nextVar}}));
}

KernelCall Bn::makeApply(TensorRef x, Act act, TensorRef y) const {
  namespace op = trf::ops::bn_apply;
  return KernelCall(op::kOpcode,
                    {{op::x, x},
                     {op::mean, mean},
                     {op::inv_std, invStd},
                     {op::gamma, gamma.value},
                     {op::beta, beta.value},
                     {op::y, y}},
                    op::Attrs{act});
}

void Bn::inference(TensorRef x, Act act, TensorRef y) {
  namespace op = trf::ops::bn_inf;
  d.inference(KernelCall(op::kOpcode,
                         {{op::x, x}, {op::scale, scale}, {op::bias, shift}, {op::y, y}},
                         op::Attrs{act}));
}

TensorRef Bn::recompute(TensorRef x, Act act, const llvm::Twine &name, ImageShape shape) {
  TensorRef copy = d.trainingFeature(name, shape);
  d.backward(makeApply(x, act, copy));
  return copy;
}

void Bn::recomputeOutput(TensorRef x, Act act, const llvm::Twine &name) {
  if (d.getContext().training)
    d.recomputeOutput(makeApply(x, act, d.trainingFeature(name, d.getOutput())));
}

void Bn::backward(TensorRef dy, TensorRef x, Act act, TensorRef dx) {
  namespace reduce = trf::ops::bn_bwd_reduce;
  d.backward(KernelCall(reduce::kOpcode,
                        {{reduce::dy, dy},
                         {reduce::x, x},
                         {reduce::mean, mean},
                         {reduce::inv_std, invStd},
                         {reduce::gamma, gamma.value},
                         {reduce::beta, beta.value},
                         {reduce::dgamma, dgamma},
                         {reduce::dbeta, dbeta}},
                        reduce::Attrs{act}));
  if (!dx)
    return;
  namespace apply = trf::ops::bn_bwd_apply;
  d.backward(KernelCall(apply::kOpcode,
                        {{apply::dy, dy},
                         {apply::x, x},
                         {apply::mean, mean},
                         {apply::inv_std, invStd},
                         {apply::gamma, gamma.value},
                         {apply::beta, beta.value},
                         {apply::dgamma, dgamma},
                         {apply::dbeta, dbeta},
                         {apply::dx, dx}},
                        apply::Attrs{act}));
}

//===----------------------------------------------------------------------===//
// Convolution with statistics
//===----------------------------------------------------------------------===//

ConvBn::ConvBn(LayerDescription &d, llvm::StringRef convPart, llvm::StringRef bnPart,
               ImageShape input, ConvAttr geometry, double eps, double momentum, bool zeroGamma)
    : conv(d, convPart, input, geometry),
      bn(d, bnPart, geometry.getOut(), eps, momentum, {zeroGamma}) {
  convGrad = d.gradient(convPart + ".output.grad", conv.shape);
}

void ConvBn::forward(TensorRef x) {
  namespace op = trf::ops::conv_stats_fwd;
  auto attrs = withGeometry<op::Attrs>(conv.geometry);
  attrs.eps = bn.eps;
  attrs.momentum = bn.momentum;
  conv.d.forward(KernelCall(op::kOpcode,
                            {{op::x, x},
                             {op::w, conv.weight.value},
                             {op::bias, conv.bias.value},
                             {op::prev_mean, bn.prevMean},
                             {op::prev_var, bn.prevVar},
                             {op::y, conv.y},
                             {op::mean, bn.mean},
                             {op::inv_std, bn.invStd},
                             {op::next_mean, bn.nextMean},
                             {op::next_var, bn.nextVar}},
                            attrs));
}

void ConvBn::inference(TensorRef x, TensorRef shortcut, Act act, TensorRef y) {
  namespace op = trf::ops::conv_inf;
  auto attrs = withGeometry<op::Attrs>(conv.geometry);
  attrs.act = act;
  conv.d.inference(KernelCall(op::kOpcode,
                              {{op::x, x},
                               {op::w, conv.weight.value},
                               {op::bias, conv.bias.value},
                               {op::scale, bn.scale},
                               {op::shift, bn.shift},
                               {op::shortcut, shortcut},
                               {op::folds, conv.d.shared(trf::SharedTensor::Folds)},
                               {op::y, y}},
                              attrs));
}

//===----------------------------------------------------------------------===//
// Fully connected
//===----------------------------------------------------------------------===//

Fc::Fc(LayerDescription &d, llvm::StringRef part, ImageShape features, int64_t out, bool withBias)
    : d(d) {
  TensorDims dims = {out, features.h, features.w, features.c};
  double bound = 1.0 / std::sqrt(static_cast<double>(features.h) * features.w * features.c);
  weight =
      d.parameter(part, "weight", Group::FcWeight, dims, ParamLayout::Fc, Init::Uniform, bound);
  if (withBias)
    bias = d.parameter(part, "bias", Group::FcBias, {1, 1, 1, out}, ParamLayout::Vector,
                       Init::Uniform, bound);
}

void Fc::forwardAndInference(TensorRef x, TensorRef y) {
  namespace op = trf::ops::fc_fwd;
  d.forwardAndInference(KernelCall(
      op::kOpcode, {{op::x, x}, {op::w, weight.value}, {op::bias, bias.value}, {op::y, y}}));
}

void Fc::backward(TensorRef x, TensorRef dy, TensorRef dx) {
  namespace dw = trf::ops::fc_bwd_weight;
  d.backward(KernelCall(dw::kOpcode,
                        {{dw::x, x}, {dw::dy, dy}, {dw::dw, weight.grad}, {dw::dbias, bias.grad}}));
  if (!dx)
    return;
  namespace op = trf::ops::fc_bwd_data;
  d.backward(KernelCall(op::kOpcode, {{op::dy, dy}, {op::w, weight.value}, {op::dx, dx}}));
}
