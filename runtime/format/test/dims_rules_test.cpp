// SPDX-License-Identifier: Apache-2.0
//
// Each rule of the dims column of kernel_ops.def, kept and broken.
#include "plan_builder.h"

#include <gtest/gtest.h>

#include <set>

using namespace trf;
using namespace trf::test;

namespace {

struct Case {
  DimsRule rule;
  Opcode opcode;
  std::vector<Shape> good; // of each operand; none: absent
  std::vector<int64_t> attrs;
  int operand; // that becomes
  Shape bad;
  const char *expected;
};

const Shape kX = {2, 5, 4, 6}, kOne = {1, 1, 1, 1}, kAbsent = {};
const std::vector<int64_t> kConv = {3, 2, 2, 1, 1, 0, 1, 2, 2}; // kernel, stride, pad, dilation
const std::vector<int64_t> kPool = {3, 2, 2, 1, 1, 0, 0};       // and not rounded up
const int64_t kEps = 0x3ff0000000000000;                        // the bits of 1.0
const std::vector<int64_t> kCeiledPool = {3, 2, 2, 3, 1, 0, 1};

const Case kCases[] = {
    {DimsRule::As,
     Opcode::act_fwd,
     {kX, kX},
     {1},
     ops::act_fwd::y,
     {2, 5, 4, 5},
     "y: expected 2x5x4x6, but got 2x5x4x5"},
    {DimsRule::Count,
     Opcode::copy,
     {kX, {1, 1, 1, 240}},
     {},
     ops::copy::y,
     {1, 1, 1, 241},
     "y: expected 240 elements, but got 1x1x1x241"},
    {DimsRule::Channels,
     Opcode::bn_inf,
     {kX, {1, 1, 1, 6}, {1, 1, 1, 6}, kX},
     {0},
     ops::bn_inf::scale,
     {1, 1, 1, 4},
     "scale: expected 1x1x1x6, but got 1x1x1x4"},
    {DimsRule::One,
     Opcode::counter_add,
     {kOne},
     {1},
     ops::counter_add::counter,
     {1, 1, 2, 1},
     "counter: expected 1x1x1x1, but got 1x1x2x1"},
    {DimsRule::Pair,
     Opcode::dropout_fwd,
     {kX, {1, 1, 1, 2}, kOne, kX, kX},
     {0, 0},
     ops::dropout_fwd::seed,
     kOne,
     "seed: expected 1x1x1x2, but got 1x1x1x1"},
    {DimsRule::Samples,
     Opcode::softmax_ce_bwd,
     {{3, 1, 1, 7}, {3, 1, 1, 1}, kOne, kOne, {3, 1, 1, 7}},
     {},
     ops::softmax_ce_bwd::labels,
     {3, 1, 1, 7},
     "labels: expected 3x1x1x1, but got 3x1x1x7"},
    {DimsRule::Pixel,
     Opcode::gap_fwd,
     {kX, {2, 1, 1, 6}},
     {},
     ops::gap_fwd::y,
     {2, 1, 4, 6},
     "y: expected 2x1x1x6, but got 2x1x4x6"},
    {DimsRule::Spread,
     Opcode::mul_fwd,
     {{2, 1, 1, 6}, kX, kX},
     {},
     ops::mul_fwd::a,
     {1, 1, 1, 6},
     "a: expected 2x5x4x6, but got 1x1x1x6"},
    {DimsRule::Spread,
     Opcode::mul_bwd,
     {kX, kX, {2, 1, 1, 6}, kX, {2, 1, 1, 6}},
     {},
     ops::mul_bwd::b,
     {2, 5, 1, 6},
     "b: expected 2x5x4x6, but got 2x5x1x6"},
    {DimsRule::Wider,
     Opcode::channel_pad_fwd,
     {kX, {2, 5, 4, 8}},
     {},
     ops::channel_pad_fwd::y,
     {2, 5, 4, 5},
     "y: expected 6 channels or more, but got 5"},
    {DimsRule::Wider,
     Opcode::channel_pad_fwd,
     {kX, {2, 5, 4, 8}},
     {},
     ops::channel_pad_fwd::y,
     {2, 4, 4, 8},
     "y: expected 2x5x4x8, but got 2x4x4x8"},
    {DimsRule::Lone,
     Opcode::layer_norm_fwd,
     {kX, kAbsent, kAbsent, {2, 5, 4, 1}, {2, 5, 4, 1}, kX},
     {kEps},
     ops::layer_norm_fwd::mean,
     {2, 5, 4, 6},
     "mean: expected 2x5x4x1, but got 2x5x4x6"},
    {DimsRule::Groups,
     Opcode::group_norm_fwd,
     {kX, kAbsent, kAbsent, {2, 1, 1, 3}, {2, 1, 1, 3}, kX},
     {kEps, 3},
     ops::group_norm_fwd::inv_std,
     {2, 1, 1, 2},
     "inv_std: expected 2x1x1x3, but got 2x1x1x2"},
    {DimsRule::Slopes,
     Opcode::prelu_fwd,
     {kX, {1, 1, 1, 1}, kX},
     {},
     ops::prelu_fwd::slope,
     {1, 1, 1, 5},
     "slope: expected 1x1x1x6, but got 1x1x1x5"},
    {DimsRule::Around,
     Opcode::channel_place,
     {kX, {2, 5, 4, 8}},
     {2},
     ops::channel_place::y,
     {2, 5, 4, 7},
     "y: expected 8 channels or more, but got 7"},
    {DimsRule::Around,
     Opcode::channel_take,
     {{2, 5, 4, 8}, kX},
     {1},
     ops::channel_take::x,
     {2, 5, 3, 8},
     "x: expected 2x5x4x8, but got 2x5x3x8"},
    {DimsRule::Scaled,
     Opcode::upsample_nearest_fwd,
     {kX, {2, 10, 12, 6}},
     {2, 3},
     ops::upsample_nearest_fwd::y,
     {2, 10, 8, 6},
     "y: expected 2x10x12x6, but got 2x10x8x6"},
    {DimsRule::Grid,
     Opcode::adaptive_avgpool_fwd,
     {kX, {2, 3, 7, 6}},
     {3, 7},
     ops::adaptive_avgpool_fwd::y,
     {2, 3, 6, 6},
     "y: expected 2x3x7x6, but got 2x3x6x6"},
    {DimsRule::Slide,
     Opcode::conv_fwd,
     {kX, {4, 3, 2, 3}, kAbsent, {2, 3, 3, 4}},
     {3, 2, 2, 1, 1, 0, 1, 2, 2, 0, 1}, // a column more at the right
     ops::conv_fwd::y,
     {2, 3, 2, 4},
     "y: expected 2x3x3x4, but got 2x3x2x4"},
    {DimsRule::Slide,
     Opcode::conv_fwd,
     {kX, {4, 3, 2, 3}, kAbsent, {2, 3, 2, 4}},
     kConv,
     ops::conv_fwd::y,
     {2, 3, 3, 4},
     "y: expected 2x3x2x4, but got 2x3x3x4"},
    {DimsRule::Filter,
     Opcode::conv_fwd,
     {kX, {4, 3, 2, 3}, kAbsent, {2, 3, 2, 4}},
     kConv,
     ops::conv_fwd::w,
     {4, 3, 2, 6},
     "w: expected 4x3x2x3, but got 4x3x2x6"},
    {DimsRule::Pool,
     Opcode::avgpool_fwd,
     {kX, {2, 3, 3, 6}},
     kPool,
     ops::avgpool_fwd::y,
     {2, 3, 3, 4},
     "y: expected 2x3x3x6, but got 2x3x3x4"},
    {DimsRule::Pool,
     Opcode::avgpool_fwd,
     {kX, {2, 3, 2, 6}},
     kCeiledPool,
     ops::avgpool_fwd::y,
     {2, 3, 1, 6},
     "y: expected 2x3x2x6, but got 2x3x1x6"},
    {DimsRule::Pool,
     Opcode::maxpool_fwd,
     {kX, {2, 1, 3, 6}, kAbsent},
     {3, 2, 1, 1, 0, 0, 0, 0, 0, 2, 1}, // dilated
     ops::maxpool_fwd::y,
     {2, 3, 3, 6},
     "y: expected 2x1x3x6, but got 2x3x3x6"},
    {DimsRule::Matrix,
     Opcode::fc_fwd,
     {kX, {7, 5, 4, 6}, kAbsent, {2, 1, 1, 7}},
     {},
     ops::fc_fwd::w,
     {7, 5, 4, 5},
     "w: expected 120 columns, but got 100"},
    {DimsRule::Rows,
     Opcode::fc_fwd,
     {kX, {7, 5, 4, 6}, kAbsent, {2, 1, 1, 7}},
     {},
     ops::fc_fwd::y,
     {2, 1, 1, 6},
     "y: expected 2x1x1x7, but got 2x1x1x6"},
    {DimsRule::Outputs,
     Opcode::fc_fwd,
     {kX, {7, 5, 4, 6}, {1, 1, 1, 7}, {2, 1, 1, 7}},
     {},
     ops::fc_fwd::bias,
     {1, 1, 1, 2},
     "bias: expected 1x1x1x7, but got 1x1x1x2"},
};

std::string errorOfOp(const Case &c, const std::vector<Shape> &shapes) {
  PlanBuilder b("one op", "dims test", 3);
  b.variant("a", true, {1, 1, 1, 1}, 0);
  const OpInfo &op = info(c.opcode);
  std::vector<uint32_t> operands;
  for (uint32_t i = 0; i < op.operands.size(); ++i)
    operands.push_back(shapes[i] == kAbsent
                           ? kNone
                           : b.tensor("t" + std::to_string(i), {Role::Temp},
                                      typeOf(op.operands[i].type, Instance{}).value_or(DType::I32),
                                      shapes[i]));
  std::vector<uint64_t> attrs;
  for (const int64_t value : c.attrs)
    attrs.push_back(intBits(value));
  b.op(c.opcode, operands, attrs);
  b.subgraph(Subgraph::UserGraph);
  return errorOf(b.finish());
}

} // namespace

TEST(DimsRules, EachIsKeptAndBroken) {
  for (const Case &c : kCases) {
    const std::string where =
        std::string("OPS record 0 (") + std::string(info(c.opcode).name) + ") in variant a, ";
    ASSERT_EQ(info(c.opcode).operands[static_cast<size_t>(c.operand)].dims.rule, c.rule) << where;
    EXPECT_EQ(errorOfOp(c, c.good), "") << where << c.expected;
    std::vector<Shape> shapes = c.good;
    shapes[static_cast<size_t>(c.operand)] = c.bad;
    EXPECT_EQ(errorOfOp(c, shapes), where + c.expected);
  }
}

// What is wrong with the pads of a pooling or of a convolution over 2x5x4x6.
TEST(DimsRules, PadsAndDilationsThatNoWindowHas) {
  struct {
    Opcode opcode;
    std::vector<int64_t> attrs;
    const char *expected;
  } const cases[] = {
      {Opcode::avgpool_fwd, {3, 2, 2, 1, 1, 0, 0, 2}, "pad_h: expected 0 to 2, but got 3"},
      {Opcode::avgpool_fwd,
       {3, 2, 2, 1, 1, 0, 0, -2},
       "pad_more_h: expected -1 or more, but got -2"},
      {Opcode::maxpool_fwd,
       {2, 2, 1, 1, 1, 0, 0, 2, 0, 6},
       "dilation_h: expected 1 to 5, but got 6"},
      {Opcode::conv_fwd,
       {3, 2, 2, 1, 1, 0, 1, 2, 2, -2},
       "pad_more_h: expected -1 or more, but got -2"},
  };
  for (const auto &each : cases) {
    std::vector<Shape> shapes = {kX, {2, 3, 3, 6}};
    if (each.opcode == Opcode::conv_fwd)
      shapes = {kX, {4, 3, 2, 3}, kAbsent, {2, 3, 2, 4}};
    else if (each.opcode == Opcode::maxpool_fwd)
      shapes.push_back(kAbsent);
    const Case c = {DimsRule::Pool, each.opcode, shapes, each.attrs, 1, shapes[1], each.expected};
    const std::string error = errorOfOp(c, c.good);
    EXPECT_NE(error.find(each.expected), std::string::npos) << error;
  }
}

TEST(DimsRules, EachHasACase) {
  std::set<DimsRule> used, tried = {DimsRule::Free, DimsRule::Run};
  for (const OpInfo &op : kOps)
    for (const OperandInfo &operand : op.operands)
      used.insert(operand.dims.rule);
  for (const Case &c : kCases)
    tried.insert(c.rule);
  EXPECT_EQ(used, tried);
}
