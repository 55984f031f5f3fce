// SPDX-License-Identifier: Apache-2.0
//
// A plan on a device: every kernel call bound to places in the arena, once for each capture
// number of the atlas, and one captured graph for each variant and schedule.
#ifndef TRRT_SESSION_BOUND_PLAN_H
#define TRRT_SESSION_BOUND_PLAN_H

#include "device/device.h"
#include "session/input_half.h"

#include <functional>
#include <map>

namespace trrt {

// Takes one line of text.
using WarningSink = std::function<void(const std::string &)>;

class BoundPlan {
public:
  static constexpr CaptureId kNoCapture = trf::kNone;
  // A schedule as a variant runs it.
  struct Captured {
    CaptureId capture = kNoCapture; // none: the variant does not run one of its subgraphs
    const std::vector<CallId> *calls = nullptr;
    const trf::StepSchedule *schedule = nullptr;
  };

  BoundPlan(const trf::Plan &plan, Device &device) : plan(&plan), device(&device) {}

  // Throws Error where the device cannot run an op. A layer that runs on a slow implementation
  // is a warning, once.
  void bind(const InputHalves &halves, const WarningSink &warn);
  // After bind() and the device's finishBinding().
  void capture();

  const Captured &find(uint32_t variant, trf::Schedule schedule) const {
    return schedules[variant][static_cast<size_t>(schedule)];
  }
  // Of a subgraph that runs between steps and so depends on no batch: any variant's form will
  // do. None where it is empty, as the folding of a network without BN.
  CaptureId findBetween(trf::Subgraph subgraph) const { return between.at(subgraph); }

private:
  // The bound calls of the subgraphs that share one capture number.
  struct BoundSubgraph {
    uint32_t firstOp = 0;
    std::vector<CallId> calls;
  };
  using Schedules = std::array<Captured, trf::kCount<trf::Schedule>>;

  Captured captureOnce(const Graph &graph);
  Captured captureSchedule(uint32_t variant, const trf::StepSchedule &schedule);
  CaptureId captureBetween(uint32_t variant, trf::Subgraph subgraph);

  const trf::Plan *plan;
  Device *device;
  std::map<uint32_t, BoundSubgraph> bound; // by capture number
  std::map<std::vector<CallId>, CaptureId> captured;
  std::vector<Schedules> schedules; // [variant]
  std::map<trf::Subgraph, CaptureId> between;
};

} // namespace trrt

#endif // TRRT_SESSION_BOUND_PLAN_H
