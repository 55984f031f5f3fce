// SPDX-License-Identifier: Apache-2.0
//
// layer_norm (Ba et al. 2016), of each pixel over its channels, and group_norm (Wu, He 2018). Their
// statistics are those of the sample, in training and in inference.
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;
using trf::Role;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static constexpr Param kAffine = named(optional("affine", ParamKind::Bool, "true"));
static constexpr Param kLayerNorm[] = {kEps, kAffine};
static constexpr Param kGroupNorm[] = {required("groups", ParamKind::Int), kEps, kAffine};

static Operation *buildLayerNorm(OpBuilder &builder, Location loc, const BoundCall &call) {
  return bp::LayerNormOp::create(builder, loc, makeReal(builder, call["eps"]),
                                 builder.getBoolAttr(call["affine"].boolean), call.name);
}
static Operation *buildGroupNorm(OpBuilder &builder, Location loc, const BoundCall &call) {
  return bp::GroupNormOp::create(builder, loc, builder.getI64IntegerAttr(call["groups"].integer),
                                 makeReal(builder, call["eps"]),
                                 builder.getBoolAttr(call["affine"].boolean), call.name);
}

ArrayRef<Signature> bp::LayerNormOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"layer_norm", kLayerNorm, "normalisation of each pixel over its channels", buildLayerNorm}};
  return calls;
}
ArrayRef<Signature> bp::GroupNormOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"group_norm", kGroupNorm,
       "normalisation of each sample over the map and a group of channels", buildGroupNorm}};
  return calls;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

template <typename OpT> static LogicalResult checkEps(Emit emitError, OpT op) {
  return params::checkNorm(emitError, op.getEps().convertToDouble(), /*momentum=*/0);
}

LogicalResult bp::LayerNormOp::verify() {
  return checkEps([&] { return emitOpError(); }, *this);
}
LogicalResult bp::GroupNormOp::verify() {
  if (failed(checkPositive(*this, "groups", getGroups())))
    return failure();
  return checkEps([&] { return emitOpError(); }, *this);
}

LogicalResult arch::LayerNormOp::checkFields(Emit emitError) { return checkEps(emitError, *this); }
LogicalResult arch::GroupNormOp::checkFields(Emit emitError) {
  return failure(failed(shapes::checkRange(emitError, "groups", getGroups())) ||
                 failed(checkEps(emitError, *this)));
}

FailureOr<ImageShape> arch::LayerNormOp::inferOutputShape(Inputs inputs, Emit) {
  return inputs.front();
}
FailureOr<ImageShape> arch::GroupNormOp::inferOutputShape(Inputs inputs, Emit emitError) {
  int64_t groups = getGroups(), channels = inputs.front().c;
  if (channels % groups != 0)
    return emitError() << "expected channels divisible by groups " << groups << ", but got "
                       << channels;
  return inputs.front();
}

//===----------------------------------------------------------------------===//
// Tensors and kernel ops
//===----------------------------------------------------------------------===//

namespace {

// What both have: parameters, the statistics that backward reads, and calls on them. The kernel ops
// of one differ from those of the other by name and by the attribute `groups`.
class Norm {
public:
  Norm(LayerDescription &d, StringRef part, bool affine, TensorDims statistics) : d(d) {
    TensorDims dims = {1, 1, 1, d.getInput().c};
    if (affine) {
      gamma = d.parameter(part, "weight", trf::Group::BnWeight, dims, trf::ParamLayout::Vector,
                          trf::Init::Ones, 0.0);
      beta = d.parameter(part, "bias", trf::Group::BnBias, dims, trf::ParamLayout::Vector,
                         trf::Init::Zeros, 0.0);
    }
    trf::DType dtype = trf::row(d.getContext().instance).statistic;
    mean = d.trainingTensor(part + ".mean", {Role::Temp}, dtype, statistics);
    invStd = d.trainingTensor(part + ".inv_std", {Role::Temp}, dtype, statistics);
  }

  // `makeForward(mean, invStd, y)` and `makeBackward(dx)` are the calls.
  template <typename Forward, typename Backward>
  void describe(StringRef path, Forward makeForward, Backward makeBackward) {
    TensorRef y = d.declareOutput(path);
    d.forward(makeForward(mean, invStd, y));
    d.inference(makeForward(d.absent(), d.absent(), y));
    TensorRef dx = d.wantedInputGrad();
    if (!dx && !gamma.value)
      return;
    if (d.getContext().training && !d.getContext().first)
      d.recomputeOutput(makeForward(d.absent(), d.absent(),
                                    d.trainingFeature(path + ".output.rebuilt", d.getOutput())));
    d.backward(makeBackward(dx));
  }

  LayerDescription &d;
  LayerDescription::Parameter gamma, beta;
  TensorRef mean, invStd;
};

} // namespace

void arch::LayerNormOp::describe(LayerDescription &d) {
  namespace fwd = trf::ops::layer_norm_fwd;
  namespace bwd = trf::ops::layer_norm_bwd;
  ImageShape in = d.getInput();
  Norm norm(d, getPath(), getAffine(), {d.getContext().batch, in.h, in.w, 1});
  auto forward = [&](TensorRef mean, TensorRef invStd, TensorRef y) {
    return KernelCall(fwd::kOpcode,
                      {{fwd::x, d.input()},
                       {fwd::gamma, norm.gamma.value},
                       {fwd::beta, norm.beta.value},
                       {fwd::mean, mean},
                       {fwd::inv_std, invStd},
                       {fwd::y, y}},
                      fwd::Attrs{getEps().convertToDouble()});
  };
  norm.describe(getPath(), forward, [&](TensorRef dx) {
    return KernelCall(bwd::kOpcode, {{bwd::dy, d.outputGrad()},
                                     {bwd::x, d.input()},
                                     {bwd::mean, norm.mean},
                                     {bwd::inv_std, norm.invStd},
                                     {bwd::gamma, norm.gamma.value},
                                     {bwd::dgamma, norm.gamma.grad},
                                     {bwd::dbeta, norm.beta.grad},
                                     {bwd::dx, dx}});
  });
}

void arch::GroupNormOp::describe(LayerDescription &d) {
  namespace fwd = trf::ops::group_norm_fwd;
  namespace bwd = trf::ops::group_norm_bwd;
  int64_t groups = getGroups();
  Norm norm(d, getPath(), getAffine(), {d.getContext().batch, 1, 1, groups});
  auto forward = [&](TensorRef mean, TensorRef invStd, TensorRef y) {
    return KernelCall(fwd::kOpcode,
                      {{fwd::x, d.input()},
                       {fwd::gamma, norm.gamma.value},
                       {fwd::beta, norm.beta.value},
                       {fwd::mean, mean},
                       {fwd::inv_std, invStd},
                       {fwd::y, y}},
                      fwd::Attrs{getEps().convertToDouble(), groups});
  };
  norm.describe(getPath(), forward, [&](TensorRef dx) {
    return KernelCall(bwd::kOpcode,
                      {{bwd::dy, d.outputGrad()},
                       {bwd::x, d.input()},
                       {bwd::mean, norm.mean},
                       {bwd::inv_std, norm.invStd},
                       {bwd::gamma, norm.gamma.value},
                       {bwd::dgamma, norm.gamma.grad},
                       {bwd::dbeta, norm.beta.grad},
                       {bwd::dx, dx}},
                      bwd::Attrs{groups});
  });
}

FailureOr<Value> arch::LayerNormOp::lower(TensorBuilder &b, ValueRange inputs) {
  return b.normalisePixels(getPath(), getEps().convertToDouble(), getAffine(), inputs.front());
}
FailureOr<Value> arch::GroupNormOp::lower(TensorBuilder &b, ValueRange inputs) {
  return b.normaliseGroups(getPath(), static_cast<int64_t>(getGroups()), getEps().convertToDouble(),
                           getAffine(), inputs.front());
}
