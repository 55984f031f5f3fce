// SPDX-License-Identifier: Apache-2.0
//
// What each kernel op of a program reads and writes, as tensor ids.
#ifndef RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_GRAPH_STEPACCESSES_H
#define RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_GRAPH_STEPACCESSES_H

#include "StepDag.h"

#include "renaissance/Dialect/TR/IR/GraphOps.h"

namespace tr {

/// A kernel op with its accesses; positions in the list are those that schedules name.
struct StepOp {
  mlir::Operation *op;
  int64_t graph;
  Accesses accesses;
  /// Pairs (input, output) that may be one place, by the kernel-op table.
  llvm::SmallVector<std::pair<uint32_t, uint32_t>, 1> inPlace;
};

/// All kernel ops in program order. A range operand counts as every tensor of its regions.
std::vector<StepOp> collectStepOps(graph::ProgramOp program);

/// The pieces of the tensor table.
Pieces getPieces(graph::ProgramOp program);

/// Whether two tensors have as many bytes under every variant, so that one may lie on the other
/// where the kernel-op table says so. Equal slots do not tell: they are rounded up.
bool haveEqualSizes(graph::TensorOp a, graph::TensorOp b);

/// Offsets and slots of the tensor table; empty when a tensor has none.
std::vector<Extent> getExtents(graph::ProgramOp program);

/// Edges as the schedule op holds them: (from, to) flattened.
llvm::SmallVector<int64_t> flattenEdges(llvm::ArrayRef<llvm::SmallVector<uint32_t, 2>> before);

} // namespace tr

#endif // RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_GRAPH_STEPACCESSES_H
