// SPDX-License-Identifier: Apache-2.0
//
// Plans from files on disk.
#ifndef TRRT_PLAN_PLAN_FILE_H
#define TRRT_PLAN_PLAN_FILE_H

#include "trf/plan.h"

#include <string>

namespace trrt {

// Throws Error that names the path.
trf::Plan readPlanFile(const std::string &path);

} // namespace trrt

#endif // TRRT_PLAN_PLAN_FILE_H
