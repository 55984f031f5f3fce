// SPDX-License-Identifier: Apache-2.0
//
// The second half of the plan's verifier: structure says that references lead
// somewhere, meaning says that the ops can run on what they lead to.
#ifndef TRRT_PLAN_MEANING_H
#define TRRT_PLAN_MEANING_H

#include "plan/plan.h"

#include <string_view>

namespace trrt {

// Throws Error(TRRT_INVALID_FILE) with section and record in the message.
void verifyMeaning(const Plan &plan);

// Which input the op may write over, as its documentation in kernel_ops.def says:
// empty for none, "*" for any, else the operand's name.
std::string_view inPlaceInput(const trk::OpInfo &info);

} // namespace trrt

#endif // TRRT_PLAN_MEANING_H
