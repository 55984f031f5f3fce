// SPDX-License-Identifier: Apache-2.0
//
// Matrix units read 16-bit channels four at a time. Where the first layer is a
// convolution, the images get zero channels up to the next multiple of 4; the
// weight keeps its logical shape, so weight files do not change.
#include "../Counts.h"
#include "Layers.h"

#include "renaissance/Dialect/TR/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"

namespace tr {
#define GEN_PASS_DEF_ARCHALIGNINPUTCHANNELS
#include "renaissance/Dialect/TR/Transforms/ArchPasses.h.inc"
} // namespace tr

#define DEBUG_TYPE "tr-arch-align-input-channels"

using namespace mlir;
using namespace tr;
using namespace tr::arch;

namespace {

constexpr StringLiteral kAlignedChannels = "tr.aligned_channels";
constexpr int64_t kAlignment = 4;

struct ArchAlignInputChannelsPass
    : tr::impl::ArchAlignInputChannelsBase<ArchAlignInputChannelsPass> {
  using ArchAlignInputChannelsBase::ArchAlignInputChannelsBase;

  void runOnOperation() override {
    if (precision == Precision::FP32)
      return;
    Value images = imagesOf(getOperation());
    auto type = cast<RankedTensorType>(images.getType());
    if (type.isDynamicDim(3) || type.getDimSize(3) % kAlignment == 0)
      return;
    int64_t channels = type.getDimSize(3);
    int64_t aligned = (channels / kAlignment + 1) * kAlignment;
    for (Operation *reader : images.getUsers())
      if (isa<ConvOp, CbrOp, CbrpOp>(reader)) {
        auto attr = IntegerAttr::get(IntegerType::get(&getContext(), 64), aligned);
        if (reader->getAttr(kAlignedChannels) == attr)
          continue;
        reader->setAttr(kAlignedChannels, attr);
        addCount(numConvsAligned, DEBUG_TYPE, "num-convs-aligned", 1, reader);
      } else {
        remark::missed(reader->getLoc(),
                       remark::RemarkOpts::name("InputNotAligned").category(DEBUG_TYPE))
            << remark::reason("{0} layer '{1}' reads the {2} input channels, not a convolution",
                              kindOf(reader).str(), pathOf(reader).str(), channels);
      }
  }
};

} // namespace
