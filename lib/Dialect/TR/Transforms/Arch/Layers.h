// SPDX-License-Identifier: Apache-2.0
//
// What several passes of `tr.arch` ask about layers.
#ifndef RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_ARCH_LAYERS_H
#define RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_ARCH_LAYERS_H

#include "renaissance/Dialect/TR/IR/ArchOps.h"

#include "mlir/IR/PatternMatch.h"

#include <string>

namespace tr::arch {

/// The network that holds `op`.
NetworkOp networkOf(mlir::Operation *op);

/// The images: the argument of the network's block.
mlir::Value imagesOf(NetworkOp network);

/// The yield at the end of a network or branch.
YieldOp yieldOf(mlir::Region &region);

/// `base`, or `base_2` and so on where a part of the network is called that already.
std::string uniquePath(NetworkOp network, llvm::StringRef base);

/// Extents of a value, or failure where one is not inferred yet.
llvm::FailureOr<ImageShape> shapeOf(mlir::Value value);

/// `tensor<?xHxWxCxf32>`.
mlir::RankedTensorType tensorOf(mlir::MLIRContext *context, ImageShape shape);

/// Replaces a layer by its input, which may be of a more or less refined type.
void replaceByInput(mlir::RewriterBase &rewriter, mlir::Operation *layer);

/// True where the layer could be the only reader of the images: it joins no branches and is no
/// loss.
bool canBeFirst(mlir::Operation *op);

} // namespace tr::arch

#endif // RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_ARCH_LAYERS_H
