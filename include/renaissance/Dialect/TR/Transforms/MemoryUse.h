// SPDX-License-Identifier: Apache-2.0
//
// What a finished program needs of memory, for reports. All sizes are slot bytes.
#ifndef RENAISSANCE_DIALECT_TR_TRANSFORMS_MEMORYUSE_H
#define RENAISSANCE_DIALECT_TR_TRANSFORMS_MEMORYUSE_H

#include "renaissance/Dialect/TR/IR/GraphOps.h"

namespace tr {

/// The pooled tensors of training, or of validation and inference.
struct ScheduleMemory {
  bool training = false;
  int64_t peakBytes = 0;    ///< end of the highest tensor in the pool; without reuse the sum
  int64_t boundBytes = 0;   ///< the most that is alive at one kernel op: no plan is lower
  int64_t noReuseBytes = 0; ///< sum over all tensors
  mlir::Operation *fullest = nullptr; ///< the kernel op of the bound
  std::vector<graph::TensorOp> alive; ///< at that op, by tensor id
};

struct MemoryUse {
  int64_t arenaBytes = 0;
  int64_t poolBytes = 0; ///< of all pooled regions together
  bool reuse = false;    ///< the pooled regions are one place
  std::vector<ScheduleMemory> schedules;
  int64_t getPersistentBytes() const { return arenaBytes - poolBytes; }
};

/// Errors: a program without slots or offsets, as before `--tr-graph-pipeline`.
mlir::FailureOr<MemoryUse> measureMemory(graph::ProgramOp program);

} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_TRANSFORMS_MEMORYUSE_H
