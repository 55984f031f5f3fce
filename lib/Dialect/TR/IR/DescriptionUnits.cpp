// SPDX-License-Identifier: Apache-2.0
//
// Convolution, batch normalisation and fully connected product as tensors and
// kernel ops. First values are those of PyTorch: Kaiming normal for convolution
// weights (fan out, which PyTorch does not divide by the groups), uniform in
// 1/sqrt(fan in) for FC weights and all biases.
#include "DescriptionUnits.h"

#include <cmath>

using namespace tr;
using namespace tr::units;
using plan::Init;
using plan::Kernel;
using plan::ParamLayout;
using plan::Region;

namespace {
void append(Refs &refs, llvm::ArrayRef<TensorRef> more) { refs.append(more.begin(), more.end()); }
} // namespace

units::Attrs units::convAttrs(ConvAttr g) {
  return {g.getKernel().h, g.getKernel().w,   g.getStride().h,   g.getStride().w, g.getPad().h,
          g.getPad().w,    g.getDilation().h, g.getDilation().w, g.getGroups()};
}

units::Attrs units::poolAttrs(PoolAttr w) {
  return {w.getKernel().h, w.getKernel().w, w.getStride().h,
          w.getStride().w, w.getPad().h,    w.getPad().w};
}

plan::DType units::indexType(PoolAttr window) {
  return window.getKernel().h * window.getKernel().w <= 256 ? plan::DType::U8 : plan::DType::I32;
}

ImageShape units::convolved(ImageShape in, ConvAttr g) {
  auto slide = [](int64_t extent, int64_t kernel, int64_t stride, int64_t pad, int64_t dilation) {
    return (extent + 2 * pad - dilation * (kernel - 1) - 1) / stride + 1;
  };
  return {slide(in.h, g.getKernel().h, g.getStride().h, g.getPad().h, g.getDilation().h),
          slide(in.w, g.getKernel().w, g.getStride().w, g.getPad().w, g.getDilation().w),
          g.getOut()};
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

Conv::Conv(LayerDescription &d, llvm::StringRef part, ImageShape in, ConvAttr g)
    : shape(convolved(in, g)), d(d), geometry(g) {
  TensorDims dims = {g.getOut(), g.getKernel().h, g.getKernel().w, in.c / g.getGroups()};
  double window = static_cast<double>(dims[1]) * dims[2];
  Region region = d.getContext().first ? Region::WFirstConv : Region::WDeepConv;
  weight = d.parameter(part, "weight", region, dims, ParamLayout::Conv, Init::Normal,
                       std::sqrt(2.0 / (g.getOut() * window)));
  if (g.getBias())
    bias = d.parameter(part, "bias", Region::WFcBias, {1, 1, 1, g.getOut()}, ParamLayout::Vector,
                       Init::Uniform, 1.0 / std::sqrt(dims[3] * window));
  y = d.feature(part + ".output", shape);
}

void Conv::forward(TensorRef x) {
  d.forward(Kernel::conv_fwd, {x, weight.value, bias.value, y}, convAttrs(geometry));
}

void Conv::inference(TensorRef x) {
  d.inference(Kernel::conv_fwd, {x, weight.value, bias.value, y}, convAttrs(geometry));
}

void Conv::backward(TensorRef x, TensorRef dy, TensorRef dx) {
  d.backward(Kernel::conv_bwd_weight, {x, dy, weight.grad, bias.grad}, convAttrs(geometry));
  if (dx.kind != TensorRef::Absent)
    d.backward(Kernel::conv_bwd_data, {dy, weight.value, dx}, convAttrs(geometry));
}

//===----------------------------------------------------------------------===//
// Batch normalisation
//===----------------------------------------------------------------------===//

Bn::Bn(LayerDescription &d, llvm::StringRef part, int64_t channels, double eps, double momentum,
       bool zeroGamma)
    : d(d), eps(eps), momentum(momentum) {
  TensorDims dims = {1, 1, 1, channels};
  gamma = d.parameter(part, "weight", Region::WBnWeight, dims, ParamLayout::Vector,
                      zeroGamma ? Init::Zeros : Init::Ones, 0.0);
  beta = d.parameter(part, "bias", Region::WBnBias, dims, ParamLayout::Vector, Init::Zeros, 0.0);
  prevMean = d.statistic(part, "running_mean", Region::BPrevMean, channels, Init::Zeros);
  prevVar = d.statistic(part, "running_var", Region::BPrevVar, channels, Init::Ones);
  nextMean = d.trainingChannels(part + ".next_mean", Region::BNextMean, channels);
  nextVar = d.trainingChannels(part + ".next_var", Region::BNextVar, channels);
  mean = d.trainingChannels(part + ".mean", Region::TTempFp32, channels);
  invStd = d.trainingChannels(part + ".inv_std", Region::TTempFp32, channels);
  scale = d.channels(part + ".eq_scale", Region::WEqScale, channels);
  shift = d.channels(part + ".eq_bias", Region::WEqBias, channels);
  d.fold(Kernel::bn_fold, {gamma.value, beta.value, prevMean, prevVar, scale, shift}, {eps});
}

Refs Bn::inputs(TensorRef x) const { return {x, mean, invStd, gamma.value, beta.value}; }
Refs Bn::folded(TensorRef x) const { return {x, scale, shift}; }

void Bn::stats(TensorRef x) {
  d.forward(Kernel::bn_stats, {x, prevMean, prevVar, mean, invStd, nextMean, nextVar},
            {eps, momentum});
}

void Bn::apply(TensorRef x, Activation act, TensorRef y) {
  Refs operands = inputs(x);
  operands.push_back(y);
  d.forward(Kernel::bn_apply, operands, {actAttr(act)});
}

void Bn::inference(TensorRef x, Activation act, TensorRef y) {
  Refs operands = folded(x);
  operands.push_back(y);
  d.inference(Kernel::bn_inf, operands, {actAttr(act)});
}

TensorRef Bn::applyAgain(TensorRef x, Activation act, const llvm::Twine &name, ImageShape shape) {
  TensorRef copy = d.trainingFeature(name, shape);
  Refs operands = inputs(x);
  operands.push_back(copy);
  d.backward(Kernel::bn_apply, operands, {actAttr(act)});
  return copy;
}

void Bn::rebuildOutput(TensorRef x, Activation act, const llvm::Twine &name) {
  if (!d.getContext().training)
    return;
  Refs operands = inputs(x);
  operands.push_back(d.trainingFeature(name, d.getContext().output));
  d.rebuildOutput(Kernel::bn_apply, operands, {actAttr(act)});
}

void Bn::backward(TensorRef dy, TensorRef x, Activation act, TensorRef dx) {
  Refs reduce = {dy};
  append(reduce, inputs(x));
  Refs apply = reduce;
  append(reduce, {gamma.grad, beta.grad});
  d.backward(Kernel::bn_bwd_reduce, reduce, {actAttr(act)});
  if (dx.kind == TensorRef::Absent)
    return;
  append(apply, {gamma.grad, beta.grad, dx});
  d.backward(Kernel::bn_bwd_apply, apply, {actAttr(act)});
}

//===----------------------------------------------------------------------===//
// Convolution with statistics
//===----------------------------------------------------------------------===//

ConvBn::ConvBn(LayerDescription &d, llvm::StringRef convPart, llvm::StringRef bnPart,
               ImageShape input, ConvAttr geometry, double eps, double momentum, bool zeroGamma)
    : conv(d, convPart, input, geometry),
      bn(d, bnPart, geometry.getOut(), eps, momentum, zeroGamma) {
  convGrad = d.gradient(convPart + ".output.grad", conv.shape);
}

void ConvBn::forward(TensorRef x) {
  Attrs attrs = convAttrs(conv.geometry);
  attrs.append({bn.eps, bn.momentum});
  conv.d.forward(Kernel::conv_stats_fwd,
                 {x, conv.weight.value, conv.bias.value, bn.prevMean, bn.prevVar, conv.y, bn.mean,
                  bn.invStd, bn.nextMean, bn.nextVar},
                 attrs);
}

void ConvBn::inference(TensorRef x, TensorRef shortcut, Activation act, TensorRef y) {
  Attrs attrs = convAttrs(conv.geometry);
  attrs.push_back(actAttr(act));
  conv.d.inference(Kernel::conv_inf,
                   {x, conv.weight.value, conv.bias.value, bn.scale, bn.shift, shortcut,
                    LayerDescription::named("folds"), y},
                   attrs);
}

//===----------------------------------------------------------------------===//
// Fully connected
//===----------------------------------------------------------------------===//

Fc::Fc(LayerDescription &d, llvm::StringRef part, ImageShape features, int64_t out, bool withBias)
    : d(d) {
  TensorDims dims = {out, features.h, features.w, features.c};
  double bound = 1.0 / std::sqrt(static_cast<double>(features.h) * features.w * features.c);
  weight =
      d.parameter(part, "weight", Region::WFcWeight, dims, ParamLayout::Fc, Init::Uniform, bound);
  if (withBias)
    bias = d.parameter(part, "bias", Region::WFcBias, {1, 1, 1, out}, ParamLayout::Vector,
                       Init::Uniform, bound);
}

void Fc::both(TensorRef x, TensorRef y) {
  d.both(Kernel::fc_fwd, {x, weight.value, bias.value, y});
}

void Fc::backward(TensorRef x, TensorRef dy, TensorRef dx) {
  d.backward(Kernel::fc_bwd_weight, {x, dy, weight.grad, bias.grad});
  if (dx.kind != TensorRef::Absent)
    d.backward(Kernel::fc_bwd_data, {dy, weight.value, dx});
}
