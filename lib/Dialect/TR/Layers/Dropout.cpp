// SPDX-License-Identifier: Apache-2.0
//
// dropout: inverted dropout (Srivastava et al. 2014), which training alone has.
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

static constexpr Param kDropout[] = {required("p", ParamKind::Real, {0, 1, false, true})};

static Operation *buildDropout(OpBuilder &builder, Location loc, const BoundCall &call) {
  return bp::DropoutOp::create(builder, loc, makeReal(builder, call["p"]), call.name);
}

ArrayRef<Signature> bp::DropoutOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"dropout", kDropout, "zeroes with probability p in training", buildDropout}};
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

LogicalResult arch::DropoutOp::checkFields(Emit emitError) {
  return checkProbability(emitError, *this);
}

FailureOr<ImageShape> arch::DropoutOp::inferOutputShape(Inputs inputs, Emit) {
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

FailureOr<Value> arch::DropoutOp::lower(TensorBuilder &, ValueRange inputs) {
  return inputs.front();
}
