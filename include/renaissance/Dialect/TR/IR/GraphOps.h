// SPDX-License-Identifier: Apache-2.0
//
// Ops of the `tr.graph` family.
#ifndef RENAISSANCE_DIALECT_TR_IR_GRAPHOPS_H
#define RENAISSANCE_DIALECT_TR_IR_GRAPHOPS_H

#include "renaissance/Dialect/TR/IR/TRDialect.h"
#include "renaissance/Dialect/TR/IR/TRInterfaces.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "renaissance/Dialect/TR/IR/GraphOps.h.inc"

namespace tr::graph {

/// No place in an arena, and no arena, is larger; sums of two never overflow.
inline constexpr int64_t kMostBytes = int64_t(1) << 60;

/// Positions of regions that lie side by side, both included.
struct RegionRun {
  size_t first, last;
};

/// Attributes of a kernel op by name; a later one that has the value of calls without it is left
/// out.
mlir::DictionaryAttr makeValues(mlir::Builder &builder, const trf::OpInfo &info,
                                llvm::ArrayRef<trf::Attr> attrs);
/// One of them as it stands or, where it is left out, as calls without it have it; null: neither.
mlir::Attribute getValue(ComputeOp op, const trf::AttrInfo &attr);
/// An integer that the op has.
int64_t getInt(ComputeOp op, llvm::StringRef name);

/// Where the regions of range operand `index` lie among the program's regions. Errors: none of them
/// is there, or another one lies between.
mlir::FailureOr<RegionRun> findRun(RangeOp op, unsigned index, llvm::ArrayRef<RegionOp> regions);

} // namespace tr::graph

#endif // RENAISSANCE_DIALECT_TR_IR_GRAPHOPS_H
