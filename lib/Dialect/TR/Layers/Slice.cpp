// SPDX-License-Identifier: Apache-2.0
//
// slice: some channels of the input.
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

static constexpr Param kSlice[] = {required("begin", ParamKind::Int, kNotNegative),
                                   required("count", ParamKind::Int)};

static Operation *buildSlice(OpBuilder &builder, Location loc, const BoundCall &call) {
  return bp::SliceOp::create(builder, loc, call["begin"].integer, call["count"].integer, call.name);
}

ArrayRef<Signature> bp::SliceOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"slice", kSlice, "count channels of the input, from channel begin on", buildSlice}};
  return calls;
}

LogicalResult bp::SliceOp::verify() {
  const auto begin = static_cast<int64_t>(getBegin());
  if (begin < 0 || begin > kMostExtent)
    return emitOpError("expected begin in [0, ") << kMostExtent << "], but got " << begin;
  return checkPositive(*this, "count", getCount());
}

FailureOr<ImageShape> arch::SliceOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  const auto begin = static_cast<int64_t>(getBegin()), count = static_cast<int64_t>(getCount());
  if (begin < 0 || begin > kMostExtent)
    return emitError() << "expected begin in [0, " << kMostExtent << "], but got " << begin;
  if (failed(shapes::checkRange(emitError, "count", count)))
    return failure();
  if (begin + count > in.c)
    return emitError() << "expected channels " << begin << " to " << begin + count - 1
                       << " in the input, but got " << in.c << " channels";
  return ImageShape{in.h, in.w, count};
}

// Where the images are sliced, both halves of the input would be wider tensors.
void arch::SliceOp::describe(LayerDescription &d) {
  const auto begin = static_cast<int64_t>(getBegin());
  TensorRef y = d.declareOutput(getPath());
  if (d.getContext().first)
    d.forwardAndInference(units::takeChannels(begin, d.input(), y));
  else
    d.takeChannels(begin);
  if (d.needsInputGrad())
    d.backward(units::placeChannels(begin, d.outputGrad(), d.inputGrad()));
}

FailureOr<Value> arch::SliceOp::lower(TensorBuilder &b, ValueRange inputs) {
  return b.takeChannels(inputs.front(), getBegin(), getCount());
}
