// SPDX-License-Identifier: Apache-2.0
//
// Small questions about layers that several passes of `tr.arch` ask.
#ifndef RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_ARCH_LAYERS_H
#define RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_ARCH_LAYERS_H

#include "renaissance/Dialect/TR/IR/ArchOps.h"

#include "mlir/IR/PatternMatch.h"

#include <string>

namespace tr::arch {

/// The plan that holds `op`.
PlanOp planOf(mlir::Operation *op);

/// The images: the argument of the plan's block.
mlir::Value imagesOf(PlanOp plan);

/// The yield at the end of a plan or branch.
YieldOp yieldOf(mlir::Region &region);

/// "conv" for `tr.arch.conv`.
llvm::StringRef kindOf(mlir::Operation *op);

/// The path of a layer or an add2.
llvm::StringRef pathOf(mlir::Operation *op);

/// An error at the layer that names it: "conv layer '0.conv': ".
mlir::InFlightDiagnostic emitLayerError(mlir::Operation *op);

/// `base`, or `base_2` and so on where a part of the plan is called that already.
std::string uniquePath(PlanOp plan, llvm::StringRef base);

/// Extents of a value, or failure where one is not inferred yet.
llvm::FailureOr<ImageShape> shapeOf(mlir::Value value);

/// `tensor<?xHxWxCxf32>`.
mlir::RankedTensorType tensorOf(mlir::MLIRContext *context, ImageShape shape);

/// Replaces a layer by its input, which may be of a more or less refined type.
void replaceByInput(mlir::RewriterBase &rewriter, mlir::Operation *layer);

/// True where the layer could be the only reader of the images: no add2, no loss.
bool canBeFirst(mlir::Operation *op);

} // namespace tr::arch

#endif // RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_ARCH_LAYERS_H
