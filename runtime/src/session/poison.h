// SPDX-License-Identifier: Apache-2.0
//
// Filling memory that holds nothing with NaN, so that whoever reads it shows.
#ifndef TRRT_SESSION_POISON_H
#define TRRT_SESSION_POISON_H

#include "device/device.h"

namespace trrt {

// Bytes of the arena that hold nothing after a node.
struct DeadBytes {
  uint32_t node;
  uint64_t offset, bytes;
};

// In the order of the nodes. What another tensor has been written over is not dead.
std::vector<DeadBytes> findDeadBytes(const trf::Plan &plan, const trf::StepSchedule &schedule);

// A captured schedule taken apart: each node a capture of its own, with a fill of what died
// after it, and of the whole pool before the first.
class PoisonedSteps {
public:
  // `calls` are those of the schedule's nodes.
  PoisonedSteps(const trf::Plan &plan, const trf::StepSchedule &schedule,
                const std::vector<CallId> &calls, Device &device);

  void run(Device &device) const;

private:
  std::vector<CaptureId> nodes;
  std::vector<DeadBytes> dead;
  std::vector<trf::RegionInfo> pool;
};

} // namespace trrt

#endif // TRRT_SESSION_POISON_H
