// SPDX-License-Identifier: Apache-2.0
//
// What a finished program needs of memory, for reports. All sizes are slot bytes.
#ifndef RENAISSANCE_DIALECT_TR_TRANSFORMS_MEMORYUSE_H
#define RENAISSANCE_DIALECT_TR_TRANSFORMS_MEMORYUSE_H

#include "renaissance/Dialect/TR/IR/GraphOps.h"

namespace tr {

/// A tensor of the pool: alive at nodes [lower, upper) of the schedule, at an offset from the
/// start of the pool.
struct PooledTensor {
  graph::TensorOp tensor;
  int64_t lower = 0, upper = 0, bytes = 0, offset = 0;
};

/// The pooled tensors of training, or of validation and inference.
struct ScheduleMemory {
  bool training = false;
  int64_t peakBytes = 0;              ///< end of the highest tensor in the pool
  int64_t boundBytes = 0;             ///< the most that is alive at one kernel op: no plan is lower
  int64_t noReuseBytes = 0;           ///< sum over all tensors
  graph::ScheduleOp schedule;         ///< the nodes that lifetimes count; null: none
  int64_t fullestNode = 0;            ///< where the bound is
  mlir::Operation *fullest = nullptr; ///< the kernel op there
  std::vector<PooledTensor> tensors;  ///< by tensor id
};

struct MemoryUse {
  int64_t arenaBytes = 0;
  int64_t poolBytes = 0; ///< of all pooled regions together
  bool reuse = false;    ///< the pooled regions are one place
  std::vector<ScheduleMemory> schedules;
  int64_t getPersistentBytes() const { return arenaBytes - poolBytes; }
};

/// Whether `tensor` is alive where the bound of `schedule` is.
inline bool isAliveAtBound(const ScheduleMemory &schedule, const PooledTensor &tensor) {
  return tensor.lower <= schedule.fullestNode && schedule.fullestNode < tensor.upper;
}

/// Errors: a program without slots or offsets, as before `--tr-graph-pipeline`.
mlir::FailureOr<MemoryUse> measureMemory(graph::ProgramOp program);

} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_TRANSFORMS_MEMORYUSE_H
