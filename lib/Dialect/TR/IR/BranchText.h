// SPDX-License-Identifier: Apache-2.0
//
// Text of the branches of joins, in both families. Where a text breaks off, a branch may name what
// a later one defines, which goes first; the parser that TableGen writes for several regions does
// not reckon with that, and this one does.
#ifndef RENAISSANCE_LIB_DIALECT_TR_IR_BRANCHTEXT_H
#define RENAISSANCE_LIB_DIALECT_TR_IR_BRANCHTEXT_H

#include "mlir/IR/OpImplementation.h"

namespace tr {

/// `shortcut {...} stem {...}`
mlir::ParseResult parseSumBranches(mlir::OpAsmParser &parser, mlir::Region &shortcut,
                                   mlir::Region &stem);
void printSumBranches(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::Region &shortcut,
                      mlir::Region &stem);

/// `a {...} b {...}`
mlir::ParseResult parseProductBranches(mlir::OpAsmParser &parser, mlir::Region &a, mlir::Region &b);
void printProductBranches(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::Region &a,
                          mlir::Region &b);

/// `{...}, {...}`
mlir::ParseResult parsePieces(mlir::OpAsmParser &parser,
                              llvm::SmallVectorImpl<std::unique_ptr<mlir::Region>> &pieces);
void printPieces(mlir::OpAsmPrinter &printer, mlir::Operation *,
                 llvm::MutableArrayRef<mlir::Region> pieces);

} // namespace tr

#endif // RENAISSANCE_LIB_DIALECT_TR_IR_BRANCHTEXT_H
