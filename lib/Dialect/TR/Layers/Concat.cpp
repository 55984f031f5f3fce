// SPDX-License-Identifier: Apache-2.0
//
// concat: branches side by side along the channels (Szegedy et al. 2014, Huang et al. 2016).
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

static constexpr Param kConcat[] = {required("branches", ParamKind::Layers)};

static Operation *buildConcat(OpBuilder &builder, Location loc, const BoundCall &call) {
  if (call.layers == 0) {
    emitError(loc) << "expected at least one branch in concat(), but got none";
    return nullptr;
  }
  auto op = bp::ConcatOp::create(builder, loc, call.name, call.layers);
  for (Region &branch : op.getPieces())
    branch.emplaceBlock();
  return op;
}

ArrayRef<Signature> bp::ConcatOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"concat", kConcat, "branches side by side along the channels; one may be seq(), the input",
       buildConcat}};
  return calls;
}

FailureOr<ImageShape> arch::ConcatOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape shape = inputs.front();
  for (auto [index, input] : llvm::enumerate(inputs.drop_front())) {
    if (input.h != shape.h || input.w != shape.w)
      return emitError() << "expected branches of equal height and width, but got branch 0 "
                         << toString(inputs.front()) << " and branch " << index + 1 << " "
                         << toString(input);
    shape.c += input.c;
  }
  return shape;
}

void arch::ConcatOp::describe(LayerDescription &d) {
  d.declareOutput(getPath());
  d.joinChannels();
}

FailureOr<Value> arch::ConcatOp::lower(TensorBuilder &b, ValueRange inputs) {
  return b.concatenate(inputs);
}
