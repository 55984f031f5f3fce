// SPDX-License-Identifier: Apache-2.0
//
// A convolution, its batch normalisation, an activation and a maximum pooling
// become one layer.
#include "MergeSupport.h"

#include "renaissance/Dialect/TR/Transforms/Passes.h"

namespace tr {
#define GEN_PASS_DEF_ARCHMERGECBRP
#include "renaissance/Dialect/TR/Transforms/ArchPasses.h.inc"
} // namespace tr

using namespace mlir;
using namespace tr;
using namespace tr::arch;

namespace {
constexpr StringLiteral kFlag = "tr-arch-merge-cbrp";

struct MergeCbrp : OpRewritePattern<MaxPoolOp> {
  MergeCbrp(MLIRContext *context, MergeCounts *counts)
      : OpRewritePattern(context), counts(counts) {}

  LogicalResult matchAndRewrite(MaxPoolOp pool, PatternRewriter &rewriter) const override {
    if (auto cbr = getDefiningOpIn<CbrOp>(pool->getBlock(), pool.getInput()))
      return mergeCbr(cbr, pool, rewriter);
    if (auto act = getDefiningOpIn<ActOp>(pool->getBlock(), pool.getInput()))
      return mergeAct(act, pool, rewriter);
    return failure();
  }

private:
  LogicalResult mergeCbr(CbrOp cbr, MaxPoolOp pool, PatternRewriter &rewriter) const {
    if (!cbr->hasOneUse())
      return reportMissed(cbr, kFlag, describeUses(cbr.getOutput()), counts);
    return merge({cbr, pool}, cbr.getPartsAttr(), cbr.getGeometryAttr(), cbr.getEpsAttr(),
                 cbr.getMomentumAttr(), cbr.getActAttr(), pool, rewriter);
  }

  LogicalResult mergeAct(ActOp act, MaxPoolOp pool, PatternRewriter &rewriter) const {
    auto bn = getDefiningOpIn<Bn2dOp>(pool->getBlock(), act.getInput());
    auto conv = bn ? getDefiningOpIn<ConvOp>(pool->getBlock(), bn.getInput()) : ConvOp();
    // A pooled activation of anything else is no candidate.
    if (!conv || act.getKind() == Activation::None)
      return failure();
    for (Operation *layer : {conv.getOperation(), bn.getOperation(), act.getOperation()})
      if (!layer->hasOneUse())
        return reportMissed(layer, kFlag, describeUses(layer->getResult(0)), counts);
    if (std::string why = describeUnmergeable(bn); !why.empty())
      return reportMissed(bn, kFlag, why, counts);
    return merge({conv, bn, act, pool}, concatParts({conv, bn}), conv.getGeometryAttr(),
                 bn.getEpsAttr(), bn.getMomentumAttr(), act.getKindAttr(), pool, rewriter);
  }

  LogicalResult merge(ArrayRef<Operation *> chain, ArrayAttr parts, ConvAttr geometry,
                      FloatAttr eps, FloatAttr momentum, ActivationAttr act, MaxPoolOp pool,
                      PatternRewriter &rewriter) const {
    Operation *head = chain.front();
    rewriter.setInsertionPoint(pool);
    auto merged = CbrpOp::create(rewriter, fuseLocations(chain), pool.getType(),
                                 head->getOperand(0), parts, geometry, eps, momentum, act,
                                 pool.getWindowAttr(), head->getAttrOfType<UnitAttr>("first"));
    reportMerged(chain, merged, kFlag, kReadAlone, counts);
    replaceChain(rewriter, chain, merged);
    return success();
  }

  MergeCounts *counts;
};

struct ArchMergeCbrpPass
    : MergePass<tr::impl::ArchMergeCbrpBase<ArchMergeCbrpPass>, populateArchMergeCbrpPatterns> {};
} // namespace

void tr::populateArchMergeCbrpPatterns(RewritePatternSet &patterns, MergeCounts *counts) {
  patterns.add<MergeCbrp>(patterns.getContext(), counts);
}
