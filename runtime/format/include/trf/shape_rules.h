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

// The one value that an attribute of a convolution by this algorithm may have; none: any.
std::optional<int64_t> requiredAttr(ConvAlgorithm algorithm, std::string_view attr);

} // namespace trf

#endif // TRF_SHAPE_RULES_H
