// SPDX-License-Identifier: Apache-2.0
//
// dropout, dropout2d and stochastic_depth: inverted dropout (Srivastava et al. 2014) of elements,
// of channels (Tompson et al. 2014) and of samples (Huang et al. 2016), which training alone has.
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

static constexpr Param kDropout[] = {required("p", ParamKind::Real, {0, 1, false, true})};

template <typename OpT>
static Operation *buildDropout(OpBuilder &builder, Location loc, const BoundCall &call) {
  return OpT::create(builder, loc, makeReal(builder, call["p"]), call.name);
}

ArrayRef<Signature> bp::DropoutOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"dropout", kDropout, "zeroes with probability p in training", buildDropout<bp::DropoutOp>}};
  return calls;
}
ArrayRef<Signature> bp::Dropout2dOp::getSignatures() {
  static constexpr Signature calls[] = {{"dropout2d", kDropout,
                                         "zeroes whole channels of a sample with probability p in "
                                         "training",
                                         buildDropout<bp::Dropout2dOp>}};
  return calls;
}
ArrayRef<Signature> bp::StochasticDepthOp::getSignatures() {
  static constexpr Signature calls[] = {{"stochastic_depth", kDropout,
                                         "zeroes whole samples with probability p in training",
                                         buildDropout<bp::StochasticDepthOp>}};
  return calls;
}

template <typename OpT> static LogicalResult checkProbability(Emit emitError, OpT op) {
  double p = op.getP().convertToDouble();
  if (!(p >= 0 && p < 1))
    return emitError() << "expected p in [0, 1), but got " << p;
  return success();
}

LogicalResult bp::DropoutOp::verify() {
  return checkProbability([&] { return emitOpError(); }, *this);
}
LogicalResult bp::Dropout2dOp::verify() {
  return checkProbability([&] { return emitOpError(); }, *this);
}
LogicalResult bp::StochasticDepthOp::verify() {
  return checkProbability([&] { return emitOpError(); }, *this);
}

LogicalResult arch::DropoutOp::checkFields(Emit emitError) {
  return checkProbability(emitError, *this);
}

FailureOr<ImageShape> arch::DropoutOp::inferOutputShape(Inputs inputs, Emit) {
  return inputs.front();
}
LogicalResult arch::Dropout2dOp::checkFields(Emit emitError) {
  return checkProbability(emitError, *this);
}
FailureOr<ImageShape> arch::Dropout2dOp::inferOutputShape(Inputs inputs, Emit) {
  return inputs.front();
}
LogicalResult arch::StochasticDepthOp::checkFields(Emit emitError) {
  return checkProbability(emitError, *this);
}
FailureOr<ImageShape> arch::StochasticDepthOp::inferOutputShape(Inputs inputs, Emit) {
  return inputs.front();
}

// Inference passes the input on: no kernel op and no tensor of its own.
void arch::DropoutOp::describe(LayerDescription &d) {
  const LayerContext &context = d.getContext();
  double p = getP().convertToDouble();
  d.setOutput(d.input());
  if (!context.training)
    return;
  TensorRef y = d.declareOutput(getPath());
  d.setInferenceOutput(d.input());
  d.setRandom();
  ImageShape shape = d.getInput();
  TensorRef mask = d.tensor(getPath() + ".mask", {trf::Role::Mask}, trf::DType::U8,
                            {context.batch, shape.h, shape.w, shape.c});
  namespace fwd = trf::ops::dropout_fwd;
  d.forward(KernelCall(fwd::kOpcode,
                       {{fwd::x, d.input()},
                        {fwd::seed, d.shared(trf::SharedTensor::Seed)},
                        {fwd::step, d.shared(trf::SharedTensor::Step)},
                        {fwd::y, y},
                        {fwd::mask, mask}},
                       fwd::Attrs{p, int64_t{context.index}}));
  namespace bwd = trf::ops::dropout_bwd;
  if (d.needsInputGrad())
    d.backward(KernelCall(bwd::kOpcode,
                          {{bwd::dy, d.outputGrad()}, {bwd::mask, mask}, {bwd::dx, d.inputGrad()}},
                          bwd::Attrs{p}));
}

// A factor for each channel of a sample, drawn for each or for all of them: gradients are
// multiplied by it as values are.
static void describeMasked(LayerDescription &d, StringRef path, double p, bool perChannel) {
  const LayerContext &context = d.getContext();
  d.setOutput(d.input());
  if (!context.training)
    return;
  TensorRef y = d.declareOutput(path);
  d.setInferenceOutput(d.input());
  d.setRandom();
  TensorRef mask =
      d.tensor(path + ".mask", {trf::Role::Temp}, trf::row(context.instance).activation,
               {context.batch, 1, 1, d.getInput().c});
  namespace draw = trf::ops::drop_mask;
  d.forward(KernelCall(draw::kOpcode,
                       {{draw::seed, d.shared(trf::SharedTensor::Seed)},
                        {draw::step, d.shared(trf::SharedTensor::Step)},
                        {draw::mask, mask}},
                       draw::Attrs{p, int64_t{context.index}, perChannel}));
  namespace op = trf::ops::mul_fwd;
  auto multiply = [&](TensorRef from, TensorRef to) {
    return KernelCall(op::kOpcode, {{op::a, from}, {op::b, mask}, {op::y, to}});
  };
  d.forward(multiply(d.input(), y));
  if (d.needsInputGrad())
    d.backward(multiply(d.outputGrad(), d.inputGrad()));
}

void arch::Dropout2dOp::describe(LayerDescription &d) {
  describeMasked(d, getPath(), getP().convertToDouble(), /*perChannel=*/true);
}
void arch::StochasticDepthOp::describe(LayerDescription &d) {
  describeMasked(d, getPath(), getP().convertToDouble(), /*perChannel=*/false);
}

FailureOr<Value> arch::Dropout2dOp::lower(TensorBuilder &, ValueRange inputs) {
  return inputs.front();
}
FailureOr<Value> arch::StochasticDepthOp::lower(TensorBuilder &, ValueRange inputs) {
  return inputs.front();
}
FailureOr<Value> arch::DropoutOp::lower(TensorBuilder &, ValueRange inputs) {
  return inputs.front();
}
