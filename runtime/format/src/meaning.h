// SPDX-License-Identifier: Apache-2.0
//
// The second half of the plan's verifier: structure says that references lead
// somewhere, meaning says that the ops can run on what they lead to.
#ifndef TRF_SRC_MEANING_H
#define TRF_SRC_MEANING_H

#include "trf/plan.h"

namespace trf {

// Throws FormatError with section and record in the message.
void verifyMeaning(const Plan &plan);

} // namespace trf

#endif // TRF_SRC_MEANING_H
