// SPDX-License-Identifier: Apache-2.0
//
// Interfaces of the `tr` dialect.
#ifndef RENAISSANCE_DIALECT_TR_IR_TRINTERFACES_H
#define RENAISSANCE_DIALECT_TR_IR_TRINTERFACES_H

#include "renaissance/Dialect/TR/IR/LayerFields.h"
#include "renaissance/Dialect/TR/IR/Signature.h"
#include "renaissance/Dialect/TR/IR/TRDialect.h"

#include "mlir/IR/OpDefinition.h"

namespace tr {
class LayerChain;
class LayerDescription;
struct LayerSite;
class TensorBuilder;
} // namespace tr

namespace tr::detail {
/// A tensor ?xHxWxC of f32 without an encoding, whose extents are `?` or fit checkExtents().
llvm::LogicalResult checkLayerType(mlir::Type type,
                                   llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
/// What every layer promises: one operand, one result, a part, agreeing types.
llvm::LogicalResult verifyLayer(mlir::Operation *op);
llvm::LogicalResult verifyBranches(mlir::Operation *op);
llvm::StringRef getLayerKind(mlir::Operation *op);
/// Appends the op of `tr.arch` that has the name and the attributes of `node`.
llvm::LogicalResult expandAlike(mlir::Operation *node, LayerChain &chain, const LayerSite &site);

/// Extents of at least 1 and fewer than 2^31 elements in all, so that later sums and
/// products of them cannot overflow.
llvm::LogicalResult checkExtents(ImageShape shape,
                                 llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
} // namespace tr::detail

#include "renaissance/Dialect/TR/IR/TRInterfaces.h.inc"

namespace tr {

/// An error at the layer that names it, and the variant if there is one:
/// "conv layer '0.conv': under variant 'val_base': ".
mlir::InFlightDiagnostic emitLayerError(mlir::Operation *op, llvm::StringRef variant = "");

/// What the layer reads: its operand, or what its branches yield.
llvm::SmallVector<mlir::Value, 2> getLayerInputs(LayerOpInterface layer);

} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_IR_TRINTERFACES_H
