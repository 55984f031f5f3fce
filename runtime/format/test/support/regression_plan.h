// SPDX-License-Identifier: Apache-2.0
//
// A complete plan made by hand: softmax regression with SGD, input halves A and B,
// validation and inference, on request with six variants. What a session needs, and
// small enough to check.
#ifndef TRF_TEST_REGRESSION_PLAN_H
#define TRF_TEST_REGRESSION_PLAN_H

#include "plan_builder.h"

namespace trf::test {

struct RegressionShape {
  uint32_t batch = 3, valBatch = 2, height = 2, width = 3, channels = 2, classes = 4;
};

// Six variants, each with its own batch and resolution, after a global average pool.
// RegressionShape gives the batches and the resolution of train_base.
struct SixVariants {
  uint32_t trainSamples = 0, valSamples = 0, lowresEpoch = kNone;
  bool dropLast = false;
  uint32_t lowBatch = 0; // 0: as train_base
  uint32_t lowHeight = 3, lowWidth = 5, valHeight = 4, valWidth = 1;
};

Draft regressionDraft(const RegressionShape &shape = {});
Draft regressionDraft(const RegressionShape &shape, const SixVariants &six);
// Written, read back and verified.
std::shared_ptr<const Plan> regressionPlan(const RegressionShape &shape = {});

} // namespace trf::test

#endif // TRF_TEST_REGRESSION_PLAN_H
