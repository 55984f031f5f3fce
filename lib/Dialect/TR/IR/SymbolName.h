// SPDX-License-Identifier: Apache-2.0
//
// The name of a model, network or program.
#ifndef RENAISSANCE_LIB_DIALECT_TR_IR_SYMBOLNAME_H
#define RENAISSANCE_LIB_DIALECT_TR_IR_SYMBOLNAME_H

#include "mlir/IR/SymbolTable.h"

namespace tr {

/// An empty name prints as text that does not parse.
inline llvm::LogicalResult checkSymbolName(mlir::Operation *op) {
  if (!mlir::SymbolTable::getSymbolName(op).empty())
    return mlir::success();
  return op->emitOpError("expected a name, but got an empty one");
}

} // namespace tr

#endif // RENAISSANCE_LIB_DIALECT_TR_IR_SYMBOLNAME_H
