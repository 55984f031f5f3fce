// SPDX-License-Identifier: Apache-2.0
//
// prelu: a learned slope below 0 (He et al. 2015).
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

static constexpr ParamRange kParameter = {0, trf::kMostActParameter};
static constexpr Param kPRelu[] = {named(optional("shared", ParamKind::Bool, "false")),
                                   named(optional("init", ParamKind::Real, "0.25", kParameter))};

static Operation *buildPRelu(OpBuilder &builder, Location loc, const BoundCall &call) {
  return bp::PReluOp::create(builder, loc, builder.getBoolAttr(call["shared"].boolean),
                             makeReal(builder, call["init"]), call.name);
}

ArrayRef<Signature> bp::PReluOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"prelu", kPRelu, "x, or below 0 a learned slope times x, for each channel or one for all",
       buildPRelu}};
  return calls;
}

LogicalResult bp::PReluOp::verify() {
  return checkFinite([&] { return emitOpError(); }, "init", getInit().convertToDouble());
}
LogicalResult arch::PReluOp::checkFields(Emit emitError) {
  return checkFinite(emitError, "init", getInit().convertToDouble());
}
FailureOr<ImageShape> arch::PReluOp::inferOutputShape(Inputs inputs, Emit) {
  return inputs.front();
}

void arch::PReluOp::describe(LayerDescription &d) {
  int64_t count = getShared() ? 1 : d.getInput().c;
  LayerDescription::Parameter slope =
      d.parameter(getPath(), "weight", trf::Group::BnWeight, {1, 1, 1, count},
                  trf::ParamLayout::Vector, trf::Init::Constant, getInit().convertToDouble());
  namespace fwd = trf::ops::prelu_fwd;
  auto apply = [&](TensorRef y) {
    return KernelCall(fwd::kOpcode, {{fwd::x, d.input()}, {fwd::slope, slope.value}, {fwd::y, y}});
  };
  d.forwardAndInference(apply(d.declareOutput(getPath())));
  if (d.getContext().training && !d.getContext().first)
    d.recomputeOutput(apply(d.trainingFeature(getPath() + ".output.rebuilt", d.getOutput())));
  namespace bwd = trf::ops::prelu_bwd;
  d.backward(KernelCall(bwd::kOpcode, {{bwd::dy, d.outputGrad()},
                                       {bwd::x, d.input()},
                                       {bwd::slope, slope.value},
                                       {bwd::dslope, slope.grad},
                                       {bwd::dx, d.wantedInputGrad()}}));
}

FailureOr<Value> arch::PReluOp::lower(TensorBuilder &b, ValueRange inputs) {
  return b.activateBySlopes(getPath(), getShared(), inputs.front());
}
