// SPDX-License-Identifier: Apache-2.0
//
// Global average pooling and the fully connected layer after it become one
// layer.
#include "MergeSupport.h"

#include "renaissance/Dialect/TR/Transforms/Passes.h"

namespace tr {
#define GEN_PASS_DEF_ARCHMERGEGAPFC
#include "renaissance/Dialect/TR/Transforms/ArchPasses.h.inc"
} // namespace tr

using namespace mlir;
using namespace tr;
using namespace tr::arch;

namespace {
constexpr StringLiteral kFlag = "tr-arch-merge-gap-fc";

struct MergeGapFc : OpRewritePattern<FcOp> {
  MergeGapFc(MLIRContext *context, MergeCounts *counts)
      : OpRewritePattern(context), counts(counts) {}

  LogicalResult matchAndRewrite(FcOp fc, PatternRewriter &rewriter) const override {
    auto gap = getDefiningOpIn<GapOp>(fc->getBlock(), fc.getInput());
    if (!gap)
      return failure();
    if (!gap->hasOneUse())
      return reportMissed(gap, kFlag, describeUses(gap.getOutput()), counts);
    Operation *chain[] = {gap, fc};
    rewriter.setInsertionPoint(fc);
    auto merged =
        GapFcOp::create(rewriter, fuseLocations(chain), fc.getType(), gap.getInput(),
                        fc.getPartsAttr(), fc.getOutAttr(), fc.getBiasAttr(), gap.getFirstAttr());
    reportMerged(chain, merged, kFlag, kReadAlone, counts);
    replaceChain(rewriter, chain, merged);
    return success();
  }

  MergeCounts *counts;
};

struct ArchMergeGapFcPass
    : MergePass<tr::impl::ArchMergeGapFcBase<ArchMergeGapFcPass>, populateArchMergeGapFcPatterns> {
};
} // namespace

void tr::populateArchMergeGapFcPatterns(RewritePatternSet &patterns, MergeCounts *counts) {
  patterns.add<MergeGapFc>(patterns.getContext(), counts);
}
