// SPDX-License-Identifier: Apache-2.0
//
// cbr and cbrp: convolution, batch normalisation, activation, and pooling.
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static constexpr Param kCbr[] = {kOut,      kKernel, kStride1,  kPad0, kMomentum, kEps,
                                 kDilation, kGroups, kConvBias, kAct,  kPadEnd};
static constexpr Param kCbrp[] = {kOut,
                                  kKernel,
                                  kStride,
                                  kPad,
                                  required("pool_kernel", ParamKind::Dims),
                                  required("pool_stride", ParamKind::Dims),
                                  required("pool_pad", ParamKind::Dims, kNotNegative),
                                  named(kMomentum),
                                  named(kEps),
                                  kDilation,
                                  kGroups,
                                  kConvBias,
                                  kAct,
                                  kPadEnd};

static Operation *buildCbr(OpBuilder &builder, Location loc, const BoundCall &call) {
  ConvAttr geometry = makeConv(loc, call);
  if (!geometry)
    return nullptr;
  return bp::CbrOp::create(builder, loc, geometry, makeReal(builder, call["eps"]),
                           makeReal(builder, call["momentum"]),
                           makeAct(builder, call["act"].activation), call.name);
}

static Operation *buildCbrp(OpBuilder &builder, Location loc, const BoundCall &call) {
  ConvAttr geometry = makeConv(loc, call);
  PoolAttr window =
      makePool(loc, call["pool_kernel"].dims, call["pool_stride"].dims, call["pool_pad"].dims);
  if (!geometry || !window)
    return nullptr;
  return bp::CbrpOp::create(builder, loc, geometry, makeReal(builder, call["eps"]),
                            makeReal(builder, call["momentum"]),
                            makeAct(builder, call["act"].activation), window, call.name);
}

ArrayRef<Signature> bp::CbrOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"cbr", kCbr, "convolution, batch normalisation, activation", buildCbr},
      {"conv_bn_relu", kCbr, "the same as cbr", buildCbr},
  };
  return calls;
}
ArrayRef<Signature> bp::CbrpOp::getSignatures() {
  static constexpr Signature calls[] = {{"cbrp", kCbrp, "cbr, then maximum pooling", buildCbrp}};
  return calls;
}

//===----------------------------------------------------------------------===//
// The tree
//===----------------------------------------------------------------------===//

LogicalResult bp::CbrOp::verify() {
  return shapes::checkNorm([&] { return emitOpError(); }, *this);
}
LogicalResult bp::CbrpOp::verify() {
  return shapes::checkNorm([&] { return emitOpError(); }, *this);
}

// cbr and cbrp share everything but the pooling.
template <typename OpT>
static LogicalResult expandUnfused(LayerChain &chain, OpT op, const LayerSite &site) {
  return failure(
      failed(chain.append<arch::ConvOp>(site, {"conv"}, op.getGeometryAttr())) ||
      failed(chain.append<arch::BnOp>(site, {"bn"}, op.getEpsAttr(), op.getMomentumAttr())) ||
      failed(chain.append<arch::ActOp>(site, {"act"}, op.getActAttr())));
}

LogicalResult bp::CbrOp::expand(LayerChain &chain, const LayerSite &site) {
  if (!chain.fuses())
    return expandUnfused(chain, *this, site);
  return tr::detail::expandAlike(*this, chain, site);
}

LogicalResult bp::CbrpOp::expand(LayerChain &chain, const LayerSite &site) {
  if (chain.fuses())
    return tr::detail::expandAlike(*this, chain, site);
  if (failed(expandUnfused(chain, *this, site)))
    return failure();
  return chain.append<arch::MaxPoolOp>(site, {"pool"}, getWindowAttr());
}

//===----------------------------------------------------------------------===//
// The layers
//===----------------------------------------------------------------------===//

LogicalResult arch::CbrOp::checkFields(Emit emitError) {
  return shapes::checkNorm(emitError, *this);
}
LogicalResult arch::CbrpOp::checkFields(Emit emitError) {
  return shapes::checkNorm(emitError, *this);
}

FailureOr<ImageShape> arch::CbrOp::inferOutputShape(Inputs inputs, Emit emitError) {
  return shapes::convolve(emitError, inputs.front(), getGeometry());
}

FailureOr<ImageShape> arch::CbrpOp::inferOutputShape(Inputs inputs, Emit emitError) {
  FailureOr<ImageShape> out = shapes::convolve(emitError, inputs.front(), getGeometry());
  return failed(out) ? out : shapes::pool(emitError, *out, getWindow());
}

void arch::CbrOp::describe(LayerDescription &d) {
  const LayerContext &context = d.getContext();
  bool zeroGamma = context.zeroGamma && context.endsResidualStem && getAct() == Activation::None;
  StringRef bnPart = units::partOf(getParts(), 1);
  units::ConvBn unit(d, units::partOf(getParts(), 0), bnPart, d.getInput(), getGeometry(),
                     getEps().convertToDouble(), getMomentum().convertToDouble(), zeroGamma);
  TensorRef y = d.declareOutput(bnPart);
  unit.forward(d.input());
  unit.bn.apply(unit.conv.y, getAct(), y);
  unit.inference(d.input(), d.absent(), getAct(), y);
  unit.bn.recomputeOutput(unit.conv.y, getAct(), bnPart + ".output.rebuilt");
  unit.backward(d.input(), d.outputGrad(), getAct(), d.wantedInputGrad());
}

void arch::CbrpOp::describe(LayerDescription &d) {
  const LayerContext &context = d.getContext();
  StringRef bnPart = units::partOf(getParts(), 1);
  units::ConvBn unit(d, units::partOf(getParts(), 0), bnPart, d.getInput(), getGeometry(),
                     getEps().convertToDouble(), getMomentum().convertToDouble());
  TensorRef y = d.declareOutput(bnPart);
  ImageShape shape = d.getOutput();
  TensorRef index =
      d.trainingTensor(bnPart + ".index", {trf::Role::Mask}, units::indexType(getWindow()),
                       {context.batch, shape.h, shape.w, shape.c});
  TensorRef poolGrad = d.gradient(bnPart + ".pool.grad", unit.conv.shape);

  unit.forward(d.input());
  unit.conv.inference(d.input());
  namespace fwd = trf::ops::bn_apply_pool;
  auto training = units::withMaxWindow<fwd::Attrs>(getWindow());
  training.act = getAct();
  d.forward(KernelCall(fwd::kOpcode,
                       {{fwd::x, unit.conv.y},
                        {fwd::mean, unit.bn.mean},
                        {fwd::inv_std, unit.bn.invStd},
                        {fwd::gamma, unit.bn.gamma.value},
                        {fwd::beta, unit.bn.beta.value},
                        {fwd::y, y},
                        {fwd::index, index}},
                       training));
  namespace inf = trf::ops::bn_inf_pool;
  auto folded = units::withMaxWindow<inf::Attrs>(getWindow());
  folded.act = getAct();
  d.inference(KernelCall(
      inf::kOpcode,
      {{inf::x, unit.conv.y}, {inf::scale, unit.bn.scale}, {inf::bias, unit.bn.shift}, {inf::y, y}},
      folded));
  namespace bwd = trf::ops::maxpool_bwd;
  d.backward(KernelCall(bwd::kOpcode,
                        {{bwd::dy, d.outputGrad()}, {bwd::index, index}, {bwd::dx, poolGrad}},
                        units::withMaxWindow<bwd::Attrs>(getWindow())));
  unit.backward(d.input(), poolGrad, getAct(), d.wantedInputGrad());
}

template <typename OpT> static Value lowerCbr(TensorBuilder &b, OpT op, Value x) {
  Value y = b.convolve(units::partOf(op.getParts(), 0), op.getGeometry(), x);
  y = b.normalise(units::partOf(op.getParts(), 1), op.getEps().convertToDouble(),
                  /*affine=*/true, y);
  return b.activate(op.getAct(), y);
}
FailureOr<Value> arch::CbrOp::lower(TensorBuilder &b, ValueRange inputs) {
  return lowerCbr(b, *this, inputs.front());
}
FailureOr<Value> arch::CbrpOp::lower(TensorBuilder &b, ValueRange inputs) {
  return b.poolMax(getWindow(), lowerCbr(b, *this, inputs.front()));
}
