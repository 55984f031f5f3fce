// SPDX-License-Identifier: Apache-2.0
//
// Other orders of a schedule's nodes that its edges allow.
#ifndef TRRT_PLAN_REORDER_H
#define TRRT_PLAN_REORDER_H

#include "trf/plan.h"

namespace trrt {

// Puts the nodes into a topological order that the seed draws from all of them; the edges are
// renumbered. Equal seeds give equal orders.
void reorderNodes(trf::StepSchedule &schedule, uint64_t seed);
// The same for every schedule of a plan.
void reorderNodes(trf::Plan &plan, uint64_t seed);

} // namespace trrt

#endif // TRRT_PLAN_REORDER_H
