// SPDX-License-Identifier: Apache-2.0
//
// A small valid plan made by hand: a convolution and an FC layer, trained by SGD
// at batch 3 and validated at batch 2.
#ifndef TRF_TEST_SAMPLE_PLAN_H
#define TRF_TEST_SAMPLE_PLAN_H

#include "plan_builder.h"

namespace trf::test {

// `runnable`: with what a session asks for beside what the schedules use.
Draft samplePlan(bool runnable = false);

// The second tensor begins `shift` bytes after the first one.
struct SharedPlace {
  std::string first, second;
  uint64_t shift = 0;
};
// Makes the pooled regions of a plan one pool: its tensors follow each other but for those that
// share a place.
void poolTensors(Draft &draft, const std::vector<SharedPlace> &shared);

// The sample with the pool: the gradient of the features lies on the features, whose last
// reader is the node before, and no edge that a path of others replaces.
Draft pooledPlan();

// Replaces the edges of every schedule by the transitive reduction of what the operands ask
// for, found by trying all pairs of nodes.
void reduceEdges(Draft &draft);

} // namespace trf::test

#endif // TRF_TEST_SAMPLE_PLAN_H
