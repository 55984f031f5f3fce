// SPDX-License-Identifier: Apache-2.0
//
// gap: global average pooling.
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

ArrayRef<Signature> bp::GapOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"gap", {}, "global average pooling", buildPlain<bp::GapOp>}};
  return calls;
}

FailureOr<ImageShape> arch::GapOp::inferOutputShape(Inputs inputs, Emit) {
  return ImageShape{1, 1, inputs.front().c};
}

void arch::GapOp::describe(LayerDescription &d) {
  units::describeSimple(d, getPath(), units::averageMaps, units::averageMapsBackward);
}

FailureOr<Value> arch::GapOp::lower(TensorBuilder &b, ValueRange inputs) {
  return b.averageMaps(inputs.front());
}
