// SPDX-License-Identifier: Apache-2.0
//
// channel_padding: zero channels on either side, or up to the next multiple of 8.
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

static constexpr Param kPadding[] = {optional("before", ParamKind::Int, "0", kNotNegative),
                                     optional("after", ParamKind::Int, "0", kNotNegative)};

static Operation *buildPadding(OpBuilder &builder, Location loc, const BoundCall &call) {
  const int64_t before = call["before"].integer, after = call["after"].integer;
  if (before == 0 && after == 0)
    return bp::ChannelPaddingOp::create(builder, loc, IntegerAttr(), IntegerAttr(), call.name);
  return bp::ChannelPaddingOp::create(builder, loc, builder.getI64IntegerAttr(before),
                                      builder.getI64IntegerAttr(after), call.name);
}

ArrayRef<Signature> bp::ChannelPaddingOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"channel_padding", kPadding,
       "zero channels on either side; without numbers up to the next multiple of 8", buildPadding}};
  return calls;
}

namespace {
struct Sides {
  int64_t before, after;
};
} // namespace

template <typename OpT> static LogicalResult checkSides(OpT op, Emit emitError) {
  for (std::optional<int64_t> side : {op.getBefore(), op.getAfter()})
    if (side && (*side < 0 || *side > kMostExtent))
      return emitError() << "expected zero channels in [0, " << kMostExtent << "], but got "
                         << *side;
  return success();
}

static Sides getSides(arch::ChannelPaddingOp op, int64_t channels) {
  if (!op.getBefore() && !op.getAfter())
    return {0, (channels + 7) / 8 * 8 - channels};
  return {static_cast<int64_t>(op.getBefore().value_or(0)),
          static_cast<int64_t>(op.getAfter().value_or(0))};
}

LogicalResult bp::ChannelPaddingOp::verify() {
  return checkSides(*this, [&] { return emitOpError(); });
}

FailureOr<ImageShape> arch::ChannelPaddingOp::inferOutputShape(Inputs inputs, Emit emitError) {
  if (failed(checkSides(*this, emitError)))
    return failure();
  ImageShape in = inputs.front();
  Sides sides = getSides(*this, in.c);
  return ImageShape{in.h, in.w, sides.before + in.c + sides.after};
}

static void describeAfter(LayerDescription &d, StringRef path) {
  namespace fwd = trf::ops::channel_pad_fwd;
  namespace bwd = trf::ops::channel_pad_bwd;
  units::describeSimple(
      d, path,
      [](TensorRef x, TensorRef y) {
        return KernelCall(fwd::kOpcode, {{fwd::x, x}, {fwd::y, y}});
      },
      [](TensorRef dy, TensorRef dx) {
        return KernelCall(bwd::kOpcode, {{bwd::dy, dy}, {bwd::dx, dx}});
      });
}

void arch::ChannelPaddingOp::describe(LayerDescription &d) {
  Sides sides = getSides(*this, d.getInput().c);
  if (sides.before == 0)
    return describeAfter(d, getPath());
  units::describeSimple(
      d, getPath(),
      [&](TensorRef x, TensorRef y) { return units::placeChannels(sides.before, x, y); },
      [&](TensorRef dy, TensorRef dx) { return units::takeChannels(sides.before, dy, dx); });
}

FailureOr<Value> arch::ChannelPaddingOp::lower(TensorBuilder &b, ValueRange inputs) {
  Value x = inputs.front();
  Sides sides = getSides(*this, b.shapeOf(x)[3]);
  return b.padChannels(x, sides.before, sides.after);
}
