// SPDX-License-Identifier: Apache-2.0
//
// The structural verifier of plans, in four files: strings, memory, kernel ops, and the rest.
#ifndef TRF_SRC_STRUCTURE_H
#define TRF_SRC_STRUCTURE_H

#include "trf/plan_records.h"

namespace trf {

// All throw FormatError with section, record and field in the message.
void verifyStructure(const PlanRecords &tables);
// Part of the above, and first: the others print what strings say.
void verifyStrings(const PlanRecords &tables);
// Regions, tensors, shapes and ranges; part of the above, after strings, variants and layers
// are known to be in range.
void verifyMemory(const PlanRecords &tables);
// Ops, their operands and attributes against kernel_ops.def; part of the above,
// after regions, tensors, shapes, layers and ranges are known to be in range.
void verifyOps(const PlanRecords &tables);

} // namespace trf

#endif // TRF_SRC_STRUCTURE_H
