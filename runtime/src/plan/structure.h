// SPDX-License-Identifier: Apache-2.0
//
// The structural verifier of plans, in two files: everything, and kernel ops.
#ifndef TRRT_PLAN_STRUCTURE_H
#define TRRT_PLAN_STRUCTURE_H

#include "plan/tables.h"

namespace trrt {

// Both throw Error(TRRT_INVALID_FILE) with section, record and field in the message.
void verifyStructure(const PlanTables &tables);
// Ops, their operands and attributes against kernel_ops.def; part of the above,
// after regions, tensors, shapes, layers and ranges are known to be in range.
void verifyOps(const PlanTables &tables);

} // namespace trrt

#endif // TRRT_PLAN_STRUCTURE_H
