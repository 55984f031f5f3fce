// SPDX-License-Identifier: Apache-2.0
//
// A convolution, its batch normalisation and an activation become one layer.
#include "MergeSupport.h"

#include "renaissance/Dialect/TR/Transforms/Passes.h"

namespace tr {
#define GEN_PASS_DEF_ARCHMERGECBR
#include "renaissance/Dialect/TR/Transforms/ArchPasses.h.inc"
} // namespace tr

using namespace mlir;
using namespace tr;
using namespace tr::arch;

namespace {
constexpr StringLiteral kFlag = "tr-arch-merge-cbr";

struct MergeCbr : OpRewritePattern<Bn2dOp> {
  MergeCbr(MLIRContext *context, MergeCounts *counts) : OpRewritePattern(context), counts(counts) {}

  LogicalResult matchAndRewrite(Bn2dOp bn, PatternRewriter &rewriter) const override {
    auto conv = getDefiningOpIn<ConvOp>(bn->getBlock(), bn.getInput());
    if (!conv)
      return failure();
    if (!conv->hasOneUse())
      return reportMissed(conv, kFlag, describeUses(conv.getOutput()), counts);
    if (std::string why = describeUnmergeable(bn); !why.empty())
      return reportMissed(bn, kFlag, why, counts);
    Operation *user = getSoleUser(bn.getOutput());
    if (!user)
      return reportMissed(bn, kFlag, describeUses(bn.getOutput()), counts);
    auto act = dyn_cast<ActOp>(user);
    if (!act || act.getKind() == Activation::None)
      return reportMissed(
          bn, kFlag, "expected an activation after " + describe(bn) + ", but got " + describe(user),
          counts);
    Operation *chain[] = {conv, bn, act};
    rewriter.setInsertionPoint(act);
    auto cbr = CbrOp::create(rewriter, fuseLocations(chain), act.getType(), conv.getInput(),
                             concatParts({conv, bn}), conv.getGeometryAttr(), bn.getEpsAttr(),
                             bn.getMomentumAttr(), act.getKindAttr(), conv.getFirstAttr());
    reportMerged(chain, cbr, kFlag, kReadAlone, counts);
    replaceChain(rewriter, chain, cbr);
    return success();
  }

  MergeCounts *counts;
};

struct ArchMergeCbrPass
    : MergePass<tr::impl::ArchMergeCbrBase<ArchMergeCbrPass>, populateArchMergeCbrPatterns> {};
} // namespace

void tr::populateArchMergeCbrPatterns(RewritePatternSet &patterns, MergeCounts *counts) {
  patterns.add<MergeCbr>(patterns.getContext(), counts);
}
