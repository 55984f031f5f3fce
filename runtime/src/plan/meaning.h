// SPDX-License-Identifier: Apache-2.0
//
// The second half of the plan's verifier: structure says that references lead
// somewhere, meaning says that the ops can run on what they lead to.
#ifndef TRRT_PLAN_MEANING_H
#define TRRT_PLAN_MEANING_H

#include "plan/plan.h"

namespace trrt {

// Throws Error(TRRT_INVALID_FILE) with section and record in the message.
void verifyMeaning(const Plan &plan);

} // namespace trrt

#endif // TRRT_PLAN_MEANING_H
