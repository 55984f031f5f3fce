// SPDX-License-Identifier: Apache-2.0
//
// Costs of kernel ops.
#include "trf/cost.h"

#include <algorithm>

namespace trf {

namespace {

double countElements(const Dims &dims) {
  double count = 1;
  for (const int64_t dim : dims)
    count *= static_cast<double>(dim);
  return count;
}

// A product takes a multiplication and an addition for each weight of an output.
double countProducts(const OpInfo &op, const std::function<CostOperand(uint32_t)> &operand) {
  double weights = 0, outputs = 0, filters = 0;
  for (uint32_t i = 0; i < op.operands.size(); ++i) {
    const CostOperand value = operand(i);
    const DimsRule rule = op.operands[i].dims.rule;
    if (value.absent)
      continue;
    if (op.operands[i].type == OperandType::P) {
      weights = countElements(value.dims);
      filters = static_cast<double>(value.dims[0]);
    } else if (rule == DimsRule::Slide || rule == DimsRule::Rows) {
      outputs = countElements(value.dims);
    }
  }
  return filters == 0 ? 0 : 2 * outputs * weights / filters;
}

} // namespace

Cost costOf(const OpInfo &op, const std::function<CostOperand(uint32_t)> &operand) {
  Cost cost;
  double largest = 0;
  for (uint32_t i = 0; i < op.operands.size(); ++i) {
    const CostOperand value = operand(i);
    if (value.absent)
      continue;
    const double elements = countElements(value.dims);
    const int passes = op.operands[i].access == Access::ReadWrite ? 2 : 1;
    cost.bytes += passes * elements * static_cast<double>(bytesOf(value.dtype));
    largest = std::max(largest, elements);
  }
  cost.flops =
      op.work.kind == Work::PerElement ? largest * op.work.perElement : countProducts(op, operand);
  return cost;
}

Cost costOf(const Plan &plan, const Op &op, uint32_t variant) {
  return costOf(op.info(), [&](uint32_t i) -> CostOperand {
    const uint32_t id = op.operands[i];
    if (id == kNone)
      return {};
    if (!op.info().operands[i].isRun())
      return {plan.shape(id, variant), plan.tensors[id].dtype, false};
    const Range &range = plan.ranges[id];
    const DType dtype = plan.regions[range.first].dtype.value_or(DType::U8);
    const auto bytes = static_cast<int64_t>(plan.bytesOf(range));
    return {{1, 1, 1, bytes / bytesOf(dtype)}, dtype, false};
  });
}

} // namespace trf
