// SPDX-License-Identifier: Apache-2.0
//
// When the tensors of the pool are alive in a schedule, and what memory that takes.
#ifndef TRF_LIVENESS_H
#define TRF_LIVENESS_H

#include "trf/plan.h"

namespace trf {

// Alive at nodes [lower, upper) of the schedule.
struct Lifetime {
  uint32_t tensor = kNone;
  uint32_t lower = 0, upper = 0;
  uint64_t bytes = 0;     // of the slot
  uint64_t offset = 0;    // from the start of the pool
  bool takenOver = false; // the op at `upper` writes its result over the tensor
};

struct ScheduleMemory {
  std::vector<Lifetime> lifetimes; // by tensor
  uint64_t peak = 0;               // highest end of a tensor
  uint64_t lowerBound = 0;         // most bytes that are alive at one node
  uint64_t noReuse = 0;            // bytes of all tensors
};

// Tensors of no layer are read between steps: they live at all nodes.
ScheduleMemory measureMemory(const Plan &plan, const StepSchedule &schedule);

// The schedule that stands for training or for inference; null where there is none. The two
// schedules of an input half are alike.
const StepSchedule *findSchedule(const Plan &plan, bool training);

// Bytes of the arena that pooled regions take.
uint64_t poolBytes(const Plan &plan);

// Whether two tensors of layers share bytes, so that a tensor is gone after its last reader.
bool reusesMemory(const Plan &plan);

} // namespace trf

#endif // TRF_LIVENESS_H
