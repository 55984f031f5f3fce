// SPDX-License-Identifier: Apache-2.0
//
// A complete plan made by hand: softmax regression with SGD, input halves A and B,
// validation and inference. What a session needs, and small enough to check.
#ifndef TRRT_TEST_REGRESSION_PLAN_H
#define TRRT_TEST_REGRESSION_PLAN_H

#include "sample_plan.h"

#include <memory>

namespace trrt::test {

struct RegressionShape {
  uint32_t batch = 3, valBatch = 2, height = 2, width = 3, channels = 2, classes = 4;
};

tr::PlanImage regressionImage(const RegressionShape &shape = {});
// The image written, read back and verified.
std::shared_ptr<const Plan> regressionPlan(const RegressionShape &shape = {});

} // namespace trrt::test

#endif // TRRT_TEST_REGRESSION_PLAN_H
