// SPDX-License-Identifier: Apache-2.0
//
// channel_padding: zero channels up to the next multiple of 8.
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

ArrayRef<Signature> bp::ChannelPaddingOp::getSignatures() {
  static constexpr Signature calls[] = {{"channel_padding",
                                         {},
                                         "zero channels up to the next multiple of 8",
                                         buildPlain<bp::ChannelPaddingOp>}};
  return calls;
}

FailureOr<ImageShape> arch::ChannelPaddingOp::inferOutputShape(Inputs inputs, Emit) {
  ImageShape in = inputs.front();
  return ImageShape{in.h, in.w, (in.c + 7) / 8 * 8};
}

void arch::ChannelPaddingOp::describe(LayerDescription &d) {
  namespace fwd = trf::ops::channel_pad_fwd;
  namespace bwd = trf::ops::channel_pad_bwd;
  units::describeSimple(
      d, getPath(),
      [](TensorRef x, TensorRef y) {
        return KernelCall(fwd::kOpcode, {{fwd::x, x}, {fwd::y, y}});
      },
      [](TensorRef dy, TensorRef dx) {
        return KernelCall(bwd::kOpcode, {{bwd::dy, dy}, {bwd::dx, dx}});
      });
}

FailureOr<Value> arch::ChannelPaddingOp::lower(TensorBuilder &b, ValueRange inputs) {
  Value x = inputs.front();
  return b.padChannels(x, getImageShape(getOutput().getType()).c - b.shapeOf(x)[3]);
}
