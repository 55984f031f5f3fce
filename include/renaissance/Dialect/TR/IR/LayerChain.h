// SPDX-License-Identifier: Apache-2.0
//
// Appends layers one after another and keeps the extents of the last result, on
// which the expansion of blocks and depthwise convolutions depends.
#ifndef RENAISSANCE_DIALECT_TR_IR_LAYERCHAIN_H
#define RENAISSANCE_DIALECT_TR_IR_LAYERCHAIN_H

#include "renaissance/Dialect/TR/IR/ArchOps.h"

#include "mlir/IR/Builders.h"

namespace tr {

/// Where a layer comes from: its place in the text and its path in the tree.
struct LayerSite {
  mlir::Location loc;
  llvm::StringRef path;
};

/// A layer that joins branches while those are being filled.
struct OpenJoin {
  mlir::Operation *op = nullptr;
  mlir::Value input;
  ImageShape shape;
};

class LayerChain {
public:
  /// Starts after `images`, at the end of its block. `classes` are the network's; with `fuse`,
  /// nodes that have a fused layer become that.
  LayerChain(mlir::BlockArgument images, ImageShape shape, int64_t classes, bool fuse);

  mlir::OpBuilder builder;

  ImageShape getShape() const { return shape; }
  mlir::Value getValue() const { return value; }
  int64_t getClasses() const { return classes; }
  bool fuses() const { return fuse; }

  /// Appends a layer whose parts are `path.part` for each of `parts`. Without parts
  /// the layer has `path` alone. Reports what the layer cannot take.
  template <typename OpT, typename... Args>
  llvm::LogicalResult append(const LayerSite &site, llvm::ArrayRef<llvm::StringRef> parts,
                             Args &&...args) {
    auto op = OpT::create(builder, site.loc, value.getType(), value,
                          makeParts(site.path, parts, OpT::getOperationName()),
                          std::forward<Args>(args)...);
    return finish(op);
  }
  /// The same for an op by name, with these attributes.
  llvm::LogicalResult append(const LayerSite &site, llvm::StringRef opName,
                             llvm::ArrayRef<llvm::StringRef> parts,
                             llvm::ArrayRef<mlir::NamedAttribute> attributes);
  /// The loss passes its input on, whatever its extents: a later pass moves it.
  void appendLoss(const LayerSite &site);

  /// Opens an op of branches; then, for each, openBranch() and its layers; then closeJoin().
  OpenJoin openJoin(const LayerSite &site, llvm::StringRef opName, unsigned branches);
  void openBranch(OpenJoin &join, unsigned index);
  void closeJoin(OpenJoin &join);

private:
  mlir::ArrayAttr makeParts(llvm::StringRef path, llvm::ArrayRef<llvm::StringRef> parts,
                            llvm::StringRef opName);
  llvm::LogicalResult finish(LayerOpInterface layer);
  mlir::Type makeType(ImageShape shape);

  mlir::Value value;
  ImageShape shape;
  int64_t classes;
  bool fuse;
};

} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_IR_LAYERCHAIN_H
