// SPDX-License-Identifier: Apache-2.0
//
// Interfaces of the `tr` dialect.
#ifndef RENAISSANCE_DIALECT_TR_IR_TRINTERFACES_H
#define RENAISSANCE_DIALECT_TR_IR_TRINTERFACES_H

#include "renaissance/Dialect/TR/IR/TRDialect.h"

#include "mlir/IR/OpDefinition.h"

namespace tr {
class LayerDescription;
} // namespace tr

namespace tr::detail {
/// What every layer promises: one operand, one result, a part, agreeing types.
llvm::LogicalResult verifyLayer(mlir::Operation *op);

/// Extents of at least 1 and fewer than 2^31 elements in all, so that later sums and
/// products of them cannot overflow.
llvm::LogicalResult checkExtents(ImageShape shape,
                                 llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
} // namespace tr::detail

#include "renaissance/Dialect/TR/IR/TRInterfaces.h.inc"

#endif // RENAISSANCE_DIALECT_TR_IR_TRINTERFACES_H
