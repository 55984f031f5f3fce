// SPDX-License-Identifier: Apache-2.0
//
// Every structural check broken one at a time: the plan is rejected, and the
// message names the section, the record and the field.
#include "sample_plan.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

using namespace trf;
using namespace trf::test;

namespace {

struct Break {
  std::string expected;
  std::function<void(Draft &)> change;
};

void expectEach(const std::vector<Break> &breaks) {
  ASSERT_EQ(errorOf(samplePlan()), "");
  for (size_t i = 0; i < breaks.size(); ++i) {
    Draft draft = samplePlan();
    breaks[i].change(draft);
    const std::string error = errorOf(draft);
    EXPECT_NE(error.find(breaks[i].expected), std::string::npos)
        << "case " << i << ": expected '" << breaks[i].expected << "' in '" << error << "'";
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

constexpr uint32_t kBig = 0x7ffffff0;

// Bits of ATTRS that the attribute may not have, and what the message expects instead.
std::vector<std::pair<uint64_t, std::string>> outside(const AttrInfo &attr) {
  if (attr.isFloat()) {
    const bool isEps = attr.mostReal != 1;
    const std::string range = isEps ? "1.17549e-38 to 1e+30" : "0 to 1";
    return {{realBits(isEps ? 1e-50 : -1e-50),
             range + (isEps ? ", but got 1e-50" : ", but got -1e-50")},
            {realBits(-0.5), range + ", but got -0.5"},
            {realBits(2e30), range + ", but got 2e+30"},
            {realBits(std::numeric_limits<double>::infinity()), range + ", but got inf"},
            {realBits(std::numeric_limits<double>::quiet_NaN()), range + ", but got nan"}};
  }
  if (attr.type == AttrType::Act)
    return {{intBits(-1), "one of 14 activations, but got 4294967295"},
            {intBits(14), "one of 14 activations, but got 14"},
            {intBits(ActAttr(Act(Activation::ReLU, 1)).bits), "no parameter of relu, but got 1"},
            {intBits(ActAttr(Act(Activation::LeakyReLU, -1)).bits),
             "a slope of leaky_relu in 0 to 1e+06, but got -1"}};
  const std::string range = std::to_string(attr.low) + " to " + std::to_string(attr.high);
  std::vector<std::pair<uint64_t, std::string>> values;
  if (attr.low != std::numeric_limits<int64_t>::min())
    values.push_back({intBits(attr.low - 1), range + ", but got " + std::to_string(attr.low - 1)});
  if (attr.high != std::numeric_limits<int64_t>::max())
    values.push_back(
        {intBits(attr.high + 1), range + ", but got " + std::to_string(attr.high + 1)});
  return values;
}

} // namespace

TEST(PlanStructure, HeadSections) {
  expectEach({
      {"TARGET: expected 1 records, but got 0", [](Draft &p) { p.records.target.clear(); }},
      {"TARGET: expected 1 records, but got 2",
       [](Draft &p) { p.records.target.push_back(p.records.target[0]); }},
      {"META: expected 1 records, but got 0", [](Draft &p) { p.records.meta.clear(); }},
      {"TARGET record 0, field target: expected one of 3 targets, but got 3",
       [](Draft &p) { p.records.target[0].target = 3; }},
      {"TARGET record 0, field precision: expected one of 3 precisions, but got 3",
       [](Draft &p) { p.records.target[0].precision = 3; }},
      {"TARGET record 0, field optimizer: expected one of 2 optimizers",
       [](Draft &p) { p.records.target[0].optimizer = kNone; }},
      {"TARGET record 0, field slices", [](Draft &p) { p.records.target[0].slices = 0; }},
      {"TARGET record 0, field slices", [](Draft &p) { p.records.target[0].slices = 1025; }},
      {"TARGET record 0, field classes", [](Draft &p) { p.records.target[0].classes = 0; }},
      {"TARGET record 0, field graph_count", [](Draft &p) { p.records.target[0].graph_count = 0; }},
      {"TARGET record 0, field graph_count", [](Draft &p) { p.records.target[0].graph_count = 3; }},
      {"TARGET record 0, field arena_bytes",
       [](Draft &p) { p.records.target[0].arena_bytes = ~uint64_t{0}; }},
      {"TARGET record 0, field flags", [](Draft &p) { p.records.target[0].flags = 2; }},
      {"TARGET record 0, field train_samples",
       [](Draft &p) { p.records.target[0].train_samples = ~uint64_t{0}; }},
      {"TARGET record 0, field val_samples",
       [](Draft &p) { p.records.target[0].val_samples = ~uint64_t{0}; }},
      {"META record 0, field model", [](Draft &p) { p.records.meta[0].model = kBig; }},
      {"META record 0, field producer", [](Draft &p) { p.records.meta[0].producer = kBig; }},
      {"FUSIONS record 0, field op", [](Draft &p) { p.records.fusions[0].op = 0; }},
      {"LOC record 0, field file", [](Draft &p) { p.records.locs[0].file = kBig; }},
      {"LAYERS record 1, field path", [](Draft &p) { p.records.layers[1].path = kBig; }},
      {"LAYERS record 1, field kind", [](Draft &p) { p.records.layers[1].kind = kBig; }},
      {"LAYERS record 1, field loc", [](Draft &p) { p.records.layers[1].loc = 2; }},
      {"LAYERS record 1, field is_first", [](Draft &p) { p.records.layers[1].is_first = 2; }},
  });
}

TEST(PlanStructure, Variants) {
  expectEach({
      {"VARIANTS: expected 1 to 64 records", [](Draft &p) { p.records.variants.clear(); }},
      {"VARIANTS record 0, field name", [](Draft &p) { p.records.variants[0].name = 0; }},
      {"VARIANTS record 1, field name: expected a name of its own",
       [](Draft &p) { p.records.variants[1].name = p.records.variants[0].name; }},
      {"VARIANTS record 0, field is_training",
       [](Draft &p) { p.records.variants[0].is_training = 2; }},
      {"VARIANTS record 0, field batch", [](Draft &p) { p.records.variants[0].batch = 0; }},
      {"VARIANTS record 0, field height",
       [](Draft &p) { p.records.variants[0].height = 1u << 31; }},
      {"VARIANTS record 0, field width", [](Draft &p) { p.records.variants[0].width = 0; }},
      {"VARIANTS record 0, field channels", [](Draft &p) { p.records.variants[0].channels = 0; }},
      {"VARIANTS record 0, field graph", [](Draft &p) { p.records.variants[0].graph = 1; }},
      {"VARIANTS record 1, field shape_id", [](Draft &p) { p.records.variants[1].shape_id = 0; }},
  });
}

TEST(PlanStructure, Memory) {
  const auto fc = [](Draft &p) -> trf_region & {
    return p.records.regions[findRegion(p, {Role::Weight, Group::FcWeight})];
  };
  expectEach({
      {"REGIONS record 3, field role: expected one of 25 roles, but got 25",
       [](Draft &p) { p.records.regions[3].role = 25; }},
      {"REGIONS record 0, field group: expected one of 7 groups, but got 7",
       [](Draft &p) { p.records.regions[0].group = 7; }},
      {"field group: expected none, as the role has no groups",
       [](Draft &p) { p.records.regions[0].group = 1; }},
      {"field group: expected a group of parameters", [=](Draft &p) { fc(p).group = 0; }},
      {"field dtype: expected one of 5 element types, but got 5",
       [=](Draft &p) { fc(p).dtype = 5; }},
      {"field dtype: expected one of 5 element types", [=](Draft &p) { fc(p).dtype = kNone; }},
      {"field dtype: expected none, as the region is pooled",
       [](Draft &p) { p.records.regions[findRegion(p, {Role::Feature})].dtype = 0; }},
      {"REGIONS record 2, field role: a second region of this role, group and type",
       [](Draft &p) {
         p.records.regions[2] = p.records.regions[1];
         p.records.regions[2].offset += 4096;
       }},
      {"REGIONS record 3, field reserved", [](Draft &p) { p.records.regions[3].reserved = 1; }},
      {"field offset: expected a multiple of 256", [=](Draft &p) { fc(p).offset += 128; }},
      {"field bytes: expected a multiple of 256", [=](Draft &p) { fc(p).bytes += 4; }},
      {"starts before the previous one ends", [=](Draft &p) { fc(p).bytes += 256; }},
      {"field bytes: the region ends outside the arena",
       [](Draft &p) { p.records.target[0].arena_bytes -= 1; }},
      {"ends outside the arena", [](Draft &p) { p.records.regions.back().bytes = ~uint64_t{255}; }},
      {"REGIONS: expected 0 to 875 records, but got 876",
       [](Draft &p) { p.records.regions.resize(876); }},
      {"TENSORS record 2, field name", [](Draft &p) { p.records.tensors[2].name = 0; }},
      {"TENSORS record 1, field name: expected a name of its own",
       [](Draft &p) { p.records.tensors[1].name = p.records.tensors[0].name; }},
      {"TENSORS record 2, field region",
       [](Draft &p) {
         p.records.tensors[2].region = static_cast<uint32_t>(p.records.regions.size());
       }},
      {"TENSORS record 2, field dtype", [](Draft &p) { p.records.tensors[2].dtype = 5; }},
      {"not the element type of the tensor's region",
       [](Draft &p) { p.records.tensors[2].dtype = 3; }},
      {"TENSORS record 2, field layout", [](Draft &p) { p.records.tensors[2].layout = 1; }},
      {"TENSORS record 2, field layer", [](Draft &p) { p.records.tensors[2].layer = 2; }},
      {"TENSORS record 2, field reserved", [](Draft &p) { p.records.tensors[2].reserved = 1; }},
      {"TENSORS record 2, field offset: expected a multiple",
       [](Draft &p) { p.records.tensors[2].offset += 64; }},
      {"TENSORS record 2, field slot_bytes: expected a multiple",
       [](Draft &p) { p.records.tensors[2].slot_bytes -= 8; }},
      {"TENSORS record 0, field offset: expected a slot inside the region's",
       [](Draft &p) { p.records.tensors[0].offset -= 256; }},
      {"TENSORS record 2, field offset: expected a slot inside the region's",
       [](Draft &p) { p.records.tensors[2].offset += 256 * 100; }},
      {"field offset: expected a slot inside the region's",
       [](Draft &p) { p.records.tensors[2].slot_bytes = ~uint64_t{255}; }},
  });
}

namespace {

// The sample with "dy" the first two of four channels of "y", in its slot.
Draft withRun() {
  Draft draft = samplePlan();
  std::vector<trf_tensor> &tensors = draft.records.tensors;
  const uint32_t y = findTensor(draft, "y"), dy = findTensor(draft, "dy");
  const uint32_t name = tensors[dy].name;
  tensors[dy] = tensors[y];
  tensors[dy].name = name;
  tensors[dy].parent = y;
  for (uint32_t v = 0; v < 2; ++v)
    draft.records.shapes[dy * 2 + v].dims[3] = 2;
  return draft;
}

} // namespace

TEST(PlanStructure, RunsOfChannels) {
  const auto dy = [](Draft &p) -> trf_tensor & { return p.records.tensors[findTensor(p, "dy")]; };
  const auto shapeOf = [](Draft &p, uint32_t variant) -> uint32_t(&)[4] {
    return p.records.shapes[findTensor(p, "dy") * 2 + variant].dims;
  };
  // The op that writes it takes no pitch, and so refuses it: all
  // that is checked before that holds.
  const std::string taken = "(fc_bwd_data), dx: expected a whole tensor, but 'dy' is a run of the "
                            "channels of another one";
  const Draft good = withRun();
  EXPECT_NE(errorOf(good).find(taken), std::string::npos) << errorOf(good);
  const Break breaks[] = {
      {"field parent: expected one of", [=](Draft &p) { dy(p).parent = kBig; }},
      {"field first_channel: expected 0, but got 2",
       [=](Draft &p) { p.records.tensors[0].first_channel = 2; }},
      {"field parent: expected a tensor that is no run of another one",
       [=](Draft &p) { dy(p).parent = findTensor(p, "dy"); }},
      {"field parent: expected the region, element type, offset and slot of the parent",
       [=](Draft &p) { dy(p).parent = findTensor(p, "logits"); }},
      {"field parent: expected the region, element type, offset and slot of the parent",
       [=](Draft &p) { dy(p).slot_bytes -= 256; }},
      {"field parent: expected none, as the tensor belongs to no layer",
       [=](Draft &p) { dy(p).layer = kNone; }},
      {"field dims: expected the extents of the parent but for channels",
       [=](Draft &p) { shapeOf(p, 1)[1] = 4; }},
      {"field dims: expected channels inside the parent's",
       [=](Draft &p) { dy(p).first_channel = 3; }},
      {"field dims: expected channels inside the parent's",
       [=](Draft &p) { dy(p).first_channel = kNone; }},
      {"field dims: expected as many channels as in the other variants",
       [=](Draft &p) { shapeOf(p, 1)[3] = 1; }},
      {"field dims: expected as many channels as in the other variants",
       [=](Draft &p) { p.records.shapes[findTensor(p, "y") * 2 + 1].dims[3] = 3; }},
  };
  for (const Break &b : breaks) {
    Draft draft = good;
    b.change(draft);
    EXPECT_NE(errorOf(draft).find(b.expected), std::string::npos)
        << b.expected << ": " << errorOf(draft);
  }
}

TEST(PlanStructure, ParametersAreWholeTensors) {
  Draft draft = samplePlan();
  std::vector<trf_tensor> &tensors = draft.records.tensors;
  const uint32_t bias = draft.records.params[1].tensor, first = draft.records.params[3].tensor;
  const uint32_t name = tensors[bias].name;
  tensors[bias] = tensors[first];
  tensors[bias].name = name;
  tensors[bias].parent = first;
  for (uint32_t v = 0; v < 2; ++v)
    draft.records.shapes[bias * 2 + v].dims[3] = 3;
  draft.records.ops.clear();
  draft.records.subgraphs.clear();
  draft.records.schedules.clear();
  draft.records.scheduleNodes.clear();
  draft.records.scheduleEdges.clear();
  for (trf_atlas_entry &entry : draft.records.atlas)
    entry = {kNone, kNone};
  EXPECT_EQ(errorOf(draft), "PARAMS record 1, field tensor: expected a whole tensor of f32");
}

TEST(PlanStructure, Shapes) {
  expectEach({
      {"SHAPES: expected", [](Draft &p) { p.records.shapes.pop_back(); }},
      {"SHAPES: expected", [](Draft &p) { p.records.tensors.push_back(p.records.tensors.back()); }},
      {"SHAPES record 5, field dims: expected 1 to",
       [](Draft &p) { p.records.shapes[5].dims[2] = 0; }},
      {"SHAPES record 5, field dims: expected 1 to",
       [](Draft &p) { p.records.shapes[5].dims[0] = 0x80000000u; }},
      {"SHAPES record 5, field dims: the tensor has too many bytes",
       [](Draft &p) {
         p.records.shapes[5] = {{0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff}};
       }},
      {"SHAPES record 5, field dims: expected at most the slot's 1024 bytes, but got 1028",
       [](Draft &p) {
         p.records.shapes[5] = {{1, 1, 1, 257}};
         p.records.tensors[2].slot_bytes = 1024;
       }},
  });
}

TEST(PlanStructure, SubgraphsAndRanges) {
  expectEach({
      {"SUBGRAPHS record 1, field graph", [](Draft &p) { p.records.subgraphs[1].graph = 1; }},
      {"SUBGRAPHS record 1, field subgraph",
       [](Draft &p) { p.records.subgraphs[1].subgraph = 33; }},
      {"SUBGRAPHS record 1, field subgraph: a second",
       [](Draft &p) { p.records.subgraphs[1].subgraph = p.records.subgraphs[0].subgraph; }},
      {"SUBGRAPHS record 1, field first_op",
       [](Draft &p) { p.records.subgraphs[1].first_op = kBig; }},
      {"SUBGRAPHS record 1, field first_op",
       [](Draft &p) { p.records.subgraphs[1].op_count = 0xffffffff; }},
      {"SUBGRAPHS record 1, field reason", [](Draft &p) { p.records.subgraphs[1].reason = kBig; }},
      {"SUBGRAPHS record 1, field reason: expected none",
       [](Draft &p) { p.records.subgraphs[1].reason = p.intern("why"); }},
      {"SUBGRAPHS record 1, field reserved", [](Draft &p) { p.records.subgraphs[1].reserved = 1; }},
      {"RANGES record 0, field last_region",
       [](Draft &p) {
         p.records.ranges[0].last_region = static_cast<uint32_t>(p.records.regions.size());
       }},
      {"RANGES record 0, field first_region",
       [](Draft &p) { p.records.ranges[0].first_region = p.records.ranges[0].last_region + 1; }},
  });
}

TEST(PlanStructure, Ops) {
  expectEach({
      // 1 lies between two opcodes.
      {"OPS record 1, field opcode: there is no kernel op of this number",
       [](Draft &p) { p.records.ops[1].opcode = 1; }},
      {"OPS record 1, field opcode: there is no kernel op of this number",
       [](Draft &p) { p.records.ops[1].opcode = 142; }},
      {"OPS record 1, field opcode: there is no kernel op of this number",
       [](Draft &p) { p.records.ops[1].opcode = kNone; }},
      {"OPS record 1, field instance: expected one of 1 instances, but got 1",
       [](Draft &p) { p.records.ops[1].instance = 1; }},
      {"OPS record 1, field layer", [](Draft &p) { p.records.ops[1].layer = 2; }},
      {"OPS record 1, field first_operand",
       [](Draft &p) { p.records.ops[1].first_operand = kBig; }},
      {"OPS record 1, field first_operand",
       [](Draft &p) { p.records.ops[1].operand_count = kNone; }},
      {"OPS record 1, field first_attr", [](Draft &p) { p.records.ops[1].first_attr = kBig; }},
      {"OPS record 1 (conv_fwd), field operand_count: expected 4, but got 3",
       [](Draft &p) { p.records.ops[1].operand_count = 3; }},
      {"OPS record 1 (conv_fwd), field attr_count: expected 9 to 11, but got 8",
       [](Draft &p) { p.records.ops[1].attr_count = 8; }},
      {"(conv_fwd), w: the operand is absent, but it is not optional",
       [](Draft &p) { operandOf(p, Opcode::conv_fwd, 1) = kNone; }},
      {"(conv_fwd), w: expected one of",
       [](Draft &p) { operandOf(p, Opcode::conv_fwd, 1) = kBig; }},
      {"(softmax_ce_fwd), labels: expected i32, but tensor 'data_a' is f32",
       [](Draft &p) { operandOf(p, Opcode::softmax_ce_fwd, 1) = findTensor(p, "data_a"); }},
      {"(range_h2d), dst: expected one of",
       [](Draft &p) { operandOf(p, Opcode::range_h2d, 0) = kBig; }},
      {"(range_sgd), g: expected a range of",
       [](Draft &p) { operandOf(p, Opcode::range_sgd, 1) = operandOf(p, Opcode::range_clear, 0); }},
      {"(range_check_finite), grads: expected regions of f32, but region 11 is i32",
       [](Draft &p) {
         const uint32_t grads = operandOf(p, Opcode::range_check_finite, 0);
         p.records.ranges[grads].last_region = findRegion(p, {Role::LabelA});
       }},
      {"(range_check_finite), grads: expected regions of f32, but region 13 is pooled",
       [](Draft &p) {
         const uint32_t feature = findRegion(p, {Role::Feature});
         p.records.ranges[operandOf(p, Opcode::range_check_finite, 0)] = {feature, feature};
       }},
      {"(range_check_finite), grads: expected regions of f32, but region",
       [](Draft &p) {
         operandOf(p, Opcode::range_check_finite, 0) = operandOf(p, Opcode::range_h2d, 0);
       }},
  });
}

TEST(PlanStructure, Algorithms) {
  const uint32_t direct = 1, winograd = 2;
  expectEach({
      {"OPS record 1, field algorithm: expected one of 4 algorithms, but got 4",
       [](Draft &p) { p.records.ops[1].algorithm = 4; }},
      {"(fc_fwd), field algorithm: expected auto for what is no convolution, but got direct",
       [=](Draft &p) { p.records.ops[2].algorithm = direct; }},
  });
  // Attributes that a 3x3 convolution of stride 1, dilation 1 and one group does not have.
  const struct {
    uint32_t attr;
    int64_t value;
    const char *expected;
  } others[] = {{0, 1, "kernel_h 3, but got 1"},   {1, 5, "kernel_w 3, but got 5"},
                {2, 2, "stride_h 1, but got 2"},   {3, 3, "stride_w 1, but got 3"},
                {6, 2, "dilation_h 1, but got 2"}, {7, 4, "dilation_w 1, but got 4"},
                {8, 2, "groups 1, but got 2"}};
  for (const auto &other : others)
    expectEach({{std::string("OPS record 1 (conv_fwd), field algorithm: winograd expects ") +
                     other.expected,
                 [&](Draft &p) {
                   p.records.ops[1].algorithm = winograd;
                   p.records.attrs[p.records.ops[1].first_attr + other.attr].bits =
                       intBits(other.value);
                 }}});
  expectEach({{"OPS record 1 (conv_fwd), field algorithm: pointwise expects kernel_h 1, but got 3",
               [](Draft &p) { p.records.ops[1].algorithm = 3; }},
              {"OPS record 1 (conv_fwd), field algorithm: pointwise expects pad_h 0, but got 1",
               [](Draft &p) {
                 p.records.ops[1].algorithm = 3;
                 p.records.attrs[p.records.ops[1].first_attr].bits =
                     p.records.attrs[p.records.ops[1].first_attr + 1].bits = 1;
               }}});
  // Any pad, and any algorithm that fits.
  for (const uint32_t algorithm : {direct, winograd}) {
    Draft draft = samplePlan();
    draft.records.ops[1].algorithm = algorithm;
    EXPECT_EQ(errorOf(draft), "");
  }
}

TEST(PlanStructure, OptionalOperandsAndOperandsOfAnyType) {
  Draft draft = samplePlan();
  operandOf(draft, Opcode::conv_fwd, 2) = kNone; // bias
  EXPECT_EQ(errorOf(draft), "");
  // copy wants one type for both of its operands, whichever it is.
  const uint32_t number = findTensor(draft, "nonfinite"), real = findTensor(draft, "y");
  addOp(draft, Opcode::copy, {number, number}, {});
  addOp(draft, Opcode::copy, {real, real}, {});
  EXPECT_EQ(errorOf(draft), "");
  addOp(draft, Opcode::copy, {number, real}, {});
  EXPECT_NE(errorOf(draft).find("(copy), y: expected i32, but tensor 'y' is f32"),
            std::string::npos);
}

// Each attribute of each op just outside its range; no subgraph runs the op, so that nobody
// asks for its shapes.
TEST(PlanStructure, EachAttributeHasItsRange) {
  for (const OpInfo &op : kOps) {
    if (op.hasRuns())
      continue; // none of them has attributes
    PlanBuilder b("one op", "structure test", 3);
    b.variant("a", true, {1, 1, 1, 1}, 0);
    std::vector<uint32_t> operands;
    for (const OperandInfo &operand : op.operands)
      operands.push_back(b.tensor("t" + std::to_string(operands.size()), {Role::Temp},
                                  typeOf(operand.type, Instance{}).value_or(DType::I32),
                                  {1, 1, 1, 1}));
    std::vector<uint64_t> attrs;
    for (const AttrInfo &attr : op.attrs)
      attrs.push_back(attr.isFloat() ? realBits(attr.leastReal) : intBits(attr.low));
    b.op(op.opcode, operands, attrs);
    const Draft good = b.finish();
    EXPECT_EQ(errorOf(good), "") << op.name;
    for (uint32_t i = 0; i < op.attrs.size(); ++i)
      for (const auto &[bits, expected] : outside(op.attrs[i])) {
        Draft draft = good;
        draft.records.attrs[i].bits = bits;
        EXPECT_EQ(errorOf(draft), "OPS record 0 (" + std::string(op.name) + "), " +
                                      std::string(op.attrs[i].name) + ": expected " + expected);
      }
  }
}

TEST(PlanStructure, Schedules) {
  expectEach({
      {"SCHEDULES record 0, field schedule", [](Draft &p) { p.records.schedules[0].schedule = 6; }},
      {"SCHEDULES record 1, field schedule: a second",
       [](Draft &p) { p.records.schedules[1].schedule = p.records.schedules[0].schedule; }},
      {"SCHEDULES record 0, field graph", [](Draft &p) { p.records.schedules[0].graph = 1; }},
      {"SCHEDULES record 1, field first_node",
       [](Draft &p) { p.records.schedules[1].first_node -= 1; }},
      {"SCHEDULES record 1, field first_edge",
       [](Draft &p) { p.records.schedules[1].first_edge -= 1; }},
      {"SCHEDULES record 1, field first_node: expected a run",
       [](Draft &p) { p.records.schedules[1].node_count += 1; }},
      {"SCHEDULES record 1, field first_edge: expected a run",
       [](Draft &p) { p.records.schedules[1].edge_count = 0xffffffff; }},
      {"SCHEDULE: expected",
       [](Draft &p) {
         p.records.scheduleNodes.push_back({0, 0});
       }},
      {"SCHEDULE_EDGES: expected",
       [](Draft &p) {
         p.records.scheduleEdges.push_back({0, 1});
       }},
      {"SCHEDULE record 2, field op", [](Draft &p) { p.records.scheduleNodes[2].op = kBig; }},
      {"SCHEDULE record 2, field subgraph",
       [](Draft &p) { p.records.scheduleNodes[2].subgraph = 33; }},
      {"has no such subgraph", [](Draft &p) { p.records.scheduleNodes[2].subgraph = 28; }},
      {"SCHEDULE record 2, field op: it is not an op of the node's subgraph",
       [](Draft &p) { p.records.scheduleNodes[2].op += 1; }},
      {"SCHEDULE_EDGES record 1, field from",
       [](Draft &p) {
         p.records.scheduleEdges[1] = {2, 2};
       }},
      {"SCHEDULE_EDGES record 1, field from",
       [](Draft &p) {
         p.records.scheduleEdges[1] = {3, 2};
       }},
      {"SCHEDULE_EDGES record 1, field to",
       [](Draft &p) {
         p.records.scheduleEdges[1] = {1, p.records.schedules[0].node_count};
       }},
  });
}

TEST(PlanStructure, Atlas) {
  const uint32_t deep = static_cast<uint32_t>(Subgraph::DeepFwdBwd);
  expectEach({
      {"ATLAS: expected 66 records, but got 65", [](Draft &p) { p.records.atlas.pop_back(); }},
      {"ATLAS record 4, field subgraph_record",
       [=](Draft &p) { p.records.atlas[deep].subgraph_record = kBig; }},
      {"ATLAS record 4, field capture", [=](Draft &p) { p.records.atlas[deep].capture = kNone; }},
      {"ATLAS record 4, field capture",
       [=](Draft &p) { p.records.atlas[deep].subgraph_record = kNone; }},
      {"ATLAS record 5, field subgraph_record: it is another subgraph's",
       [=](Draft &p) {
         p.records.atlas[deep + 1].subgraph_record = p.records.atlas[deep].subgraph_record;
       }},
      {"ATLAS record 5, field capture: another subgraph record",
       [=](Draft &p) { p.records.atlas[deep + 1].capture = p.records.atlas[deep].capture; }},
      {"ATLAS record 0, field subgraph_record: it belongs to another graph",
       [](Draft &p) {
         p.records.target[0].graph_count = 2;
         p.records.variants[0].graph = 1;
       }},
  });
}

TEST(PlanStructure, Params) {
  expectEach({
      {"PARAMS record 1, field name", [](Draft &p) { p.records.params[1].name = 0; }},
      {"PARAMS record 1, field name: expected a name of its own",
       [](Draft &p) { p.records.params[1].name = p.records.params[0].name; }},
      {"PARAMS record 1, field flags", [](Draft &p) { p.records.params[1].flags = 2; }},
      {"PARAMS record 1, field tensor", [](Draft &p) { p.records.params[1].tensor = kBig; }},
      {"PARAMS record 1, field tensor", [](Draft &p) { p.records.params[1].tensor = kNone; }},
      {"PARAMS record 1, field tensor: expected a whole tensor of f32",
       [](Draft &p) { p.records.params[1].tensor = findTensor(p, "valid_a"); }},
      {"PARAMS record 1, field tensor: the parameter has other shapes",
       [](Draft &p) {
         p.records.params[1].tensor = findTensor(p, "probs");
         p.records.params[1].grad = kNone;
       }},
      {"PARAMS record 1, field grad", [](Draft &p) { p.records.params[1].grad = kBig; }},
      {"PARAMS record 1, field grad: the gradient has another shape",
       [](Draft &p) { p.records.params[1].grad = p.records.params[0].grad; }},
      {"PARAMS record 1, field layout", [](Draft &p) { p.records.params[1].layout = 3; }},
      {"PARAMS record 1, field init:", [](Draft &p) { p.records.params[1].init = 5; }},
      {"PARAMS record 1, field init_scale", [](Draft &p) { p.records.params[1].init_scale = -1; }},
      {"PARAMS record 1, field init_scale",
       [](Draft &p) { p.records.params[1].init_scale = std::numeric_limits<double>::quiet_NaN(); }},
      {"PARAMS record 1, field logical_dims",
       [](Draft &p) { p.records.params[1].logical_dims[3] = 5; }},
      {"PARAMS record 1, field logical_dims",
       [](Draft &p) { p.records.params[1].logical_dims[3] = 0; }},
      {"PARAMS record 0, field logical_dims", [](Draft &p) { p.records.params[0].layout = 0; }},
  });
}
