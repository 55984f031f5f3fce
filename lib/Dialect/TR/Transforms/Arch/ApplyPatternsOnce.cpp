// SPDX-License-Identifier: Apache-2.0
//
// A one-walk pattern driver for rewrites that merge several ops into one.
#include "renaissance/Dialect/TR/Transforms/MergePatterns.h"

#include "mlir/Rewrite/PatternApplicator.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace {
// Remembers which ops are gone. A later op may be allocated at the address of an
// erased one, but only ops that existed before the walk are looked up.
struct ErasureTracker : RewriterBase::Listener {
  void notifyOperationErased(Operation *op) override { erased.insert(op); }
  llvm::DenseSet<Operation *> erased;
};
} // namespace

void tr::applyPatternsOnce(Operation *root, const FrozenRewritePatternSet &patterns) {
  SmallVector<Operation *> worklist;
  for (Region &region : root->getRegions())
    region.walk([&](Operation *op) { worklist.push_back(op); });

  PatternRewriter rewriter(root->getContext());
  ErasureTracker tracker;
  rewriter.setListener(&tracker);
  PatternApplicator applicator(patterns);
  applicator.applyDefaultCostModel();
  for (Operation *op : worklist) {
    if (tracker.erased.contains(op))
      continue;
    rewriter.setInsertionPoint(op);
    (void)applicator.matchAndRewrite(op, rewriter);
  }
}
