// SPDX-License-Identifier: Apache-2.0
//
// The loss hands its input on, so a misplaced one can go without changing
// any other value; one forward walk drops those and ends at the network's yield, which
// gets the one that is missing.
#include "../LevelPass.h"
#include "Layers.h"

#include "renaissance/Dialect/TR/Transforms/ArchPatterns.h"
#include "renaissance/Dialect/TR/Transforms/Counts.h"
#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Dialect/TR/Transforms/Trace.h"

#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace tr {
#define GEN_PASS_DEF_ARCHNORMALIZESOFTMAXCE
#include "renaissance/Dialect/TR/Transforms/ArchPasses.h.inc"
} // namespace tr

#define DEBUG_TYPE "tr-arch-normalize-softmax-ce"

using namespace mlir;
using namespace tr;
using namespace tr::arch;

namespace {

bool isLast(SoftmaxCeOp loss) {
  NetworkOp network = networkOf(loss);
  return network && yieldOf(network.getBody()).getValue() == loss.getOutput();
}

struct DropMisplacedLoss : OpRewritePattern<SoftmaxCeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SoftmaxCeOp loss, PatternRewriter &rewriter) const override {
    if (!networkOf(loss))
      return rewriter.notifyMatchFailure(loss, "it stands in no network");
    if (!isLast(loss)) {
      replaceByInput(rewriter, loss);
      return success();
    }
    if (loss.getOutput().hasOneUse())
      return rewriter.notifyMatchFailure(loss, "the network alone yields it");
    Operation *yield = yieldOf(networkOf(loss).getBody());
    rewriter.replaceAllUsesExcept(loss.getOutput(), loss.getInput(), yield);
    return success();
  }
};

struct AppendLoss : OpRewritePattern<YieldOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(YieldOp yield, PatternRewriter &rewriter) const override {
    auto network = dyn_cast<NetworkOp>(yield->getParentOp());
    if (!network)
      return rewriter.notifyMatchFailure(yield, "it ends a branch");
    Value last = yield.getValue();
    if (last.getDefiningOp<SoftmaxCeOp>())
      return rewriter.notifyMatchFailure(yield, "the loss is there");
    ArrayAttr parts = rewriter.getStrArrayAttr({uniquePath(network, "softmax_ce")});
    auto loss = SoftmaxCeOp::create(rewriter, last.getLoc(), last.getType(), last, parts,
                                    network.getClassesAttr(), /*first=*/UnitAttr());
    rewriter.modifyOpInPlace(yield, [&] { yield.getValueMutable().assign(loss.getOutput()); });
    return success();
  }
};

struct ArchNormalizeSoftmaxCePass
    : LevelPass<tr::impl::ArchNormalizeSoftmaxCeBase<ArchNormalizeSoftmaxCePass>, NetworkOp> {
  LogicalResult runOn(NetworkOp network) override {
    if (failed(checkLosses(network)) || failed(checkOutputs(network)))
      return failure();
    RewritePatternSet patterns(&getContext());
    populateArchNormalizeSoftmaxCePatterns(patterns);
    TraceListener listener(DEBUG_TYPE);
    walkAndApplyPatterns(network, std::move(patterns), &listener);
    return success();
  }

private:
  // A user's loss is an order: it may move, but not change its classes unseen.
  LogicalResult checkLosses(NetworkOp network) {
    bool complete = false;
    int64_t moved = 0;
    WalkResult result = network.walk([&](SoftmaxCeOp loss) {
      if (loss.getClasses() != network.getClasses()) {
        emitLayerError(loss) << "expected the network's " << network.getClasses()
                             << " classes, but got " << loss.getClasses();
        return WalkResult::interrupt();
      }
      if (isLast(loss)) {
        complete = true;
      } else {
        loss.emitRemark("softmax_ce layer '")
            << loss.getPath() << "' moved to the end of the network";
        ++moved;
      }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
    addCount(numLossesMoved, DEBUG_TYPE, "num-losses-moved", moved, network);
    addCount(numLossesAppended, DEBUG_TYPE, "num-losses-appended", complete ? 0 : 1, network);
    return success();
  }

  // The network's last layer is the user's, so the mistake is reported there and not
  // at a loss that nobody wrote.
  LogicalResult checkOutputs(NetworkOp network) {
    Value last = yieldOf(network.getBody()).getValue();
    FailureOr<ImageShape> shape = shapeOf(last);
    Operation *layer = last.getDefiningOp();
    if (failed(shape) || !layer || isa<SoftmaxCeOp>(layer))
      return success();
    if (shape->h * shape->w * shape->c == static_cast<int64_t>(network.getClasses()))
      return success();
    return emitLayerError(layer) << "expected " << network.getClasses() << " outputs for "
                                 << network.getClasses() << " classes, but got "
                                 << toString(*shape);
  }
};

} // namespace

void tr::populateArchNormalizeSoftmaxCePatterns(RewritePatternSet &patterns) {
  patterns.add<DropMisplacedLoss, AppendLoss>(patterns.getContext());
}
