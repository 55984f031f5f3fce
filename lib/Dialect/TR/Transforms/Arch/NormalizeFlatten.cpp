// SPDX-License-Identifier: Apache-2.0
//
// An FC layer reads maps whose channels are a multiple of 8 in place (the
// NHWC order of the map is the order of its flattened features); other maps, and all
// maps before the loss, pass through a Flatten. Each is decided on its own.
#include "../LevelPass.h"
#include "Layers.h"

#include "renaissance/Dialect/TR/Transforms/ArchPatterns.h"
#include "renaissance/Dialect/TR/Transforms/Counts.h"
#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Dialect/TR/Transforms/Trace.h"

#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace tr {
#define GEN_PASS_DEF_ARCHNORMALIZEFLATTEN
#include "renaissance/Dialect/TR/Transforms/ArchPasses.h.inc"
} // namespace tr

#define DEBUG_TYPE "tr-arch-normalize-flatten"

using namespace mlir;
using namespace tr;
using namespace tr::arch;

namespace {

bool isFeatures(ImageShape shape) { return shape.h == 1 && shape.w == 1; }

// True where `reader` can take a value of this shape without a Flatten.
bool readsInPlace(Operation *reader, ImageShape shape) {
  return isFeatures(shape) || (isa<FcOp>(reader) && shape.c % 8 == 0);
}

struct DropFlatten : OpRewritePattern<FlattenOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(FlattenOp flatten, PatternRewriter &rewriter) const override {
    FailureOr<ImageShape> shape = shapeOf(flatten.getInput());
    if (failed(shape))
      return rewriter.notifyMatchFailure(flatten, "its input has no shape yet");
    auto canSkip = [&](OpOperand &use) {
      return isa<FcOp, SoftmaxCeOp>(use.getOwner()) && readsInPlace(use.getOwner(), *shape);
    };
    if (llvm::none_of(flatten.getOutput().getUses(), canSkip))
      return rewriter.notifyMatchFailure(flatten, "its readers need features");
    rewriter.replaceUsesWithIf(flatten.getOutput(), flatten.getInput(), canSkip);
    if (flatten->use_empty())
      rewriter.eraseOp(flatten);
    return success();
  }
};

template <typename ReaderOp> struct InsertFlatten : OpRewritePattern<ReaderOp> {
  using OpRewritePattern<ReaderOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ReaderOp reader, PatternRewriter &rewriter) const override {
    FailureOr<ImageShape> shape = shapeOf(reader.getInput());
    if (failed(shape))
      return rewriter.notifyMatchFailure(reader, "its input has no shape yet");
    if (readsInPlace(reader, *shape))
      return rewriter.notifyMatchFailure(reader, "it reads its input in place");
    RankedTensorType type = tensorOf(rewriter.getContext(), {1, 1, shape->h * shape->w * shape->c});
    ArrayAttr parts = rewriter.getStrArrayAttr({(reader.getPath() + ".flatten").str()});
    auto flatten = FlattenOp::create(rewriter, reader.getLoc(), type, reader.getInput(), parts,
                                     /*first=*/UnitAttr());
    rewriter.modifyOpInPlace(reader, [&] {
      reader.getInputMutable().assign(flatten.getOutput());
      if constexpr (std::is_same_v<ReaderOp, SoftmaxCeOp>)
        reader.getOutput().setType(type); // the loss hands its input on
    });
    return success();
  }
};

struct FlattenCounter : RewriterBase::Listener {
  int64_t inserted = 0, dropped = 0;

  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    inserted += isa<FlattenOp>(op);
  }
  void notifyOperationErased(Operation *op) override { dropped += isa<FlattenOp>(op); }
};

struct ArchNormalizeFlattenPass
    : LevelPass<tr::impl::ArchNormalizeFlattenBase<ArchNormalizeFlattenPass>, NetworkOp> {
  LogicalResult runOn(NetworkOp network) override {
    if (failed(checkShapes(network)))
      return failure();
    FlattenCounter counter;
    TraceListener listener(DEBUG_TYPE, &counter);
    RewritePatternSet patterns(&getContext());
    populateArchNormalizeFlattenPatterns(patterns);
    walkAndApplyPatterns(network, std::move(patterns), &listener);
    addCount(numFlattensInserted, DEBUG_TYPE, "num-flattens-inserted", counter.inserted, network);
    addCount(numFlattensDropped, DEBUG_TYPE, "num-flattens-dropped", counter.dropped, network);
    return success();
  }

private:
  LogicalResult checkShapes(NetworkOp network) {
    WalkResult result = network.walk([](Operation *op) {
      if (!isa<FcOp, SoftmaxCeOp>(op) || succeeded(shapeOf(op->getOperand(0))))
        return WalkResult::advance();
      emitLayerError(op) << "expected an inferred input shape, but got "
                         << op->getOperand(0).getType() << "; run --tr-arch-infer-shapes first";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }
};

} // namespace

void tr::populateArchNormalizeFlattenPatterns(RewritePatternSet &patterns) {
  patterns.add<DropFlatten, InsertFlatten<FcOp>, InsertFlatten<SoftmaxCeOp>>(patterns.getContext());
}
