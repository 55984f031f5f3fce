// SPDX-License-Identifier: Apache-2.0
//
// What the kernel ops demand of the shapes and attributes they are given.
#ifndef TRRT_PLAN_SHAPE_RULES_H
#define TRRT_PLAN_SHAPE_RULES_H

#include "plan/plan.h"

#include <string>

namespace trrt {

// Throws Error(TRRT_INVALID_FILE) that names the op, the variant and the operand.
// A kernel may rely on everything that is checked here.
void checkShapes(const Plan &plan, uint32_t op, uint32_t variant);

// "3x5x7x2"
std::string dimsText(const Dims &dims);

} // namespace trrt

#endif // TRRT_PLAN_SHAPE_RULES_H
