// SPDX-License-Identifier: Apache-2.0
//
// adaptive_avgpool: averages over a grid of as many cells as the output is to have.
#include "Layer.h"
#include "Weights.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

static constexpr Param kGrid[] = {required("size", ParamKind::Dims)};

static Operation *buildGrid(OpBuilder &builder, Location loc, const BoundCall &call) {
  Dims2 size = call["size"].dims;
  return bp::AdaptiveAvgPoolOp::create(builder, loc, size.h, size.w, call.name);
}

ArrayRef<Signature> bp::AdaptiveAvgPoolOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"adaptive_avgpool", kGrid, "averages over a grid, HxWxC to SIZExC", buildGrid}};
  return calls;
}

LogicalResult bp::AdaptiveAvgPoolOp::verify() {
  if (failed(checkPositive(*this, "height", getHeight())))
    return failure();
  return checkPositive(*this, "width", getWidth());
}

FailureOr<ImageShape> arch::AdaptiveAvgPoolOp::inferOutputShape(Inputs inputs, Emit emitError) {
  if (failed(shapes::checkRange(emitError, "height", getHeight())) ||
      failed(shapes::checkRange(emitError, "width", getWidth())))
    return failure();
  return ImageShape{static_cast<int64_t>(getHeight()), static_cast<int64_t>(getWidth()),
                    inputs.front().c};
}

void arch::AdaptiveAvgPoolOp::describe(LayerDescription &d) {
  namespace fwd = trf::ops::adaptive_avgpool_fwd;
  namespace bwd = trf::ops::adaptive_avgpool_bwd;
  const int64_t h = d.getOutput().h, w = d.getOutput().w;
  units::describeSimple(
      d, getPath(),
      [&](TensorRef x, TensorRef y) {
        return KernelCall(fwd::kOpcode, {{fwd::x, x}, {fwd::y, y}}, fwd::Attrs{h, w});
      },
      [&](TensorRef dy, TensorRef dx) {
        return KernelCall(bwd::kOpcode, {{bwd::dy, dy}, {bwd::dx, dx}}, bwd::Attrs{h, w});
      });
}

FailureOr<Value> arch::AdaptiveAvgPoolOp::lower(TensorBuilder &b, ValueRange inputs) {
  ArrayRef<int64_t> in = b.shapeOf(inputs.front());
  ImageShape out = getImageShape(getOutput().getType());
  return b.resample(weights::mean(in[1], out.h), weights::mean(in[2], out.w), inputs.front());
}
