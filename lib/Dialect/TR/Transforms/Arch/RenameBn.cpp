// SPDX-License-Identifier: Apache-2.0
//
// Step 2. A `bn` takes its kind from the layer that its input comes from. The walk
// backwards stops at the nearest decided normalisation or sum, so the pass is linear:
// in a forward walk all of them before the current one are decided.
#include "../Counts.h"
#include "Layers.h"

#include "renaissance/Dialect/TR/Transforms/ArchPatterns.h"
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

// What decided for sums that a walk has passed. Nothing here erases a sum.
using SumProducers = llvm::DenseMap<Operation *, Producer>;

// Looks through every layer that keeps height and width of any input.
Producer findProducer(Value value, SumProducers &sums) {
  SmallVector<Operation *> passed;
  auto decide = [&](Producer producer) {
    for (Operation *sum : passed)
      sums.try_emplace(sum, producer);
    return producer;
  };
  while (true) {
    Operation *op = value.getDefiningOp();
    if (!op) {
      auto argument = cast<BlockArgument>(value);
      if (auto add2 = dyn_cast<Add2Op>(argument.getOwner()->getParentOp())) {
        value = add2.getInput();
        continue;
      }
      FailureOr<ImageShape> shape = shapeOf(value);
      return decide({nullptr, succeeded(shape) && shape->h == 1 && shape->w == 1});
    }
    if (isa<FcOp, GapFcOp, GapOp, FlattenOp, Bn1dOp>(op))
      return decide({op, true});
    if (auto add2 = dyn_cast<Add2Op>(op)) {
      if (auto decided = sums.find(op); decided != sums.end())
        return decide(decided->second);
      passed.push_back(op);
      // Both branches have the shape of the sum; the stem is never empty.
      value = yieldOf(add2.getStem()).getValue();
    } else if (isa<ActOp, DropoutOp, IdentityOp, ChannelPaddingOp, SoftmaxCeOp, BnOp>(op)) {
      value = op->getOperand(0);
    } else {
      return decide({op, false});
    }
  }
}

struct RenameBn : OpRewritePattern<BnOp> {
  RenameBn(MLIRContext *context, SumProducers *sums = nullptr)
      : OpRewritePattern(context), sums(sums) {}

  LogicalResult matchAndRewrite(BnOp bn, PatternRewriter &rewriter) const override {
    SumProducers none;
    Producer producer = findProducer(bn.getInput(), sums ? *sums : none);
    remark::passed(bn.getLoc(), remark::RemarkOpts::name("BnRenamed").category(DEBUG_TYPE))
        << remark::add("{0} is bn{1}d: its input comes from {2}", pathOf(bn).str(),
                       producer.features ? 1 : 2,
                       producer.layer ? kindOf(producer.layer).str() : std::string("the images"));
    if (producer.features)
      rename<Bn1dOp>(bn, rewriter);
    else
      rename<Bn2dOp>(bn, rewriter);
    return success();
  }

private:
  template <typename NewOp> static void rename(BnOp bn, PatternRewriter &rewriter) {
    rewriter.replaceOpWithNewOp<NewOp>(bn, bn.getType(), bn.getInput(), bn.getParts(),
                                       bn.getEpsAttr(), bn.getMomentumAttr(), bn.getFirstAttr());
  }

  SumProducers *sums;
};

struct ArchRenameBnPass : tr::impl::ArchRenameBnBase<ArchRenameBnPass> {
  void runOnOperation() override {
    PlanOp plan = getOperation();
    int64_t before[] = {count<Bn1dOp>(plan), count<Bn2dOp>(plan)};
    RewritePatternSet patterns(&getContext());
    SumProducers sums;
    patterns.add<RenameBn>(&getContext(), &sums);
    TraceListener listener(DEBUG_TYPE);
    walkAndApplyPatterns(plan, std::move(patterns), &listener);
    addCount(numBn1dRenamed, DEBUG_TYPE, "num-bn1d-renamed", count<Bn1dOp>(plan) - before[0], plan);
    addCount(numBn2dRenamed, DEBUG_TYPE, "num-bn2d-renamed", count<Bn2dOp>(plan) - before[1], plan);
  }

private:
  template <typename OpT> static int64_t count(PlanOp plan) {
    int64_t total = 0;
    plan.walk([&](OpT) { ++total; });
    return total;
  }
};

} // namespace

void tr::populateArchRenameBnPatterns(RewritePatternSet &patterns) {
  patterns.add<RenameBn>(patterns.getContext());
}
