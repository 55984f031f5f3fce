// SPDX-License-Identifier: Apache-2.0
//
// What the merging patterns share: looking along single-use chains, the parts and
// location of a merged layer, and the report of a near miss.
#ifndef RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_ARCH_MERGESUPPORT_H
#define RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_ARCH_MERGESUPPORT_H

#include "../LevelPass.h"

#include "renaissance/Dialect/TR/IR/ArchOps.h"
#include "renaissance/Dialect/TR/Transforms/Counts.h"
#include "renaissance/Dialect/TR/Transforms/MergePatterns.h"

namespace tr::arch {

/// The user of `value` if it is the only use and stands in the block of `value`.
mlir::Operation *getSoleUser(mlir::Value value);

/// The op that defines `value` if it stands in `block`.
template <typename OpTy> OpTy getDefiningOpIn(mlir::Block *block, mlir::Value value) {
  auto op = value.getDefiningOp<OpTy>();
  return op && op->getBlock() == block ? op : OpTy();
}

/// "tr.arch.conv '3.conv'", for messages.
std::string describe(mlir::Operation *op);

/// Why `value` has no sole user: "expected one use of ..., but got 2".
std::string describeUses(mlir::Value value);

/// Why no fused layer has a normalisation like this one, or nothing.
std::string describeUnmergeable(Bn2dOp bn);

/// Parts of the layers in order.
mlir::ArrayAttr concatParts(mlir::ArrayRef<mlir::Operation *> layers);

/// One location for a layer made of `layers`.
mlir::Location fuseLocations(mlir::ArrayRef<mlir::Operation *> layers);

/// Gives `merged` the attributes that other passes have put on its layers.
void copyDiscardableAttributes(mlir::ArrayRef<mlir::Operation *> layers, mlir::Operation *merged);

/// Replaces the chain `layers`, whose last op stands for all of them, by `merged`.
void replaceChain(mlir::PatternRewriter &rewriter, mlir::ArrayRef<mlir::Operation *> layers,
                  mlir::Operation *merged);

/// A pass that applies one of the merging pattern sets, unless `#tr.options` says not to fuse.
template <typename Base, void (*populate)(mlir::RewritePatternSet &, MergeCounts *)>
struct MergePass : LevelPass<Base, NetworkOp> {
  llvm::LogicalResult runOn(NetworkOp network) override {
    llvm::StringRef flag = Base::getArgumentName();
    MergeCounts counts;
    if (getOptions(network).getValues().fuse) {
      mlir::RewritePatternSet patterns(&this->getContext());
      populate(patterns, &counts);
      applyPatternsOnce(network, std::move(patterns));
    } else {
      reportNothingToDo(network, flag, "#tr.options says fuse = false");
    }
    addCount(this->numMerged, flag, "num-merged", counts.merged, network);
    addCount(this->numNearMisses, flag, "num-near-misses", counts.missed, network);
    return mlir::success();
  }
};

/// A near miss of the pass with this flag at `op`: counts it, tells it to whoever
/// listens to remarks, and returns failure.
mlir::LogicalResult reportMissed(mlir::Operation *op, llvm::StringRef flag,
                                 const llvm::Twine &reason, MergeCounts *counts);

/// A merge of `layers`, which are still there, into `merged` by the pass with this flag: counts it,
/// tells it and why to whoever listens to remarks.
void reportMerged(mlir::ArrayRef<mlir::Operation *> layers, mlir::Operation *merged,
                  llvm::StringRef flag, const llvm::Twine &reason, MergeCounts *counts);

/// The reason of a merge of layers in a row.
inline constexpr llvm::StringLiteral kReadAlone = "each is read by the next alone";

} // namespace tr::arch

#endif // RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_ARCH_MERGESUPPORT_H
