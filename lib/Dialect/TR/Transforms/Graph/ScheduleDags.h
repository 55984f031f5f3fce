// SPDX-License-Identifier: Apache-2.0
//
// The DAGs of a program's schedules, each computed once. Most schedules repeat another
// one: B does on the second input half what A does on the first, and inference is the
// beginning of validation.
#ifndef RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_GRAPH_SCHEDULEDAGS_H
#define RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_GRAPH_SCHEDULEDAGS_H

#include "StepAccesses.h"

namespace tr {

class ScheduleDags {
public:
  /// `ops` must live as long as this object.
  ScheduleDags(graph::ProgramOp program, llvm::ArrayRef<StepOp> ops);

  /// For each node the earlier nodes that it must wait for.
  llvm::ArrayRef<llvm::SmallVector<uint32_t, 2>> getEdges(llvm::ArrayRef<int64_t> nodes);

private:
  struct Known {
    llvm::SmallVector<int64_t> nodes;
    StepEdges edges;
  };

  std::vector<const Accesses *> getAccesses(llvm::ArrayRef<int64_t> nodes) const;
  bool begins(const Known &known, llvm::ArrayRef<int64_t> nodes, bool swapHalves) const;
  bool isSame(int64_t a, int64_t b, bool swapHalves) const;

  llvm::ArrayRef<StepOp> ops;
  std::vector<Extent> pool; // places of pooled tensors; others cannot overlap
  Pieces pieces;
  std::vector<uint32_t> partners; // of the tensors of an input half, itself for others
  std::vector<bool> readsHalf;    // by op
  std::vector<Known> known;
};

} // namespace tr

#endif // RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_GRAPH_SCHEDULEDAGS_H
