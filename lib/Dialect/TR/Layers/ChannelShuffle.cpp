// SPDX-License-Identifier: Apache-2.0
//
// channel_shuffle: channels of several groups in turn (Zhang et al. 2017).
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

static constexpr Param kShuffle[] = {required("groups", ParamKind::Int)};

static Operation *buildShuffle(OpBuilder &builder, Location loc, const BoundCall &call) {
  return bp::ChannelShuffleOp::create(builder, loc, call["groups"].integer, call.name);
}

ArrayRef<Signature> bp::ChannelShuffleOp::getSignatures() {
  static constexpr Signature calls[] = {{"channel_shuffle", kShuffle,
                                         "the first channels of all groups, then the second ones, "
                                         "and so on",
                                         buildShuffle}};
  return calls;
}

LogicalResult bp::ChannelShuffleOp::verify() { return checkPositive(*this, "groups", getGroups()); }

FailureOr<ImageShape> arch::ChannelShuffleOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  const auto groups = static_cast<int64_t>(getGroups());
  if (failed(shapes::checkRange(emitError, "groups", groups)))
    return failure();
  if (in.c % groups != 0)
    return emitError() << "expected input channels divisible by groups " << groups << ", but got "
                       << in.c;
  return in;
}

void arch::ChannelShuffleOp::describe(LayerDescription &d) {
  namespace op = trf::ops::channel_shuffle;
  const auto groups = static_cast<int64_t>(getGroups()), each = d.getInput().c / groups;
  units::describeSimple(
      d, getPath(),
      [&](TensorRef x, TensorRef y) {
        return KernelCall(op::kOpcode, {{op::x, x}, {op::y, y}}, op::Attrs{groups});
      },
      [&](TensorRef dy, TensorRef dx) {
        return KernelCall(op::kOpcode, {{op::x, dy}, {op::y, dx}}, op::Attrs{each});
      });
}

FailureOr<Value> arch::ChannelShuffleOp::lower(TensorBuilder &b, ValueRange inputs) {
  return b.shuffleChannels(inputs.front(), getGroups());
}
