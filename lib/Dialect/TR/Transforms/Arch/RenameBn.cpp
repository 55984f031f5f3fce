// SPDX-License-Identifier: Apache-2.0
//
// A `bn` takes its kind from the layer that its input comes from. The walk
// backwards stops at the nearest decided normalisation or join of branches, so the pass is linear:
// in a forward walk all of them before the current one are decided.
#include "../LevelPass.h"
#include "Layers.h"

#include "renaissance/Dialect/TR/Transforms/ArchPatterns.h"
#include "renaissance/Dialect/TR/Transforms/Counts.h"
#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Dialect/TR/Transforms/Trace.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace tr {
#define GEN_PASS_DEF_ARCHRENAMEBN
#include "renaissance/Dialect/TR/Transforms/ArchPasses.h.inc"
} // namespace tr

#define DEBUG_TYPE "tr-arch-rename-bn"

using namespace mlir;
using namespace tr;
using namespace tr::arch;

namespace {

// What decided: the layer, or null for the images, and whether it makes features.
struct Producer {
  Operation *layer;
  bool features;
};

// What decided for joined branches that a walk has passed. Nothing here erases them.
using JoinProducers = llvm::DenseMap<Operation *, Producer>;

// Looks through every layer that keeps height and width of any input.
Producer findProducer(Value value, JoinProducers &joins) {
  SmallVector<Operation *> passed;
  auto decide = [&](Producer producer) {
    for (Operation *join : passed)
      joins.try_emplace(join, producer);
    return producer;
  };
  while (true) {
    Operation *op = value.getDefiningOp();
    if (!op) {
      auto argument = cast<BlockArgument>(value);
      if (auto branches = dyn_cast<JoinOpInterface>(argument.getOwner()->getParentOp())) {
        value = branches->getOperand(0);
        continue;
      }
      FailureOr<ImageShape> shape = shapeOf(value);
      return decide({nullptr, succeeded(shape) && shape->h == 1 && shape->w == 1});
    }
    auto layer = dyn_cast<LayerOpInterface>(op);
    if (!layer || layer.makesFeatures() || !layer.keepsExtents())
      return decide({op, layer && layer.makesFeatures()});
    if (isa<JoinOpInterface>(op)) {
      if (auto decided = joins.find(op); decided != joins.end())
        return decide(decided->second);
      passed.push_back(op);
    }
    // All branches have the extents of the result; the first one is never empty.
    value = getLayerInputs(layer).front();
  }
}

struct RenameBn : OpRewritePattern<BnOp> {
  RenameBn(MLIRContext *context, JoinProducers *joins = nullptr)
      : OpRewritePattern(context), joins(joins) {}

  LogicalResult matchAndRewrite(BnOp bn, PatternRewriter &rewriter) const override {
    JoinProducers none;
    Producer producer = findProducer(bn.getInput(), joins ? *joins : none);
    auto layer = dyn_cast_or_null<LayerOpInterface>(producer.layer);
    std::string name = layer            ? layer.getLayerKind().str()
                       : producer.layer ? producer.layer->getName().getStringRef().str()
                                        : "the images";
    remark::passed(bn.getLoc(), remark::RemarkOpts::name("BnRenamed").category(DEBUG_TYPE))
        << remark::add("{0} is bn{1}d: its input comes from {2}", bn.getPath().str(),
                       producer.features ? 1 : 2, name);
    if (producer.features)
      rename<Bn1dOp>(bn, rewriter);
    else
      rename<Bn2dOp>(bn, rewriter);
    return success();
  }

private:
  template <typename NewOp> static void rename(BnOp bn, PatternRewriter &rewriter) {
    rewriter.replaceOpWithNewOp<NewOp>(bn, bn.getType(), bn.getInput(), bn.getParts(),
                                       bn.getEpsAttr(), bn.getMomentumAttr(), bn.getPlainAttr(),
                                       bn.getCumulativeAttr(), bn.getFirstAttr());
  }

  JoinProducers *joins;
};

struct ArchRenameBnPass : LevelPass<tr::impl::ArchRenameBnBase<ArchRenameBnPass>, NetworkOp> {
  LogicalResult runOn(NetworkOp network) override {
    int64_t before[] = {count<Bn1dOp>(network), count<Bn2dOp>(network)};
    RewritePatternSet patterns(&getContext());
    JoinProducers joins;
    patterns.add<RenameBn>(&getContext(), &joins);
    TraceListener listener(DEBUG_TYPE);
    walkAndApplyPatterns(network, std::move(patterns), &listener);
    addCount(numBn1dRenamed, DEBUG_TYPE, "num-bn1d-renamed", count<Bn1dOp>(network) - before[0],
             network);
    addCount(numBn2dRenamed, DEBUG_TYPE, "num-bn2d-renamed", count<Bn2dOp>(network) - before[1],
             network);
    return success();
  }

private:
  template <typename OpT> static int64_t count(NetworkOp network) {
    int64_t total = 0;
    network.walk([&](OpT) { ++total; });
    return total;
  }
};

} // namespace

void tr::populateArchRenameBnPatterns(RewritePatternSet &patterns) {
  patterns.add<RenameBn>(patterns.getContext());
}
