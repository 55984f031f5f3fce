// SPDX-License-Identifier: Apache-2.0
//
// Filling memory that holds nothing with NaN, so that whoever reads it shows.
#ifndef TRRT_SESSION_POISON_H
#define TRRT_SESSION_POISON_H

#include "backend/backend.h"
#include "plan/plan.h"

#include <vector>

namespace trrt {

// Bytes of the arena that hold nothing after a node.
struct DeadBytes {
  uint32_t node;
  uint64_t offset, bytes;
};

// In the order of the nodes. What another tensor has been written over is not dead.
std::vector<DeadBytes> findDeadBytes(const Plan &plan, const Schedule &schedule);

// A captured schedule taken apart: each node a capture of its own, with a fill of what died
// after it, and of the whole pool before the first.
class PoisonedSteps {
public:
  PoisonedSteps(const Plan &plan, const Schedule &schedule, std::vector<CaptureId> nodes);

  void run(Backend &device, uint8_t *arena) const;

private:
  std::vector<CaptureId> nodes;
  std::vector<DeadBytes> dead;
  std::vector<RegionExtent> pool;
};

} // namespace trrt

#endif // TRRT_SESSION_POISON_H
