// SPDX-License-Identifier: Apache-2.0
//
// When the tensors of the pooled regions are alive, by the schedules of a program.
#ifndef RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_GRAPH_POOLLIFETIMES_H
#define RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_GRAPH_POOLLIFETIMES_H

#include "StepAccesses.h"

namespace tr {

/// Nodes [lower, upper) of a schedule.
struct Lifetime {
  uint32_t tensor;
  int64_t lower, upper;
};

/// Tensors that take over each other's place: one buffer for the planner.
struct PoolBuffer {
  int64_t lower, upper, bytes;
  llvm::SmallVector<uint32_t, 1> tensors;
};

/// What is packed together: training, or validation and inference.
struct PoolGroup {
  bool training = false;
  std::vector<Lifetime> lifetimes; ///< by tensor id
  std::vector<PoolBuffer> buffers;
};

struct PoolLifetimes {
  std::vector<uint32_t> residents; ///< alive at every node, by tensor id
  std::vector<PoolGroup> groups;   ///< those that some schedule belongs to
};

/// With `inPlace`, an input that an output may take over dies where the output is born.
/// Pooled tensors have slots. Errors: a kernel op works on whole pooled regions.
mlir::FailureOr<PoolLifetimes> findPoolLifetimes(graph::ProgramOp program,
                                                 llvm::ArrayRef<StepOp> ops, bool inPlace = true);

} // namespace tr

#endif // RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_GRAPH_POOLLIFETIMES_H
