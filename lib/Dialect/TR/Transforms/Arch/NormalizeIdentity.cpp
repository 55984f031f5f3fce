// SPDX-License-Identifier: Apache-2.0
//
// One forward walk drops identities; the yields, which come last in their
// blocks, put the needed ones back: into an empty shortcut, and before a first layer
// that cannot read the images itself (an add2, the loss, several readers).
#include "../LevelPass.h"
#include "Layers.h"

#include "renaissance/Dialect/TR/Transforms/ArchPatterns.h"
#include "renaissance/Dialect/TR/Transforms/Counts.h"
#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Dialect/TR/Transforms/Trace.h"

#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace tr {
#define GEN_PASS_DEF_ARCHNORMALIZEIDENTITY
#include "renaissance/Dialect/TR/Transforms/ArchPasses.h.inc"
} // namespace tr

#define DEBUG_TYPE "tr-arch-normalize-identity"

using namespace mlir;
using namespace tr;
using namespace tr::arch;

namespace {

// True where the images need an identity before their readers.
bool needsIdentity(Value images) {
  return !images.hasOneUse() || !canBeFirst(*images.user_begin());
}

// True for a branch that has no layer: it yields its argument or a value from above.
bool isEmptyBranch(Region &branch, Value result) {
  return isa<BlockArgument>(result) || result.getParentRegion() != &branch;
}

// The shortcut that `op` stands in, or null.
Region *shortcutOf(Operation *op) {
  auto add2 = dyn_cast<Add2Op>(op->getParentOp());
  return add2 && op->getParentRegion() == &add2.getShortcut() ? &add2.getShortcut() : nullptr;
}

// The identity of an otherwise empty branch of a sum: who wrote it there wants it.
bool isSoleBranch(IdentityOp identity) {
  return isa<Add2Op>(identity->getParentOp()) &&
         isEmptyBranch(*identity->getParentRegion(), identity.getInput()) &&
         identity.getOutput().hasOneUse() && isa<YieldOp>(*identity->user_begin());
}

// The identity that reads the images for layers that cannot.
bool isNeededFirst(IdentityOp identity) {
  auto network = dyn_cast<NetworkOp>(identity->getParentOp());
  return network && identity.getInput() == imagesOf(network) && identity.getInput().hasOneUse() &&
         needsIdentity(identity.getOutput());
}

struct DropIdentity : OpRewritePattern<IdentityOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IdentityOp identity, PatternRewriter &rewriter) const override {
    if (isSoleBranch(identity) || isNeededFirst(identity))
      return rewriter.notifyMatchFailure(identity, "the network needs it");
    replaceByInput(rewriter, identity);
    return success();
  }
};

IdentityOp createIdentity(OpBuilder &builder, Location loc, Value input, StringRef path) {
  return IdentityOp::create(builder, loc, input.getType(), input, builder.getStrArrayAttr({path}),
                            /*first=*/UnitAttr());
}

struct FillEmptyShortcut : OpRewritePattern<YieldOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(YieldOp yield, PatternRewriter &rewriter) const override {
    Region *shortcut = shortcutOf(yield);
    if (!shortcut || !isEmptyBranch(*shortcut, yield.getValue()))
      return rewriter.notifyMatchFailure(yield, "it does not end an empty shortcut");
    auto add2 = cast<Add2Op>(yield->getParentOp());
    // The shortcut is child 0 of an add2, and an empty one took no path.
    IdentityOp identity =
        createIdentity(rewriter, add2.getLoc(), yield.getValue(), (add2.getPath() + ".0").str());
    rewriter.modifyOpInPlace(yield, [&] { yield.getValueMutable().assign(identity.getOutput()); });
    return success();
  }
};

struct InsertFirstIdentity : OpRewritePattern<YieldOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(YieldOp yield, PatternRewriter &rewriter) const override {
    auto network = dyn_cast<NetworkOp>(yield->getParentOp());
    if (!network || imagesOf(network).use_empty() || !needsIdentity(imagesOf(network)))
      return rewriter.notifyMatchFailure(yield, "the first layer reads the images itself");
    Value images = imagesOf(network);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&network.getBody().front());
    IdentityOp identity =
        createIdentity(rewriter, network.getLoc(), images, uniquePath(network, "input"));
    rewriter.replaceAllUsesExcept(images, identity.getOutput(), identity);
    return success();
  }
};

struct IdentityCounter : RewriterBase::Listener {
  int64_t inserted = 0, dropped = 0;

  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    inserted += isa<IdentityOp>(op);
  }
  void notifyOperationErased(Operation *op) override { dropped += isa<IdentityOp>(op); }
};

struct ArchNormalizeIdentityPass
    : LevelPass<tr::impl::ArchNormalizeIdentityBase<ArchNormalizeIdentityPass>, NetworkOp> {
  LogicalResult runOn(NetworkOp network) override {
    IdentityCounter counter;
    TraceListener listener(DEBUG_TYPE, &counter);
    RewritePatternSet patterns(&getContext());
    populateArchNormalizeIdentityPatterns(patterns);
    walkAndApplyPatterns(network, std::move(patterns), &listener);
    addCount(numIdentitiesInserted, DEBUG_TYPE, "num-identities-inserted", counter.inserted,
             network);
    addCount(numIdentitiesDropped, DEBUG_TYPE, "num-identities-dropped", counter.dropped, network);
    return checkStems(network);
  }

private:
  LogicalResult checkStems(NetworkOp network) {
    WalkResult result =
        network.walk(
            [](Add2Op add2) {
              if (!isEmptyBranch(add2.getStem(), yieldOf(add2.getStem()).getValue()))
                return WalkResult::advance();
              emitLayerError(add2)
                  << "expected a layer in the stem, such as identity(), but got an empty one";
              return WalkResult::interrupt();
            });
    return failure(result.wasInterrupted());
  }
};

} // namespace

void tr::populateArchNormalizeIdentityPatterns(RewritePatternSet &patterns) {
  patterns.add<DropIdentity, FillEmptyShortcut, InsertFirstIdentity>(patterns.getContext());
}
