// SPDX-License-Identifier: Apache-2.0
//
// A plan that no file held, for checks that look at places and order alone: tensors of one
// layer wherever a test wants them, and a schedule of act_fwd.
#ifndef TRF_TEST_BARE_PLAN_H
#define TRF_TEST_BARE_PLAN_H

#include "trf/plan.h"

namespace trf::test {

class BarePlan {
public:
  // Tensor 0 is kept, and so is always there.
  BarePlan();

  Plan plan;
  StepSchedule &schedule() { return plan.schedules[0]; }

  // A pooled tensor of (1, 1, 1, channels).
  uint32_t pooled(uint64_t offset, uint64_t bytes = 256, int64_t channels = 1);
  uint32_t runOf(uint32_t parent, uint32_t firstChannel, int64_t channels);
  // act_fwd(in -> out) as the next node; returns the node.
  uint32_t node(uint32_t in, uint32_t out);
  void edge(uint32_t from, uint32_t to) { schedule().edges.push_back({from, to}); }

private:
  uint32_t add(TensorInfo tensor, int64_t channels);
};

} // namespace trf::test

#endif // TRF_TEST_BARE_PLAN_H
