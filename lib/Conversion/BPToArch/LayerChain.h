// SPDX-License-Identifier: Apache-2.0
//
// Appends layers one after another and keeps the extents of the last result, on
// which the expansion of blocks and depthwise convolutions depends.
#ifndef RENAISSANCE_LIB_CONVERSION_BPTOARCH_LAYERCHAIN_H
#define RENAISSANCE_LIB_CONVERSION_BPTOARCH_LAYERCHAIN_H

#include "renaissance/Dialect/TR/IR/ArchOps.h"

#include "mlir/IR/Builders.h"

namespace tr {

/// Where a layer comes from: its place in the text and its path in the tree.
struct LayerSite {
  mlir::Location loc;
  llvm::StringRef path;
};

/// A sum whose branches are being filled.
struct OpenAdd2 {
  arch::Add2Op op;
  mlir::Value input;
  ImageShape shape;
};

class LayerChain {
public:
  /// Starts after `value`, at the end of its block.
  LayerChain(mlir::BlockArgument images, ImageShape shape);

  mlir::OpBuilder builder;

  ImageShape getShape() const { return shape; }
  mlir::Value getValue() const { return value; }

  /// Appends a layer whose parts are `path.part` for each of `parts`. Without parts
  /// the layer has `path` alone. Reports what the layer cannot take.
  template <typename OpT, typename... Args>
  llvm::LogicalResult append(LayerSite site, llvm::ArrayRef<llvm::StringRef> parts,
                             Args &&...args) {
    auto op = OpT::create(builder, site.loc, value.getType(), value,
                          makeParts(site.path, parts, OpT::getOperationName()),
                          std::forward<Args>(args)...);
    return finish(op);
  }
  /// The loss passes its input on, whatever its extents: a later step moves it.
  void appendLoss(LayerSite site, int64_t classes);

  OpenAdd2 openAdd2(LayerSite site); // then the layers of the shortcut
  void openStem(OpenAdd2 &sum);      // then the layers of the stem
  void closeAdd2(OpenAdd2 &sum);

private:
  mlir::ArrayAttr makeParts(llvm::StringRef path, llvm::ArrayRef<llvm::StringRef> parts,
                            llvm::StringRef opName);
  llvm::LogicalResult finish(LayerOpInterface layer);
  mlir::Type makeType(ImageShape shape);

  mlir::Value value;
  ImageShape shape;
};

/// Leaf layers and blocks; `classes` is the model's.
llvm::LogicalResult expandLeaf(LayerChain &chain, mlir::Operation *leaf, llvm::StringRef path,
                               int64_t classes, bool fuse);
namespace bp {
class BlockOp;
} // namespace bp
llvm::LogicalResult expandBlock(LayerChain &chain, bp::BlockOp block, LayerSite site, bool fuse);

} // namespace tr

#endif // RENAISSANCE_LIB_CONVERSION_BPTOARCH_LAYERCHAIN_H
