// SPDX-License-Identifier: Apache-2.0
//
// What stands behind trrt_plan_t. Shared, so that a session outlives the handle.
#ifndef TRRT_PLAN_PLAN_HANDLE_H
#define TRRT_PLAN_PLAN_HANDLE_H

#include "trf/plan.h"

#include <memory>

struct trrt_plan_t {
  std::shared_ptr<const trf::Plan> plan;
};

#endif // TRRT_PLAN_PLAN_HANDLE_H
