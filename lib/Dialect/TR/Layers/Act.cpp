// SPDX-License-Identifier: Apache-2.0
//
// relu, relu6, tanh_act, silu, leaky_relu, hardswish, elu, sigmoid: activations.
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

template <Activation kind>
static Operation *buildAct(OpBuilder &builder, Location loc, const BoundCall &call) {
  return bp::ActOp::create(builder, loc, makeAct(builder, kind), call.name);
}

ArrayRef<Signature> bp::ActOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"relu", {}, "max(x, 0)", buildAct<Activation::ReLU>},
      {"relu6", {}, "min(max(x, 0), 6)", buildAct<Activation::ReLU6>},
      {"tanh_act", {}, "hyperbolic tangent", buildAct<Activation::Tanh>},
      {"silu", {}, "x * sigmoid(x)", buildAct<Activation::SiLU>},
      {"leaky_relu", {}, "x, or 0.01 x below 0", buildAct<Activation::LeakyReLU>},
      {"hardswish", {}, "x * relu6(x + 3) / 6", buildAct<Activation::Hardswish>},
      {"elu", {}, "x, or exp(x) - 1 below 0", buildAct<Activation::ELU>},
      {"sigmoid", {}, "1 / (1 + exp(-x))", buildAct<Activation::Sigmoid>},
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
