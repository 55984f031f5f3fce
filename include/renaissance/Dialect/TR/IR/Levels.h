// SPDX-License-Identifier: Apache-2.0
//
// The levels that a network passes through (`tr.bp.model`, `tr.arch.network`,
// `tr.graph.program`), and what passes require of the module or network that they are given.
#ifndef RENAISSANCE_DIALECT_TR_IR_LEVELS_H
#define RENAISSANCE_DIALECT_TR_IR_LEVELS_H

#include "renaissance/Dialect/TR/IR/ArchOps.h"

#include "mlir/IR/BuiltinOps.h"

namespace tr {

/// Fails at the first op of the network, at any depth, that is neither a layer nor a yield.
llvm::LogicalResult requireOnlyLayers(arch::NetworkOp network);

/// Fails at a model, network or program called `opName` that stands deeper in the module, as in a
/// module of its own, where a pass over `module` would miss it.
llvm::LogicalResult requireAtTop(mlir::ModuleOp module, llvm::StringRef opName);

/// Reports that `module` has no `opName`, with what it has instead; always failure.
llvm::LogicalResult reportNoneOf(mlir::ModuleOp module, llvm::StringRef opName);

/// Tells whoever listens to remarks why the pass with this flag left `where` as it is.
void reportNothingToDo(mlir::Operation *where, llvm::StringRef flag, llvm::StringRef reason);

} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_IR_LEVELS_H
