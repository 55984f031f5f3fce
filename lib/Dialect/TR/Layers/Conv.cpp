// SPDX-License-Identifier: Apache-2.0
//
// conv, group_conv and conv_dw: convolutions.
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static constexpr Param kConv[] = {kOut,      kKernel, kStride1,  kPad0,
                                  kDilation, kGroups, kConvBias, kPadEnd};
static constexpr Param kGroupConv[] = {
    kOut,   required("groups", ParamKind::Int), kKernel, kStride1, kPad0, kDilation, kConvBias,
    kPadEnd};
static constexpr Param kConvDw[] = {kKernel, kStride1, kPad0, kDilation, kConvBias, kPadEnd};

static Operation *buildConv(OpBuilder &builder, Location loc, const BoundCall &call) {
  ConvAttr geometry = makeConv(loc, call);
  return geometry ? bp::ConvOp::create(builder, loc, geometry, call.name).getOperation() : nullptr;
}

static Operation *buildConvDw(OpBuilder &builder, Location loc, const BoundCall &call) {
  FailureOr<Pads> pads = readPads(loc, call);
  if (failed(pads))
    return nullptr;
  auto pair = [](Dims2 dims) { return SmallVector<int64_t, 2>{dims.h, dims.w}; };
  return bp::ConvDwOp::create(builder, loc, pair(call["kernel"].dims), pair(call["stride"].dims),
                              pair(pads->before), pair(call["dilation"].dims), call["bias"].boolean,
                              pair(pads->more), call.name);
}

ArrayRef<Signature> bp::ConvOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"conv", kConv, "convolution", buildConv},
      {"group_conv", kGroupConv, "grouped convolution", buildConv},
  };
  return calls;
}

ArrayRef<Signature> bp::ConvDwOp::getSignatures() {
  static constexpr Signature calls[] = {{"conv_dw", kConvDw, "depthwise convolution", buildConvDw}};
  return calls;
}

//===----------------------------------------------------------------------===//
// The tree
//===----------------------------------------------------------------------===//

static LogicalResult checkPair(Operation *op, StringRef what, ArrayRef<int64_t> values,
                               int64_t least) {
  if (values.size() != 2)
    return op->emitOpError("expected 2 values for ") << what << ", but got " << values.size();
  for (int64_t value : values)
    if (value < least || value > kMostExtent)
      return op->emitOpError("expected ")
             << what << " in [" << least << ", " << kMostExtent << "], but got " << value;
  return success();
}

LogicalResult bp::ConvDwOp::verify() {
  if (failed(checkPair(*this, "kernel", getKernel(), 1)) ||
      failed(checkPair(*this, "stride", getStride(), 1)) ||
      failed(checkPair(*this, "pad", getPad(), 0)))
    return failure();
  if (failed(checkPair(*this, "dilation", getDilation(), 1)) ||
      failed(checkPair(*this, "more", getMore(), -kMostExtent)))
    return failure();
  SmallVector<int64_t, 2> end = {getPad()[0] + getMore()[0], getPad()[1] + getMore()[1]};
  return checkPair(*this, "pad + more", end, 0);
}

// The op's verifier has checked the geometry.
LogicalResult bp::ConvDwOp::expand(LayerChain &chain, const LayerSite &site) {
  auto dims = [](ArrayRef<int64_t> values) { return Dims2{values[0], values[1]}; };
  int64_t channels = chain.getShape().c;
  auto geometry =
      ConvAttr::get(getContext(), channels, dims(getKernel()), dims(getStride()), dims(getPad()),
                    dims(getDilation()), /*groups=*/channels, getBias(), dims(getMore()));
  return chain.append<arch::ConvOp>(site, getPartNames(), geometry);
}

//===----------------------------------------------------------------------===//
// The layer
//===----------------------------------------------------------------------===//

FailureOr<ImageShape> arch::ConvOp::inferOutputShape(Inputs inputs, Emit emitError) {
  return shapes::convolve(emitError, inputs.front(), getGeometry());
}

void arch::ConvOp::describe(LayerDescription &d) {
  units::Conv conv(d, getPath(), d.getInput(), getGeometry());
  d.setOutput(conv.y);
  conv.forward(d.input());
  conv.inference(d.input());
  conv.backward(d.input(), d.outputGrad(), d.wantedInputGrad());
}

FailureOr<Value> arch::ConvOp::lower(TensorBuilder &b, ValueRange inputs) {
  return b.convolve(getPath(), getGeometry(), inputs.front());
}
