// SPDX-License-Identifier: Apache-2.0
//
// Entry points of the rewrites that merge layers. The patterns work
// under any driver; `applyPatternsOnce` is the one that the passes use.
#ifndef RENAISSANCE_DIALECT_TR_TRANSFORMS_MERGEPATTERNS_H
#define RENAISSANCE_DIALECT_TR_TRANSFORMS_MERGEPATTERNS_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace tr {

/// What the merging patterns did, for the statistics of their pass.
struct MergeCounts {
  unsigned merged = 0;
  /// Near misses: candidates that stayed as they were.
  unsigned missed = 0;
};

/// Residual blocks and inverted residuals -> one layer each.
void populateArchMergeBlocksPatterns(mlir::RewritePatternSet &patterns,
                                     MergeCounts *counts = nullptr);

/// conv, bn2d, act, maxpool or cbr, maxpool -> cbrp.
void populateArchMergeCbrpPatterns(mlir::RewritePatternSet &patterns,
                                   MergeCounts *counts = nullptr);

/// conv, bn2d, act -> cbr.
void populateArchMergeCbrPatterns(mlir::RewritePatternSet &patterns, MergeCounts *counts = nullptr);

/// gap, fc -> gap_fc.
void populateArchMergeGapFcPatterns(mlir::RewritePatternSet &patterns,
                                    MergeCounts *counts = nullptr);

/// Tries the patterns once on every op below `root` that stands there at the start,
/// innermost regions first. Unlike `walkAndApplyPatterns` it lets a pattern erase any
/// op, also one that would be visited later.
void applyPatternsOnce(mlir::Operation *root, const mlir::FrozenRewritePatternSet &patterns);

} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_TRANSFORMS_MERGEPATTERNS_H
