// SPDX-License-Identifier: Apache-2.0
//
// The channels that get to a call while a tree is being built: `cin` of the language.
#ifndef RENAISSANCE_LIB_TARGET_BLUEPRINT_EXTENTTRACKER_H
#define RENAISSANCE_LIB_TARGET_BLUEPRINT_EXTENTTRACKER_H

#include "renaissance/Dialect/TR/IR/LayerChain.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tr::blueprint {

/// Follows the layers of a tree in their order, through a network that nobody else sees, so that
/// every layer has the one rule for its extents. Reports what a layer cannot take, at its place and
/// under its path, as --tr-arch-expand-tree would.
class ExtentTracker {
public:
  ExtentTracker(mlir::Location loc, ImageShape input, int64_t classes);

  int64_t getChannels() const { return chain->getShape().c; }

  /// A layer without layers of its own.
  llvm::LogicalResult add(mlir::Operation *layer, llvm::StringRef path);
  void openJoin(mlir::Operation *join, llvm::StringRef path);
  void openBranch(unsigned index);
  void closeJoin();
  /// After the body of a repeat was added once: the other times.
  llvm::LogicalResult repeat(mlir::Operation *repeat, llvm::StringRef path);

private:
  llvm::LogicalResult replay(mlir::Operation *layer, llvm::StringRef path);
  llvm::LogicalResult replayLayers(mlir::Region &region, llvm::StringRef path);

  mlir::OwningOpRef<mlir::ModuleOp> scratch;
  std::optional<LayerChain> chain;
  llvm::SmallVector<OpenJoin> joins;
};

} // namespace tr::blueprint

#endif // RENAISSANCE_LIB_TARGET_BLUEPRINT_EXTENTTRACKER_H
