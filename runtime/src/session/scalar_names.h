// SPDX-License-Identifier: Apache-2.0
//
// The scalars that a user may set, by name.
#ifndef TRRT_SESSION_SCALAR_NAMES_H
#define TRRT_SESSION_SCALAR_NAMES_H

#include "trf/plan.h"

#include <string>
#include <string_view>
#include <vector>

namespace trrt {

// Those of optimizer and loss that the plan has: "label_smoothing", "lr", ...
std::vector<std::string> scalarNames(const trf::Plan &plan);

// Why the plan has no scalar of this name: "the plan's optimizer sgd has no scalar 'beta1', which
// is of adamw; the plan has lr, momentum".
std::string missingScalarText(const trf::Plan &plan, std::string_view name);

} // namespace trrt

#endif // TRRT_SESSION_SCALAR_NAMES_H
