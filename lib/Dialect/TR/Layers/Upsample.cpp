// SPDX-License-Identifier: Apache-2.0
//
// upsample: a map that is a whole number of times as large.
#include "Layer.h"
#include "Weights.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

static constexpr llvm::StringLiteral kModes[] = {"nearest", "bilinear"};
static constexpr Param kUpsample[] = {
    required("factor", ParamKind::Dims),
    withWords(optional("mode", ParamKind::Word, "nearest"), kModes)};

static Operation *buildUpsample(OpBuilder &builder, Location loc, const BoundCall &call) {
  Dims2 factor = call["factor"].dims;
  return bp::UpsampleOp::create(builder, loc, factor.h, factor.w, call["mode"].word == "bilinear",
                                call.name);
}

ArrayRef<Signature> bp::UpsampleOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"upsample", kUpsample, "a larger map: pixels repeated, or bilinear between their centres",
       buildUpsample}};
  return calls;
}

LogicalResult bp::UpsampleOp::verify() {
  if (failed(checkPositive(*this, "factor_h", getFactorH())))
    return failure();
  return checkPositive(*this, "factor_w", getFactorW());
}

FailureOr<ImageShape> arch::UpsampleOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  const auto h = static_cast<int64_t>(getFactorH()), w = static_cast<int64_t>(getFactorW());
  if (failed(shapes::checkRange(emitError, "factor_h", h)) ||
      failed(shapes::checkRange(emitError, "factor_w", w)))
    return failure();
  return ImageShape{in.h * h, in.w * w, in.c};
}

template <typename Fwd, typename Bwd>
static void describeMap(LayerDescription &d, StringRef path, trf::Opcode forward,
                        trf::Opcode backward, const Fwd &attrs, const Bwd &bwdAttrs) {
  // Both rows have the input first and the output second.
  units::describeSimple(
      d, path,
      [&](TensorRef x, TensorRef y) {
        return KernelCall(forward, {{0, x}, {1, y}}, attrs);
      },
      [&](TensorRef dy, TensorRef dx) {
        return KernelCall(backward, {{0, dy}, {1, dx}}, bwdAttrs);
      });
}

void arch::UpsampleOp::describe(LayerDescription &d) {
  const auto h = static_cast<int64_t>(getFactorH()), w = static_cast<int64_t>(getFactorW());
  namespace nearest = trf::ops::upsample_nearest_fwd;
  namespace nearestBwd = trf::ops::upsample_nearest_bwd;
  namespace linear = trf::ops::upsample_bilinear_fwd;
  namespace linearBwd = trf::ops::upsample_bilinear_bwd;
  if (getBilinear())
    describeMap(d, getPath(), linear::kOpcode, linearBwd::kOpcode, linear::Attrs{h, w},
                linearBwd::Attrs{h, w});
  else
    describeMap(d, getPath(), nearest::kOpcode, nearestBwd::kOpcode, nearest::Attrs{h, w},
                nearestBwd::Attrs{h, w});
}

FailureOr<Value> arch::UpsampleOp::lower(TensorBuilder &b, ValueRange inputs) {
  ArrayRef<int64_t> in = b.shapeOf(inputs.front());
  const auto h = static_cast<int64_t>(getFactorH()), w = static_cast<int64_t>(getFactorW());
  auto make = getBilinear() ? weights::linear : weights::nearest;
  return b.resample(make(in[1], in[1] * h), make(in[2], in[2] * w), inputs.front());
}
