// SPDX-License-Identifier: Apache-2.0
//
// What flows through the schedules of a plan: every read finds what was written for it
// and every dependency is a path of edges (checks V40 to V45 of docs/plan-format.md).
#ifndef TRF_DATAFLOW_H
#define TRF_DATAFLOW_H

#include "trf/plan.h"

namespace trf {

// Throws FormatError for the first fault. The plan's references are in range.
void verifyDataflow(const Plan &plan);

} // namespace trf

#endif // TRF_DATAFLOW_H
