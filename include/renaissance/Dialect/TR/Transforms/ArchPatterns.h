// SPDX-License-Identifier: Apache-2.0
//
// What the passes of `tr.arch` are made of, for use in other passes: pattern sets
// and functions on one network. The sets of the normalisations need one forward walk
// (`walkAndApplyPatterns`), not a fixed point.
#ifndef RENAISSANCE_DIALECT_TR_TRANSFORMS_ARCHPATTERNS_H
#define RENAISSANCE_DIALECT_TR_TRANSFORMS_ARCHPATTERNS_H

#include "renaissance/Dialect/TR/IR/ArchOps.h"

#include "mlir/IR/PatternMatch.h"

namespace tr {

/// `bn` to `bn1d` or `bn2d` by the layer that its input comes from.
void populateArchRenameBnPatterns(mlir::RewritePatternSet &patterns);

/// Drops every loss but the one that the network yields; adds that one.
void populateArchNormalizeSoftmaxCePatterns(mlir::RewritePatternSet &patterns);

/// Drops identities, puts one into an empty shortcut and before a first
/// layer that cannot read the images itself.
void populateArchNormalizeIdentityPatterns(mlir::RewritePatternSet &patterns);

/// Drops or inserts Flatten before FC layers and the loss. Needs shapes.
void populateArchNormalizeFlattenPatterns(mlir::RewritePatternSet &patterns);

/// Gives every value of the network the shape that its layer computes. Reports
/// the first layer whose input does not fit. `changed` counts the results whose type
/// became another one.
llvm::LogicalResult inferArchShapes(arch::NetworkOp network, int64_t *changed = nullptr);

/// Marks the one layer that reads the images as `first` and no other; an identity
/// that stands before a layer that could read them itself is dropped. Ends merging,
/// and runs without fusion as well.
llvm::LogicalResult markFirstArchLayer(arch::NetworkOp network);

} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_TRANSFORMS_ARCHPATTERNS_H
