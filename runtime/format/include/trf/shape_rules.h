// SPDX-License-Identifier: Apache-2.0
//
// What the kernel ops demand of the shapes and attributes they are given.
#ifndef TRF_SHAPE_RULES_H
#define TRF_SHAPE_RULES_H

#include "trf/plan.h"

namespace trf {

// Throws FormatError that names the op, the variant and the operand.
// A kernel may rely on everything that is checked here.
void checkShapes(const Plan &plan, uint32_t op, uint32_t variant);

} // namespace trf

#endif // TRF_SHAPE_RULES_H
