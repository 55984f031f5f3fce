// SPDX-License-Identifier: Apache-2.0
//
// add2: the sum of a shortcut and a stem.
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

static constexpr Param kAdd2[] = {required("shortcut", ParamKind::Layer),
                                  required("stem", ParamKind::Layer)};

static Operation *buildAdd2(OpBuilder &builder, Location loc, const BoundCall &call) {
  auto op = bp::Add2Op::create(builder, loc, call.name);
  op.getShortcut().emplaceBlock();
  op.getStem().emplaceBlock();
  return op;
}

ArrayRef<Signature> bp::Add2Op::getSignatures() {
  static constexpr Signature calls[] = {
      {"add2", kAdd2, "sum of two branches; the shortcut may be seq()", buildAdd2}};
  return calls;
}

// The stem first, as in fused blocks, so that parameters have one order.
SmallVector<Region *, 4> arch::Add2Op::getBranches() { return {&getStem(), &getShortcut()}; }

std::string arch::Add2Op::getBranchName(Region *branch) {
  return branch == &getStem() ? "the stem" : "the shortcut";
}

FailureOr<ImageShape> arch::Add2Op::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape stem = inputs[0], shortcut = inputs[1];
  if (stem == shortcut)
    return stem;
  return emitError() << "expected stem and shortcut of equal shape, but got stem " << toString(stem)
                     << " and shortcut " << toString(shortcut);
}

// The gradient of a sum is that of both branches.
void arch::Add2Op::describe(LayerDescription &d) {
  namespace op = trf::ops::add_fwd;
  d.passGradient();
  d.forwardAndInference(KernelCall(
      op::kOpcode, {{op::a, d.input(0)}, {op::b, d.input(1)}, {op::y, d.declareOutput(getPath())}},
      op::Attrs{Activation::None}));
}

FailureOr<Value> arch::Add2Op::lower(TensorBuilder &b, ValueRange inputs) {
  return b.add(inputs[0], inputs[1]);
}
