// SPDX-License-Identifier: Apache-2.0
//
// Ranges of a plan: what the regions between their ends hold.
#ifndef TRF_SRC_RANGES_H
#define TRF_SRC_RANGES_H

#include "trf/plan.h"

namespace trf {

// Throws FormatError with section and record in the message. References are in range, and all
// ranges of an op are equally long.
void verifyRanges(const Plan &plan);

} // namespace trf

#endif // TRF_SRC_RANGES_H
