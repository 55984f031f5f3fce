// SPDX-License-Identifier: Apache-2.0
//
// What a kernel op costs, from its row and its shapes: the one rule for summaries, profiles
// and cost tables.
#ifndef TRF_COST_H
#define TRF_COST_H

#include "trf/plan.h"

#include <functional>

namespace trf {

struct Cost {
  double flops = 0; // additions and multiplications; other functions count as the row says
  double bytes = 0; // read and written, each operand once, read and written twice
};

// An operand as the rule sees it: a tensor, or a run as (1, 1, 1, elements).
struct CostOperand {
  Dims dims{};
  DType dtype = DType::F32;
  bool absent = true;
};

// `operand(i)` tells operand i of the op.
Cost costOf(const OpInfo &op, const std::function<CostOperand(uint32_t)> &operand);
// Of an op of a plan in a variant.
Cost costOf(const Plan &plan, const Op &op, uint32_t variant);

} // namespace trf

#endif // TRF_COST_H
