// SPDX-License-Identifier: Apache-2.0
//
// fc, and gap_fc: fully connected layers.
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

static constexpr Param kFc[] = {kOut, kFcBias};

template <typename OpT>
static Operation *buildFc(OpBuilder &builder, Location loc, const BoundCall &call) {
  return OpT::create(builder, loc, call["out"].integer, call["bias"].boolean, call.name);
}

ArrayRef<Signature> bp::FcOp::getSignatures() {
  static constexpr Signature calls[] = {{"fc", kFc, "fully connected layer", buildFc<bp::FcOp>}};
  return calls;
}
ArrayRef<Signature> bp::GapFcOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"gap_fc", kFc, "global average pooling, then fc", buildFc<bp::GapFcOp>}};
  return calls;
}

LogicalResult bp::FcOp::verify() { return checkPositive(*this, "out features", getOut()); }
LogicalResult bp::GapFcOp::verify() { return checkPositive(*this, "out features", getOut()); }

LogicalResult bp::GapFcOp::expand(LayerChain &chain, const LayerSite &site) {
  if (chain.fuses())
    return chain.append<arch::GapFcOp>(site, getPartNames(), getOutAttr(), getBiasAttr());
  if (failed(chain.append<arch::GapOp>(site, {"gap"})))
    return failure();
  return chain.append<arch::FcOp>(site, getPartNames(), getOutAttr(), getBiasAttr());
}

LogicalResult arch::FcOp::checkFields(Emit emitError) {
  return shapes::checkRange(emitError, "out features", getOut());
}
LogicalResult arch::GapFcOp::checkFields(Emit emitError) {
  return shapes::checkRange(emitError, "out features", getOut());
}

FailureOr<ImageShape> arch::FcOp::inferOutputShape(Inputs, Emit) {
  return ImageShape{1, 1, static_cast<int64_t>(getOut())};
}
FailureOr<ImageShape> arch::GapFcOp::inferOutputShape(Inputs, Emit) {
  return ImageShape{1, 1, static_cast<int64_t>(getOut())};
}

void arch::FcOp::describe(LayerDescription &d) {
  units::Fc fc(d, getPath(), d.getContext().features, getOut(), getBias());
  TensorRef y = d.declareOutput(getPath());
  fc.forwardAndInference(d.input(), y);
  fc.backward(d.input(), d.outputGrad(), d.wantedInputGrad());
}

void arch::GapFcOp::describe(LayerDescription &d) {
  ImageShape pooled{1, 1, d.getInput().c};
  units::Fc fc(d, getPath(), pooled, getOut(), getBias());
  TensorRef mean = d.feature(getPath() + ".gap", pooled);
  TensorRef y = d.declareOutput(getPath());
  d.forwardAndInference(units::averageMaps(d.input(), mean));
  fc.forwardAndInference(mean, y);
  if (!d.needsInputGrad())
    return fc.backward(mean, d.outputGrad(), d.absent());
  TensorRef meanGrad = d.gradient(getPath() + ".gap.grad", pooled);
  fc.backward(mean, d.outputGrad(), meanGrad);
  d.backward(units::averageMapsBackward(meanGrad, d.inputGrad()));
}

FailureOr<Value> arch::FcOp::lower(TensorBuilder &b, ValueRange inputs) {
  return b.multiply(getPath(), getOut(), getBias(), inputs.front());
}
FailureOr<Value> arch::GapFcOp::lower(TensorBuilder &b, ValueRange inputs) {
  return b.multiply(getPath(), getOut(), getBias(), b.averageMaps(inputs.front()));
}
