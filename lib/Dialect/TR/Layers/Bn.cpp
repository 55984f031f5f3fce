// SPDX-License-Identifier: Apache-2.0
//
// bn: batch normalisation, of feature maps or of features.
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

static constexpr llvm::StringLiteral kMomentumWords[] = {"cumulative"};
static constexpr Param kBn[] = {
    {"momentum", ParamKind::Real, "0.1", {0, 1}, /*namedOnly=*/false, kMomentumWords},
    kEps,
    named(optional("affine", ParamKind::Bool, "true"))};

// Cumulative statistics are made of those that momentum 1 gives.
static Operation *buildBn(OpBuilder &builder, Location loc, const BoundCall &call) {
  bool cumulative = !call["momentum"].word.empty();
  auto flag = [&](bool set) { return set ? builder.getUnitAttr() : UnitAttr(); };
  return bp::BnOp::create(builder, loc, makeReal(builder, call["eps"]),
                          cumulative ? builder.getF64FloatAttr(1)
                                     : makeReal(builder, call["momentum"]),
                          flag(!call["affine"].boolean), flag(cumulative), call.name);
}

ArrayRef<Signature> bp::BnOp::getSignatures() {
  static constexpr Signature calls[] = {{"bn", kBn, "batch normalisation", buildBn}};
  return calls;
}

template <typename OpT> static LogicalResult checkBn(Emit emitError, OpT op) {
  if (failed(shapes::checkNorm(emitError, op)))
    return failure();
  if (op.getCumulative() && op.getMomentum().convertToDouble() != 1)
    return emitError() << "expected momentum 1 beside cumulative, but got "
                       << op.getMomentum().convertToDouble();
  return success();
}

LogicalResult bp::BnOp::verify() {
  return checkBn([&] { return emitOpError(); }, *this);
}

LogicalResult arch::BnOp::checkFields(Emit emitError) { return checkBn(emitError, *this); }
LogicalResult arch::Bn1dOp::checkFields(Emit emitError) { return checkBn(emitError, *this); }
LogicalResult arch::Bn2dOp::checkFields(Emit emitError) { return checkBn(emitError, *this); }

FailureOr<ImageShape> arch::BnOp::inferOutputShape(Inputs inputs, Emit) { return inputs.front(); }
FailureOr<ImageShape> arch::Bn1dOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  if (in.h != 1 || in.w != 1)
    return emitError() << "expected a 1x1xC input, but got " << toString(in);
  return in;
}
FailureOr<ImageShape> arch::Bn2dOp::inferOutputShape(Inputs inputs, Emit) { return inputs.front(); }

template <typename OpT> static void describeBn(LayerDescription &d, OpT op) {
  const LayerContext &context = d.getContext();
  StringRef path = op.getPath();
  units::BnOptions options;
  options.zeroGamma = context.zeroGamma && context.endsResidualStem;
  options.affine = !op.getPlain();
  options.cumulative = op.getCumulative();
  units::Bn bn(d, path, d.getInput().c, op.getEps().convertToDouble(),
               op.getMomentum().convertToDouble(), options);
  TensorRef y = d.declareOutput(path);
  bn.stats(d.input());
  bn.apply(d.input(), Activation::None, y);
  bn.inference(d.input(), Activation::None, y);
  if (!context.first)
    bn.recomputeOutput(d.input(), Activation::None, path + ".output.rebuilt");
  bn.backward(d.outputGrad(), d.input(), Activation::None, d.wantedInputGrad());
}

void arch::BnOp::describe(LayerDescription &d) { describeBn(d, *this); }
void arch::Bn1dOp::describe(LayerDescription &d) { describeBn(d, *this); }
void arch::Bn2dOp::describe(LayerDescription &d) { describeBn(d, *this); }

template <typename OpT> static Value lowerBn(TensorBuilder &b, OpT op, ValueRange inputs) {
  return b.normalise(op.getPath(), op.getEps().convertToDouble(), !op.getPlain(), inputs.front());
}
FailureOr<Value> arch::BnOp::lower(TensorBuilder &b, ValueRange inputs) {
  return lowerBn(b, *this, inputs);
}
FailureOr<Value> arch::Bn1dOp::lower(TensorBuilder &b, ValueRange inputs) {
  return lowerBn(b, *this, inputs);
}
FailureOr<Value> arch::Bn2dOp::lower(TensorBuilder &b, ValueRange inputs) {
  return lowerBn(b, *this, inputs);
}
