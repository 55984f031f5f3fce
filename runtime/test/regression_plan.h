// SPDX-License-Identifier: Apache-2.0
//
// A complete plan made by hand: softmax regression with SGD, input halves A and B,
// validation and inference, on request with six variants. What a session needs, and
// small enough to check.
#ifndef TRRT_TEST_REGRESSION_PLAN_H
#define TRRT_TEST_REGRESSION_PLAN_H

#include "sample_plan.h"

#include <memory>

namespace trrt::test {

struct RegressionShape {
  uint32_t batch = 3, valBatch = 2, height = 2, width = 3, channels = 2, classes = 4;
};

// Six variants, each with its own batch and resolution, behind a global average pool.
// RegressionShape gives the batches and the resolution of train_base.
struct SixVariants {
  uint32_t trainSamples = 0, valSamples = 0, lowresEpoch = kNone;
  bool dropLast = false;
  uint32_t lowBatch = 0; // 0: as train_base
  uint32_t lowHeight = 3, lowWidth = 5, valHeight = 4, valWidth = 1;
};

tr::PlanImage regressionImage(const RegressionShape &shape = {});
tr::PlanImage regressionImage(const RegressionShape &shape, const SixVariants &six);
// The image written, read back and verified.
std::shared_ptr<const Plan> regressionPlan(const tr::PlanImage &image);
std::shared_ptr<const Plan> regressionPlan(const RegressionShape &shape = {});

} // namespace trrt::test

#endif // TRRT_TEST_REGRESSION_PLAN_H
