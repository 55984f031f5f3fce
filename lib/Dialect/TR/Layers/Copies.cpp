// SPDX-License-Identifier: Apache-2.0
//
// flatten and identity: the same elements in the same order.
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

static constexpr Param kFlatten[] = {optional("start_dim", ParamKind::Int, "1", {1, 1})};

static Operation *buildFlatten(OpBuilder &builder, Location loc, const BoundCall &call) {
  return bp::FlattenOp::create(builder, loc, call["start_dim"].integer, call.name);
}

ArrayRef<Signature> bp::FlattenOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"flatten", kFlatten, "HxWxC to 1x1x(H*W*C)", buildFlatten}};
  return calls;
}

ArrayRef<Signature> bp::IdentityOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"identity", {}, "passes its input on", buildPlain<bp::IdentityOp>}};
  return calls;
}

LogicalResult bp::FlattenOp::verify() {
  if (getStartDim() != 1)
    return emitOpError("expected start_dim 1 (the batch stays), but got ") << getStartDim();
  return success();
}

LogicalResult bp::FlattenOp::expand(LayerChain &chain, const LayerSite &site) {
  return chain.append<arch::FlattenOp>(site, getPartNames());
}

FailureOr<ImageShape> arch::FlattenOp::inferOutputShape(Inputs inputs, Emit) {
  ImageShape in = inputs.front();
  return ImageShape{1, 1, in.h * in.w * in.c};
}
FailureOr<ImageShape> arch::IdentityOp::inferOutputShape(Inputs inputs, Emit) {
  return inputs.front();
}

static KernelCall makeCopy(TensorRef x, TensorRef y) {
  namespace op = trf::ops::copy;
  return KernelCall(op::kOpcode, {{op::x, x}, {op::y, y}});
}

void arch::FlattenOp::describe(LayerDescription &d) {
  d.setFeatures(d.getContext().features);
  units::describeSimple(d, getPath(), makeCopy, makeCopy);
}
void arch::IdentityOp::describe(LayerDescription &d) {
  units::describeSimple(d, getPath(), makeCopy, makeCopy);
}

FailureOr<Value> arch::FlattenOp::lower(TensorBuilder &b, ValueRange inputs) {
  return b.flatten(inputs.front());
}
FailureOr<Value> arch::IdentityOp::lower(TensorBuilder &, ValueRange inputs) {
  return inputs.front();
}
