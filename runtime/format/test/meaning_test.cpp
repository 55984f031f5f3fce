// SPDX-License-Identifier: Apache-2.0
//
// Meaning of plans: shapes, attributes, slots, in-place operands and order, each
// broken one at a time.
#include "bare_plan.h"
#include "meaning.h"
#include "sample_plan.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

using namespace trf;
using namespace trf::test;

namespace {

// A plan of one op whose operands have the given dims, in the table's order; an
// empty shape leaves the operand out. Types are the table's; `open` is for those it leaves open.
std::string errorOfOp(Opcode opcode, const std::vector<Shape> &shapes,
                      const std::vector<uint64_t> &attrs, DType open = DType::F32) {
  PlanBuilder b("one op", "meaning test", 3);
  b.variant("a", true, {1, 1, 1, 1}, 0);
  b.variant("b", false, {1, 1, 1, 1}, 0);
  const OpInfo &op = info(opcode);
  std::vector<uint32_t> ids;
  for (uint32_t i = 0; i < op.operands.size(); ++i) {
    const DType dtype = typeOf(op.operands[i].type, Instance{}).value_or(open);
    ids.push_back(shapes[i] == Shape{}
                      ? kNone
                      : b.tensor("t" + std::to_string(i), {Role::Temp}, dtype, shapes[i]));
  }
  b.op(opcode, ids, attrs);
  b.subgraph(Subgraph::UserGraph);
  return errorOf(b.finish());
}

void expectOp(Opcode opcode, const std::vector<Shape> &shapes, const std::vector<uint64_t> &attrs,
              const std::string &expected, DType open = DType::F32) {
  const std::string error = errorOfOp(opcode, shapes, attrs, open);
  if (expected.empty())
    EXPECT_EQ(error, "");
  else
    EXPECT_NE(error.find(expected), std::string::npos) << expected << ": '" << error << "'";
}

// Right shapes of an op, and each operand made wrong in turn: the error names it.
void expectEachOperandChecked(Opcode opcode, const std::vector<Shape> &shapes,
                              const std::vector<uint64_t> &attrs, DType open = DType::F32,
                              uint32_t skip = ~0u) {
  const OpInfo &op = info(opcode);
  ASSERT_EQ(shapes.size(), op.operands.size()) << op.name;
  EXPECT_EQ(errorOfOp(opcode, shapes, attrs, open), "") << op.name;
  for (uint32_t i = 0; i < shapes.size(); ++i)
    for (int d = 0; d < 4 && i != skip; ++d) {
      std::vector<Shape> wrong = shapes;
      wrong[i][d] += 1;
      EXPECT_NE(errorOfOp(opcode, wrong, attrs, open), "")
          << op.name << " operand " << op.operands[i].name << " dim " << d;
    }
}

const Shape kScalar = {1, 1, 1, 1};
Shape vec(uint32_t channels) { return {1, 1, 1, channels}; }

} // namespace

TEST(PlanMeaning, ConvolutionShapes) {
  // 7x11 by a 3x5 kernel, stride 2x3, pad 1x2, dilation 2x1, 2 groups of 3 channels.
  const std::vector<uint64_t> attrs = {3, 5, 2, 3, 1, 2, 2, 1, 2};
  const Shape x = {2, 7, 11, 6}, w = {4, 3, 5, 3}, y = {2, 3, 4, 4};
  expectEachOperandChecked(Opcode::conv_fwd, {x, w, vec(4), y}, attrs, DType::F32, 0);
  expectOp(Opcode::conv_fwd, {x, w, {}, y}, attrs, "");
  expectEachOperandChecked(Opcode::conv_bwd_data, {y, w, x}, attrs, DType::F32, 2);
  expectEachOperandChecked(Opcode::conv_bwd_weight, {x, y, w, vec(4)}, attrs, DType::F32, 0);
  std::vector<uint64_t> stats = attrs;
  stats.push_back(realBits(1e-5));
  stats.push_back(realBits(0.1));
  expectEachOperandChecked(Opcode::conv_stats_fwd,
                           {x, w, {}, vec(4), vec(4), y, vec(4), vec(4), vec(4), vec(4)}, stats,
                           DType::F32, 0);
  stats.back() = realBits(1.5);
  expectOp(Opcode::conv_stats_fwd, {x, w, {}, vec(4), vec(4), y, vec(4), vec(4), vec(4), vec(4)},
           stats, "momentum: expected");
  std::vector<uint64_t> inference = attrs;
  inference.push_back(intBits(1));
  expectEachOperandChecked(Opcode::conv_inf, {x, w, vec(4), vec(4), vec(4), y, {1, 1, 1, 1}, y},
                           inference, DType::F32, 0);
  // The input may grow where no window reaches, but its channels and batch may not.
  expectOp(Opcode::conv_fwd, {{2, 8, 11, 6}, w, {}, y}, attrs, "");
  expectOp(Opcode::conv_fwd, {{3, 7, 11, 6}, w, {}, y}, attrs, "y: expected 3x3x4x4");
  expectOp(Opcode::conv_fwd, {{2, 7, 11, 8}, w, {}, y}, attrs, "w: expected 4x3x5x4");
  expectOp(Opcode::conv_fwd, {{2, 7, 11, 7}, w, {}, y}, attrs,
           "groups: 2 does not divide the channels of 2x7x11x7 and 2x3x4x4");
  expectOp(Opcode::conv_fwd, {{2, 2, 11, 6}, w, {}, y}, attrs, "kernel_h: the kernel covers 5");
}

TEST(PlanMeaning, ConvolutionAttributes) {
  const Shape x = {1, 4, 4, 1}, w = {1, 1, 1, 1};
  const std::vector<uint64_t> good = {1, 1, 1, 1, 0, 0, 1, 1, 1};
  const char *names[] = {"kernel_h", "kernel_w",   "stride_h",   "stride_w", "pad_h",
                         "pad_w",    "dilation_h", "dilation_w", "groups"};
  expectOp(Opcode::conv_fwd, {x, w, {}, x}, good, "");
  for (size_t i = 0; i < good.size(); ++i)
    for (int64_t value : {int64_t{-1}, int64_t{0}, INT64_MIN, INT64_MAX}) {
      if (value == static_cast<int64_t>(good[i]))
        continue;
      std::vector<uint64_t> attrs = good;
      attrs[i] = intBits(value);
      expectOp(Opcode::conv_fwd, {x, w, {}, x}, attrs, std::string(names[i]) + ": ");
    }
}

TEST(PlanMeaning, NormalisationShapes) {
  const Shape x = {2, 3, 5, 4}, v = vec(4);
  const uint64_t eps = realBits(1e-5), momentum = realBits(0.1);
  expectEachOperandChecked(Opcode::bn_stats, {x, v, v, v, v, v, v}, {eps, momentum}, DType::F32, 0);
  expectEachOperandChecked(Opcode::bn_apply, {x, v, v, v, v, x}, {1});
  expectEachOperandChecked(Opcode::bn_apply_add, {x, v, v, v, v, x, x}, {1});
  expectEachOperandChecked(Opcode::bn_apply_add_bn, {x, v, v, v, v, x, v, v, v, v, x}, {1});
  expectEachOperandChecked(Opcode::bn_bwd_reduce, {x, x, v, v, v, v, v, v}, {1});
  expectEachOperandChecked(Opcode::bn_bwd_apply, {x, x, v, v, v, v, v, v, x}, {1});
  expectEachOperandChecked(Opcode::join_bwd_reduce, {x, x, x, x, v, v, x, v, v, x, v, v, v, v}, {1},
                           DType::F32, 3);
  expectEachOperandChecked(Opcode::join_bwd_apply, {x, x, v, v, v, v, v, x, v, v, v, v, v, x, x},
                           {}, DType::F32, 1);
  expectEachOperandChecked(Opcode::bn_fold, {v, v, v, v, v, v}, {eps});
  expectEachOperandChecked(Opcode::bn_inf, {x, v, v, x}, {0});
  expectOp(Opcode::bn_fold, {v, v, v, v, v, v}, {realBits(-1)}, "eps: expected");
}

TEST(PlanMeaning, PoolingShapes) {
  const Shape x = {2, 7, 11, 3}, y = {2, 4, 5, 3}, v = vec(3);
  const std::vector<uint64_t> attrs = {3, 2, 2, 2, 1, 0, 0};
  expectOp(Opcode::maxpool_fwd, {x, y, {}}, attrs, "");
  // index has its own type, which one tensor for all of Any cannot show wrong.
  expectEachOperandChecked(Opcode::maxpool_fwd, {x, y, y}, attrs, DType::U8, 0);
  expectOp(Opcode::maxpool_fwd, {x, y, y}, attrs, "index: expected u8", DType::I32);
  expectEachOperandChecked(Opcode::maxpool_bwd, {y, y, x}, attrs, DType::U8, 2);
  expectEachOperandChecked(Opcode::avgpool_fwd, {x, y}, attrs, DType::F32, 0);
  expectEachOperandChecked(Opcode::avgpool_bwd, {y, x}, attrs, DType::F32, 1);
  expectOp(Opcode::avgpool_fwd, {{3, 7, 11, 3}, y}, attrs, "y: expected 3x4x5x3");
  expectOp(Opcode::avgpool_fwd, {x, y}, {3, 2, 2, 2, 3, 0, 0}, "pad_h: expected 0 to 2");
  // Rounded up, a sixth column hangs over the edge.
  expectOp(Opcode::avgpool_fwd, {x, {2, 4, 6, 3}}, {3, 2, 2, 2, 1, 0, 1}, "");
  const std::vector<uint64_t> fused = {1, 3, 2, 2, 2, 1, 0, 0};
  expectEachOperandChecked(Opcode::bn_apply_pool, {x, v, v, v, v, y, y}, fused, DType::U8, 0);
  expectEachOperandChecked(Opcode::bn_inf_pool, {x, v, v, y}, fused, DType::F32, 0);
  // 17 x 17 cells do not fit a byte.
  const std::vector<uint64_t> large = {17, 17, 1, 1, 0, 0, 0};
  expectOp(Opcode::maxpool_fwd, {{1, 17, 18, 1}, {1, 1, 2, 1}, {1, 1, 2, 1}}, large, "",
           DType::I32);
  expectOp(Opcode::maxpool_fwd, {{1, 17, 18, 1}, {1, 1, 2, 1}, {1, 1, 2, 1}}, large,
           "index: expected i32 for this window", DType::U8);
  expectEachOperandChecked(Opcode::gap_fwd, {x, {2, 1, 1, 3}}, {}, DType::F32, 0);
  expectEachOperandChecked(Opcode::gap_bwd, {{2, 1, 1, 3}, x}, {}, DType::F32, 1);
}

TEST(PlanMeaning, OtherLayerShapes) {
  const Shape x = {2, 3, 5, 7}, y = {2, 1, 1, 4}, w = {4, 3, 5, 7};
  expectEachOperandChecked(Opcode::fc_fwd, {x, w, vec(4), y}, {});
  expectOp(Opcode::fc_fwd, {{2, 1, 1, 105}, w, {}, y}, {}, ""); // flattened
  expectOp(Opcode::fc_fwd, {{2, 1, 1, 104}, w, {}, y}, {}, "w: expected 104 columns, but got 105");
  expectEachOperandChecked(Opcode::fc_bwd_data, {y, w, x}, {});
  expectEachOperandChecked(Opcode::fc_bwd_weight, {x, y, w, vec(4)}, {});
  expectEachOperandChecked(Opcode::act_fwd, {x, x}, {2});
  expectEachOperandChecked(Opcode::act_bwd, {x, x, x}, {2});
  expectEachOperandChecked(Opcode::act_bwd_out, {x, x, x}, {1});
  expectEachOperandChecked(Opcode::add_fwd, {x, x, x}, {0});
  expectEachOperandChecked(Opcode::copy, {x, x}, {});
  expectOp(Opcode::copy, {x, {1, 1, 1, 210}}, {}, "");
  expectOp(Opcode::channel_pad_fwd, {x, {2, 3, 5, 8}}, {}, "");
  expectOp(Opcode::channel_pad_fwd, {x, {2, 3, 5, 6}}, {},
           "y: expected 7 channels or more, but got 6");
  expectOp(Opcode::channel_pad_fwd, {x, {2, 5, 3, 8}}, {}, "y: expected 2x3x5x8");
  expectOp(Opcode::channel_pad_bwd, {{2, 3, 5, 8}, x}, {}, "");
  expectOp(Opcode::channel_pad_bwd, {x, {2, 3, 5, 8}}, {}, "dy: expected 8 channels or more");
  expectEachOperandChecked(Opcode::dropout_fwd, {x, vec(2), kScalar, x, x}, {realBits(0.5), 3});
  expectOp(Opcode::dropout_fwd, {x, vec(2), kScalar, x, x}, {realBits(1.5), 3}, "p: expected");
  expectEachOperandChecked(Opcode::dropout_bwd, {x, x, x}, {realBits(0.5)});
  const Shape logits = {3, 1, 1, 10}, label = {3, 1, 1, 1};
  expectEachOperandChecked(
      Opcode::softmax_ce_fwd,
      {logits, label, kScalar, kScalar, logits, kScalar, kScalar, kScalar, label}, {});
  expectEachOperandChecked(Opcode::softmax_ce_bwd, {logits, label, kScalar, kScalar, logits}, {});
}

TEST(PlanMeaning, ScalarsOfUpdates) {
  expectEachOperandChecked(Opcode::adam_step, std::vector<Shape>(6, kScalar), {});
  expectEachOperandChecked(Opcode::counter_add, {kScalar}, {1});
  expectEachOperandChecked(Opcode::accum_metrics, std::vector<Shape>(7, kScalar), {});
}

TEST(PlanMeaning, ErrorsNameOpLayerVariantAndOperand) {
  Draft draft = samplePlan();
  draft.records.attrs[2].bits = 2; // stride_h of the forward convolution
  EXPECT_EQ(errorOf(draft), "OPS record 1 (conv_fwd of layer 0) in variant train_base, y: expected "
                            "3x3x7x4, but got 3x5x7x4");
}

TEST(PlanMeaning, OnlySubgraphsThatAVariantRunsAreChecked) {
  Draft draft = samplePlan();
  draft.records.shapes[findTensor(draft, "dy") * 2 + 1] = {{1, 1, 1, 1}}; // in val_base
  EXPECT_NE(errorOf(draft), "");
  for (Subgraph s : {Subgraph::DeepFwdBwd, Subgraph::FirstLayerBwdA})
    atlasEntry(draft, 1, s) = {kNone, kNone};
  EXPECT_EQ(errorOf(draft), "");
}

TEST(PlanMeaning, VariantsThatShareACaptureHaveEqualShapes) {
  Draft draft = samplePlan();
  auto share = [&](Subgraph s) {
    atlasEntry(draft, 1, s).capture = atlasEntry(draft, 0, s).capture;
  };
  share(Subgraph::Optimizer);
  EXPECT_EQ(errorOf(draft), "");
  share(Subgraph::InfMainA);
  EXPECT_NE(errorOf(draft).find("variants train_base and val_base share a capture"),
            std::string::npos);
}

TEST(PlanMeaning, SlotsDoNotOverlap) {
  Draft draft = samplePlan();
  draft.records.tensors[1].offset = draft.records.tensors[0].offset; // lr and momentum
  EXPECT_NE(errorOf(draft).find("('lr') and"), std::string::npos) << errorOf(draft);
  draft = samplePlan();
  draft.records.tensors[0].slot_bytes += 256;
  EXPECT_NE(errorOf(draft).find("their slots overlap"), std::string::npos);
}

TEST(PlanMeaning, InPlacePairsAreInputsAndOutputs) {
  std::map<std::string, std::string> pairs; // op -> inputs that its output may lie on
  for (const OpInfo &op : kOps)
    for (const OperandInfo &out : op.operands) {
      std::string inputs;
      for (uint32_t in = 0; in < op.operands.size(); ++in)
        if (out.mayLieOn(in)) {
          EXPECT_EQ(op.operands[in].access, Access::Read) << op.name;
          EXPECT_EQ(out.access, Access::Write) << op.name;
          inputs += (inputs.empty() ? "" : " ") + std::string(op.operands[in].name);
        }
      if (!inputs.empty())
        pairs[std::string(op.name)] = inputs;
    }
  const std::map<std::string, std::string> expected = {
      {"copy", "x"},
      {"bn_apply", "x"},
      {"act_fwd", "x"},
      {"add_fwd", "a b"},
      {"mul_fwd", "a b"},
      {"mul_bwd", "dy"},
      {"act_bwd", "dy"},
      {"act_bwd_out", "dy"},
      {"bn_bwd_apply", "dy"},
      {"dropout_bwd", "dy"},
      {"bn_inf", "x"},
      {"bias_add", "x"},
      {"conv_inf", "shortcut"},
      {"join_bwd_reduce", "dy dy2"},
      {"join_bwd_apply", "g"},
      {"prelu_fwd", "x"},
      {"prelu_bwd", "dy"},
      {"scale_fwd", "x"},
      {"scale_bwd", "dy"},
      {"layer_norm_fwd", "x"},
      {"layer_norm_bwd", "dy"},
      {"group_norm_fwd", "x"},
      {"group_norm_bwd", "dy"},
      {"bn_apply_gap", "x"},
      {"gate_bwd", "dy"},
  };
  EXPECT_EQ(pairs, expected);
}

TEST(PlanMeaning, OperandsShareAPlaceOnlyWhereTheOpAllowsIt) {
  Draft draft = samplePlan();
  const uint32_t y = findTensor(draft, "y");
  addOp(draft, Opcode::act_fwd, {y, y}, {1});
  EXPECT_EQ(errorOf(draft), "");
  draft = samplePlan();
  addOp(draft, Opcode::act_bwd, {y, y, y}, {1});
  EXPECT_NE(errorOf(draft).find("(act_bwd): expected operands in different places, but x ("),
            std::string::npos)
      << errorOf(draft);
  draft = samplePlan();
  operandOf(draft, Opcode::conv_fwd, ops::conv_fwd::y) = findTensor(draft, "data_a");
  EXPECT_NE(errorOf(draft), "");
}

// Slots are rounded up, so that a factor that is spread may have as large a one as its product.
TEST(PlanMeaning, OutputsLieOnInputsOfTheirSizeOnly) {
  for (const int64_t channels : {8, 9}) {
    BarePlan bare;
    bare.node(bare.pooled(0, 256, 8), bare.pooled(0, 256, channels));
    const bool isRefused =
        messageOf([&] {
          verifyMeaning(bare.plan);
        }).find("expected operands in different places, but x (") != std::string::npos;
    EXPECT_EQ(isRefused, channels != 8);
  }
}

TEST(PlanMeaning, RangesOfOneOpDoNotOverlapWhereOneIsWritten) {
  Draft draft = samplePlan();
  operandOf(draft, Opcode::range_sgd, ops::range_sgd::m) =
      operandOf(draft, Opcode::range_sgd, ops::range_sgd::w);
  EXPECT_NE(errorOf(draft).find(
                "(range_sgd): expected operands in different places, but w and m overlap"),
            std::string::npos)
      << errorOf(draft);
}
