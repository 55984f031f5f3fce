// SPDX-License-Identifier: Apache-2.0
//
// First values of parameters (docs/runtime.md, "Random numbers").
#ifndef TRRT_SESSION_INITIAL_VALUES_H
#define TRRT_SESSION_INITIAL_VALUES_H

#include "trf/plan.h"

namespace trrt {

// Initial values in the file's layout, a function of (seed, index of the parameter
// in the plan) alone.
void initialValues(const trf::Param &param, uint32_t index, uint64_t seed, float *file);

} // namespace trrt

#endif // TRRT_SESSION_INITIAL_VALUES_H
