// SPDX-License-Identifier: Apache-2.0
//
// What flows through the schedules of a plan: every read finds what was written for it
// and every dependency is a path of edges (checks V33 and V40 to V45 of docs/plan-format.md).
#ifndef TRRT_PLAN_DATAFLOW_H
#define TRRT_PLAN_DATAFLOW_H

#include "plan/plan.h"

namespace trrt {

// Throws Error for the first fault. The plan's references are in range.
void verifyDataflow(const Plan &plan);

} // namespace trrt

#endif // TRRT_PLAN_DATAFLOW_H
