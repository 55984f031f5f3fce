// SPDX-License-Identifier: Apache-2.0
//
// mul2: the product of two branches, such as a map and its gate (Hu et al. 2017).
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

static constexpr Param kMul2[] = {required("a", ParamKind::Layer), required("b", ParamKind::Layer)};

static Operation *buildMul2(OpBuilder &builder, Location loc, const BoundCall &call) {
  auto op = bp::Mul2Op::create(builder, loc, call.name);
  op.getA().emplaceBlock();
  op.getB().emplaceBlock();
  return op;
}

ArrayRef<Signature> bp::Mul2Op::getSignatures() {
  static constexpr Signature calls[] = {
      {"mul2", kMul2, "product of two branches, either 1x1xC or seq(), the input", buildMul2}};
  return calls;
}

static bool isSpread(ImageShape shape) { return shape.h == 1 && shape.w == 1; }

FailureOr<ImageShape> arch::Mul2Op::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape a = inputs[0], b = inputs[1];
  if (a.c == b.c && ((a.h == b.h && a.w == b.w) || isSpread(a) || isSpread(b)))
    return isSpread(a) ? b : a;
  return emitError() << "expected branches of equal shape, or one of them 1x1xC, but got a "
                     << toString(a) << " and b " << toString(b);
}

void arch::Mul2Op::describe(LayerDescription &d) {
  namespace fwd = trf::ops::mul_fwd;
  namespace bwd = trf::ops::mul_bwd;
  auto multiply = [&](TensorRef y) {
    return KernelCall(fwd::kOpcode, {{fwd::a, d.input(0)}, {fwd::b, d.input(1)}, {fwd::y, y}});
  };
  d.forwardAndInference(multiply(d.declareOutput(getPath())));
  if (!d.needsInputGrad(0) && !d.needsInputGrad(1))
    return;
  d.recomputeOutput(multiply(d.trainingFeature(getPath() + ".output.rebuilt", d.getOutput())));
  d.backward(KernelCall(bwd::kOpcode, {{bwd::dy, d.outputGrad()},
                                       {bwd::a, d.input(0)},
                                       {bwd::b, d.input(1)},
                                       {bwd::da, d.wantedInputGrad(0)},
                                       {bwd::db, d.wantedInputGrad(1)}}));
}

FailureOr<Value> arch::Mul2Op::lower(TensorBuilder &b, ValueRange inputs) {
  return b.scale(inputs[0], inputs[1]);
}
