// SPDX-License-Identifier: Apache-2.0
//
// Activations: relu, tanh_act, gelu and the others of the table.
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

// The parameter as the row of the activation calls it.
template <Activation kind> static Act actOf(const BoundCall &call) {
  const ArgumentValue *value = call.find(toRef(trf::row(kind).parameter));
  return value ? Act(kind, static_cast<float>(value->real)) : Act(kind);
}
static Act geluOf(const BoundCall &call) {
  return call["approximate"].word == "tanh" ? Activation::GELUTanh : Activation::GELU;
}

template <Act (*which)(const BoundCall &)>
static Operation *buildAct(OpBuilder &builder, Location loc, const BoundCall &call) {
  return bp::ActOp::create(builder, loc, makeAct(builder, which(call)), call.name);
}

template <Act (*which)(const BoundCall &)>
static constexpr Signature makeSignature(llvm::StringLiteral name, ArrayRef<Param> params,
                                         llvm::StringLiteral summary) {
  return {name, params, summary, buildAct<which>, nullptr, which};
}

static constexpr ParamRange kParameter = {0, trf::kMostActParameter};
static constexpr Param kSlope[] = {optional("slope", ParamKind::Real, "0.01", kParameter)};
static constexpr Param kAlpha[] = {optional("alpha", ParamKind::Real, "1", kParameter)};
static constexpr llvm::StringLiteral kApproximations[] = {"none", "tanh"};
static constexpr Param kGelu[] = {
    {"approximate", ParamKind::Word, "none", {}, /*namedOnly=*/true, kApproximations}};

ArrayRef<Signature> bp::ActOp::getSignatures() {
  static constexpr Signature calls[] = {
      makeSignature<actOf<Activation::ReLU>>("relu", {}, "max(x, 0)"),
      makeSignature<actOf<Activation::ReLU6>>("relu6", {}, "min(max(x, 0), 6)"),
      makeSignature<actOf<Activation::Tanh>>("tanh_act", {}, "hyperbolic tangent"),
      makeSignature<actOf<Activation::SiLU>>("silu", {}, "x * sigmoid(x)"),
      makeSignature<actOf<Activation::LeakyReLU>>("leaky_relu", kSlope, "x, or slope * x below 0"),
      makeSignature<actOf<Activation::Hardswish>>("hardswish", {}, "x * relu6(x + 3) / 6"),
      makeSignature<actOf<Activation::ELU>>("elu", kAlpha, "x, or alpha * (exp(x) - 1) below 0"),
      makeSignature<actOf<Activation::Sigmoid>>("sigmoid", {}, "1 / (1 + exp(-x))"),
      makeSignature<geluOf>("gelu", kGelu, "x * the normal distribution's function of x"),
      makeSignature<actOf<Activation::Hardsigmoid>>("hardsigmoid", {}, "relu6(x + 3) / 6"),
      makeSignature<actOf<Activation::Mish>>("mish", {}, "x * tanh(softplus(x))"),
      makeSignature<actOf<Activation::Softplus>>("softplus", {}, "log(1 + exp(x))"),
  };
  return calls;
}

FailureOr<ImageShape> arch::ActOp::inferOutputShape(Inputs inputs, Emit) { return inputs.front(); }

void arch::ActOp::describe(LayerDescription &d) {
  namespace fwd = trf::ops::act_fwd;
  namespace bwd = trf::ops::act_bwd;
  auto apply = [&](TensorRef y) {
    return KernelCall(fwd::kOpcode, {{fwd::x, d.input()}, {fwd::y, y}}, fwd::Attrs{getKind()});
  };
  d.forwardAndInference(apply(d.declareOutput(getPath())));
  if (!d.needsInputGrad())
    return;
  d.recomputeOutput(apply(d.trainingFeature(getPath() + ".output.rebuilt", d.getOutput())));
  d.backward(KernelCall(bwd::kOpcode,
                        {{bwd::dy, d.outputGrad()}, {bwd::x, d.input()}, {bwd::dx, d.inputGrad()}},
                        bwd::Attrs{getKind()}));
}

FailureOr<Value> arch::ActOp::lower(TensorBuilder &b, ValueRange inputs) {
  return b.activate(getKind(), inputs.front());
}
