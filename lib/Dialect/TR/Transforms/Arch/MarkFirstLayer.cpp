// SPDX-License-Identifier: Apache-2.0
//
// Marks the layer that reads the images. The compiler
// builds that layer for both input buffers and without an input gradient.
#include "../LevelPass.h"
#include "Layers.h"

#include "renaissance/Dialect/TR/Transforms/ArchPatterns.h"
#include "renaissance/Dialect/TR/Transforms/Counts.h"
#include "renaissance/Dialect/TR/Transforms/Passes.h"

namespace tr {
#define GEN_PASS_DEF_ARCHMARKFIRSTLAYER
#include "renaissance/Dialect/TR/Transforms/ArchPasses.h.inc"
} // namespace tr

#define DEBUG_TYPE "tr-arch-mark-first-layer"

using namespace mlir;
using namespace tr;
using namespace tr::arch;

namespace {

constexpr StringLiteral kFirst = "first";

// A merged block can read the images where its add2 could not.
void dropNeedlessIdentity(Value images) {
  auto identity = dyn_cast<IdentityOp>(*images.user_begin());
  if (!identity || !identity.getOutput().hasOneUse() || !canBeFirst(*identity->user_begin()))
    return;
  identity.replaceAllUsesWith(images);
  identity.erase();
}

struct ArchMarkFirstLayerPass
    : LevelPass<tr::impl::ArchMarkFirstLayerBase<ArchMarkFirstLayerPass>, NetworkOp> {
  LogicalResult runOn(NetworkOp network) override {
    if (failed(markFirstArchLayer(network)))
      return failure();
    addCount(numLayersMarked, DEBUG_TYPE, "num-layers-marked", 1, network);
    return success();
  }
};

} // namespace

LogicalResult tr::markFirstArchLayer(NetworkOp network) {
  if (failed(requireOnlyLayers(network)))
    return failure();
  Value images = imagesOf(network);
  if (images.hasOneUse())
    dropNeedlessIdentity(images);
  if (!images.hasOneUse() || !canBeFirst(*images.user_begin())) {
    InFlightDiagnostic error = network.emitError("network '")
                               << network.getSymName() << "': expected one "
                               << "layer that reads the images, but got ";
    if (images.hasOneUse())
      error << "a " << tr::detail::getLayerKind(*images.user_begin());
    else
      error << llvm::range_size(images.getUses()) << " readers";
    return error << "; run --tr-arch-normalize-identity first";
  }
  network.walk([](LayerOpInterface layer) { layer->removeAttr(kFirst); });
  (*images.user_begin())->setAttr(kFirst, UnitAttr::get(network.getContext()));
  return success();
}
