// SPDX-License-Identifier: Apache-2.0
//
// scale: a learned factor for each channel (Touvron et al. 2021).
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

static constexpr ParamRange kFactor = {0, 1e6};
static constexpr Param kScale[] = {optional("init", ParamKind::Real, "1", kFactor)};

static Operation *buildScale(OpBuilder &builder, Location loc, const BoundCall &call) {
  return bp::ScaleOp::create(builder, loc, makeReal(builder, call["init"]), call.name);
}

ArrayRef<Signature> bp::ScaleOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"scale", kScale, "a learned factor for each channel, which begins as init", buildScale}};
  return calls;
}

LogicalResult bp::ScaleOp::verify() {
  return checkFinite([&] { return emitOpError(); }, "init", getInit().convertToDouble());
}
LogicalResult arch::ScaleOp::checkFields(Emit emitError) {
  return checkFinite(emitError, "init", getInit().convertToDouble());
}
FailureOr<ImageShape> arch::ScaleOp::inferOutputShape(Inputs inputs, Emit) {
  return inputs.front();
}

void arch::ScaleOp::describe(LayerDescription &d) {
  LayerDescription::Parameter factor =
      d.parameter(getPath(), "weight", trf::Group::BnWeight, {1, 1, 1, d.getInput().c},
                  trf::ParamLayout::Vector, trf::Init::Constant, getInit().convertToDouble());
  namespace fwd = trf::ops::scale_fwd;
  auto apply = [&](TensorRef y) {
    return KernelCall(fwd::kOpcode,
                      {{fwd::x, d.input()}, {fwd::factor, factor.value}, {fwd::y, y}});
  };
  d.forwardAndInference(apply(d.declareOutput(getPath())));
  if (d.getContext().training && !d.getContext().first)
    d.recomputeOutput(apply(d.trainingFeature(getPath() + ".output.rebuilt", d.getOutput())));
  namespace bwd = trf::ops::scale_bwd;
  d.backward(KernelCall(bwd::kOpcode, {{bwd::dy, d.outputGrad()},
                                       {bwd::x, d.input()},
                                       {bwd::factor, factor.value},
                                       {bwd::dfactor, factor.grad},
                                       {bwd::dx, d.wantedInputGrad()}}));
}

FailureOr<Value> arch::ScaleOp::lower(TensorBuilder &b, ValueRange inputs) {
  return b.scaleChannels(getPath(), inputs.front());
}
