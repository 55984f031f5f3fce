// SPDX-License-Identifier: Apache-2.0
//
// Costs of kernel ops, by hand.
#include "sample_plan.h"
#include "trf/cost.h"

#include <gtest/gtest.h>

using namespace trf;
using namespace trf::test;

namespace {

// Operands of f32; no dims: absent.
Cost costOfOp(Opcode opcode, const std::vector<Dims> &dims) {
  return costOf(info(opcode), [&](uint32_t i) -> CostOperand {
    return dims[i] == Dims{} ? CostOperand{} : CostOperand{dims[i], DType::F32, false};
  });
}

} // namespace

TEST(Cost, ProductsCountTwoForEachWeightOfAnOutput) {
  const Dims x = {2, 7, 11, 6}, w = {4, 3, 5, 3}, y = {2, 3, 4, 4};
  const double flops = 2.0 * (2 * 3 * 4 * 4) * (3 * 5 * 3);
  EXPECT_EQ(costOfOp(Opcode::conv_fwd, {x, w, {}, y}).flops, flops);
  EXPECT_EQ(costOfOp(Opcode::conv_bwd_data, {y, w, x}).flops, flops);
  EXPECT_EQ(costOfOp(Opcode::conv_bwd_weight, {x, y, w, {1, 1, 1, 4}}).flops, flops);
  const Dims in = {2, 3, 5, 7}, matrix = {4, 3, 5, 7}, out = {2, 1, 1, 4};
  const double products = 2.0 * (2 * 4) * (3 * 5 * 7);
  EXPECT_EQ(costOfOp(Opcode::fc_fwd, {in, matrix, {}, out}).flops, products);
  EXPECT_EQ(costOfOp(Opcode::fc_bwd_data, {out, matrix, in}).flops, products);
  EXPECT_EQ(costOfOp(Opcode::fc_bwd_weight, {in, out, matrix, {}}).flops, products);
}

TEST(Cost, OtherOpsCountPerElementOfTheLargestOperand) {
  const Dims x = {2, 3, 5, 4}, v = {1, 1, 1, 4};
  EXPECT_EQ(costOfOp(Opcode::bn_apply, {x, v, v, v, v, x}).flops, 3.0 * 120);
  EXPECT_EQ(costOfOp(Opcode::gap_fwd, {x, {2, 1, 1, 4}}).flops, 120.0);
  EXPECT_EQ(costOfOp(Opcode::copy, {x, x}).flops, 0.0);
}

TEST(Cost, EachOperandIsMovedOnceAndTwiceWhereItIsReadAndWritten) {
  const Dims x = {2, 3, 5, 4}, v = {1, 1, 1, 4};
  EXPECT_EQ(costOfOp(Opcode::bn_apply, {x, v, v, v, v, x}).bytes, 4.0 * (2 * 120 + 4 * 4));
  EXPECT_EQ(costOfOp(Opcode::conv_fwd, {x, x, {}, x}).bytes, 4.0 * 3 * 120);
  EXPECT_EQ(costOfOp(Opcode::counter_add, {{1, 1, 1, 1}}).bytes, 8.0);
}

TEST(Cost, RunsAreWholeRegions) {
  const std::shared_ptr<const Plan> plan = readDraft(samplePlan());
  for (const Op &op : plan->ops)
    if (op.opcode == Opcode::range_check_finite) {
      const double bytes = static_cast<double>(plan->bytesOf(plan->ranges[op.operands[0]]));
      const Cost cost = costOf(*plan, op, 0);
      EXPECT_GT(bytes, 0.0);
      EXPECT_EQ(cost.bytes, bytes + 4);
      EXPECT_EQ(cost.flops, bytes / 4);
    }
  // Shapes are those of the variant: batches 3 and 2.
  const Op &conv = plan->ops[1];
  ASSERT_EQ(conv.opcode, Opcode::conv_fwd);
  EXPECT_EQ(costOf(*plan, conv, 0).flops * 2, costOf(*plan, conv, 1).flops * 3);
}
