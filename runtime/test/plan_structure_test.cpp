// SPDX-License-Identifier: Apache-2.0
//
// Every structural check broken one at a time: the plan is rejected, and the
// message names the section, the record and the field.
#include "sample_plan.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

using namespace trrt;
using namespace trrt::test;

namespace {

struct Break {
  std::string expected;
  std::function<void(tr::PlanImage &)> change;
};

std::string errorOf(const tr::PlanImage &image) {
  const std::vector<uint8_t> bytes = image.serialize();
  Plan plan;
  std::string error;
  return readPlan(bytes.data(), bytes.size(), plan, error) ? "" : error;
}

void expectEach(const std::vector<Break> &breaks) {
  ASSERT_EQ(errorOf(samplePlan()), "");
  for (size_t i = 0; i < breaks.size(); ++i) {
    tr::PlanImage image = samplePlan();
    breaks[i].change(image);
    const std::string error = errorOf(image);
    EXPECT_NE(error.find(breaks[i].expected), std::string::npos)
        << "case " << i << ": expected '" << breaks[i].expected << "' in '" << error << "'";
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

using Image = tr::PlanImage;

uint32_t findOp(const Image &image, trk::Opcode opcode) {
  for (uint32_t i = 0; i < image.ops.size(); ++i)
    if (image.ops[i].opcode == static_cast<uint32_t>(opcode))
      return i;
  throw std::logic_error("the sample lacks this op");
}

uint32_t &operandOf(Image &image, trk::Opcode opcode, uint32_t position) {
  return image.operands[image.ops[findOp(image, opcode)].first_operand + position];
}

constexpr uint32_t kBig = 0x7ffffff0;

} // namespace

TEST(PlanStructure, HeadSections) {
  expectEach({
      {"TARGET record 0, field backend", [](Image &p) { p.target.backend = kBig; }},
      {"TARGET record 0, field precision", [](Image &p) { p.target.precision = 0; }},
      {"TARGET record 0, field optimizer", [](Image &p) { p.target.optimizer = kNone; }},
      {"TARGET record 0, field slices", [](Image &p) { p.target.slices = 0; }},
      {"TARGET record 0, field slices", [](Image &p) { p.target.slices = 1025; }},
      {"TARGET record 0, field classes", [](Image &p) { p.target.classes = 0; }},
      {"TARGET record 0, field graph_count", [](Image &p) { p.target.graph_count = 0; }},
      {"TARGET record 0, field graph_count", [](Image &p) { p.target.graph_count = 3; }},
      {"TARGET record 0, field arena_bytes", [](Image &p) { p.target.arena_bytes = ~uint64_t{0}; }},
      {"TARGET record 0, field isa", [](Image &p) { p.target.isa = 3; }},
      {"TARGET record 0, field reserved", [](Image &p) { p.target.reserved = 1; }},
      {"META record 0, field model", [](Image &p) { p.meta.model = kBig; }},
      {"META record 0, field producer", [](Image &p) { p.meta.producer = kBig; }},
      {"FUSIONS record 0, field op", [](Image &p) { p.fusions[0].op = 0; }},
      {"LOC record 0, field file", [](Image &p) { p.locs[0].file = kBig; }},
      {"LAYERS record 1, field path", [](Image &p) { p.layers[1].path = kBig; }},
      {"LAYERS record 1, field kind", [](Image &p) { p.layers[1].kind = kBig; }},
      {"LAYERS record 1, field loc", [](Image &p) { p.layers[1].loc = 2; }},
      {"LAYERS record 1, field is_first", [](Image &p) { p.layers[1].is_first = 2; }},
  });
}

TEST(PlanStructure, Variants) {
  expectEach({
      {"VARIANTS: expected 1 to 64 records", [](Image &p) { p.variants.clear(); }},
      {"VARIANTS record 0, field name", [](Image &p) { p.variants[0].name = 0; }},
      {"VARIANTS record 1, field name: a second",
       [](Image &p) { p.variants[1].name = p.variants[0].name; }},
      {"VARIANTS record 0, field is_training", [](Image &p) { p.variants[0].is_training = 2; }},
      {"VARIANTS record 0, field batch", [](Image &p) { p.variants[0].batch = 0; }},
      {"VARIANTS record 0, field height", [](Image &p) { p.variants[0].height = 1u << 31; }},
      {"VARIANTS record 0, field width", [](Image &p) { p.variants[0].width = 0; }},
      {"VARIANTS record 0, field channels", [](Image &p) { p.variants[0].channels = 0; }},
      {"VARIANTS record 0, field graph", [](Image &p) { p.variants[0].graph = 1; }},
      {"VARIANTS record 1, field shape_id", [](Image &p) { p.variants[1].shape_id = 0; }},
  });
}

TEST(PlanStructure, Memory) {
  const uint32_t fc = static_cast<uint32_t>(Region::WFcWeight);
  expectEach({
      {"REGIONS: expected 68 records, but got 67", [](Image &p) { p.regions.pop_back(); }},
      {"REGIONS record 3, field region", [](Image &p) { p.regions[3].region = 4; }},
      {"REGIONS record 3, field reserved", [](Image &p) { p.regions[3].reserved = 1; }},
      {"field offset: expected a multiple of 256", [=](Image &p) { p.regions[fc].offset += 128; }},
      {"field bytes: expected a multiple of 256", [=](Image &p) { p.regions[fc].bytes += 4; }},
      {"starts before the previous one ends", [=](Image &p) { p.regions[fc].bytes += 256; }},
      {"REGIONS record 67, field bytes: the region ends outside the arena",
       [](Image &p) { p.target.arena_bytes -= 1; }},
      {"ends outside the arena", [](Image &p) { p.regions[67].bytes = ~uint64_t{255}; }},
      {"TENSORS record 2, field name", [](Image &p) { p.tensors[2].name = 0; }},
      {"TENSORS record 1, field name: a second",
       [](Image &p) { p.tensors[1].name = p.tensors[0].name; }},
      {"TENSORS record 2, field region", [](Image &p) { p.tensors[2].region = 68; }},
      {"TENSORS record 2, field dtype", [](Image &p) { p.tensors[2].dtype = 5; }},
      {"not the element type of the tensor's region", [](Image &p) { p.tensors[2].dtype = 3; }},
      {"TENSORS record 2, field layout", [](Image &p) { p.tensors[2].layout = 1; }},
      {"TENSORS record 2, field layer", [](Image &p) { p.tensors[2].layer = 2; }},
      {"TENSORS record 2, field reserved", [](Image &p) { p.tensors[2].reserved = 1; }},
      {"TENSORS record 2, field offset: expected a multiple",
       [](Image &p) { p.tensors[2].offset += 64; }},
      {"TENSORS record 2, field slot_bytes: expected a multiple",
       [](Image &p) { p.tensors[2].slot_bytes -= 8; }},
      {"TENSORS record 0, field offset: the slot starts before",
       [](Image &p) { p.tensors[0].offset -= 256; }},
      {"TENSORS record 2, field slot_bytes: the slot ends outside",
       [](Image &p) { p.tensors[2].offset += 256 * 100; }},
      {"field slot_bytes: the slot ends outside",
       [](Image &p) { p.tensors[2].slot_bytes = ~uint64_t{255}; }},
  });
}

TEST(PlanStructure, Shapes) {
  expectEach({
      {"SHAPES: expected", [](Image &p) { p.shapes.pop_back(); }},
      {"SHAPES: expected", [](Image &p) { p.tensors.push_back(p.tensors.back()); }},
      {"SHAPES record 5, field dims: expected 1 to", [](Image &p) { p.shapes[5].dims[2] = 0; }},
      {"SHAPES record 5, field dims: expected 1 to",
       [](Image &p) { p.shapes[5].dims[0] = 0x80000000u; }},
      {"SHAPES record 5, field dims: the tensor has too many bytes",
       [](Image &p) {
         p.shapes[5] = {{0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff}};
       }},
      {"SHAPES record 5, field dims: expected at most the slot's 1024 bytes, but got 1028",
       [](Image &p) {
         p.shapes[5] = {{1, 1, 1, 257}};
         p.tensors[2].slot_bytes = 1024;
       }},
  });
}

TEST(PlanStructure, SubgraphsAndRanges) {
  expectEach({
      {"SUBGRAPHS record 1, field graph", [](Image &p) { p.subgraphs[1].graph = 1; }},
      {"SUBGRAPHS record 1, field subgraph", [](Image &p) { p.subgraphs[1].subgraph = 33; }},
      {"SUBGRAPHS record 1, field subgraph: a second",
       [](Image &p) { p.subgraphs[1].subgraph = p.subgraphs[0].subgraph; }},
      {"SUBGRAPHS record 1, field first_op", [](Image &p) { p.subgraphs[1].first_op = kBig; }},
      {"SUBGRAPHS record 1, field first_op",
       [](Image &p) { p.subgraphs[1].op_count = 0xffffffff; }},
      {"SUBGRAPHS record 1, field reason", [](Image &p) { p.subgraphs[1].reason = kBig; }},
      {"SUBGRAPHS record 1, field reason: expected none",
       [](Image &p) { p.subgraphs[1].reason = p.intern("why"); }},
      {"SUBGRAPHS record 1, field reserved", [](Image &p) { p.subgraphs[1].reserved = 1; }},
      {"RANGES record 0, field last_region", [](Image &p) { p.ranges[0].last_region = 68; }},
      {"RANGES record 0, field first_region",
       [](Image &p) { p.ranges[0].first_region = p.ranges[0].last_region + 1; }},
  });
}

TEST(PlanStructure, Ops) {
  using trk::Opcode;
  expectEach({
      {"OPS record 1, field opcode", [](Image &p) { p.ops[1].opcode = trk::kOpCount; }},
      {"OPS record 1, field layer", [](Image &p) { p.ops[1].layer = 2; }},
      {"OPS record 1, field first_operand", [](Image &p) { p.ops[1].first_operand = kBig; }},
      {"OPS record 1, field first_operand", [](Image &p) { p.ops[1].operand_count = kNone; }},
      {"OPS record 1, field first_attr", [](Image &p) { p.ops[1].first_attr = kBig; }},
      {"OPS record 1 (conv_fwd), field operand_count: expected 4, but got 3",
       [](Image &p) { p.ops[1].operand_count = 3; }},
      {"OPS record 1 (conv_fwd), field attr_count: expected 9, but got 8",
       [](Image &p) { p.ops[1].attr_count = 8; }},
      {"(conv_fwd), w: the operand is absent, but it is not optional",
       [](Image &p) { operandOf(p, Opcode::conv_fwd, 1) = kNone; }},
      {"(conv_fwd), w: expected one of",
       [](Image &p) { operandOf(p, Opcode::conv_fwd, 1) = kBig; }},
      {"(softmax_ce_fwd), labels: expected i32, but tensor 'data_a' is f32",
       [](Image &p) { operandOf(p, Opcode::softmax_ce_fwd, 1) = findTensor(p, "data_a"); }},
      {"(range_h2d), dst: expected one of",
       [](Image &p) { operandOf(p, Opcode::range_h2d, 0) = kBig; }},
      {"(range_sgd), g: expected a range of",
       [](Image &p) { operandOf(p, Opcode::range_sgd, 1) = operandOf(p, Opcode::range_clear, 0); }},
      // The region before the gradients is empty, but of half precision.
      {"(range_check_finite), grads: expected regions of f32, but region 23 is f16",
       [](Image &p) {
         const uint32_t grads = operandOf(p, Opcode::range_check_finite, 0);
         p.ranges[grads].first_region = static_cast<uint32_t>(Region::ADeepConv);
       }},
      {"(range_check_finite), grads: expected regions of f32, but region",
       [](Image &p) {
         operandOf(p, Opcode::range_check_finite, 0) = operandOf(p, Opcode::range_h2d, 0);
       }},
  });
}

TEST(PlanStructure, Algorithms) {
  const uint32_t direct = 1, winograd = 2;
  expectEach({
      {"OPS record 1, field algorithm: expected one of 4 algorithms, but got 4",
       [](Image &p) { p.ops[1].algorithm = 4; }},
      {"(fc_fwd), field algorithm: expected auto for what is no convolution, but got direct",
       [=](Image &p) { p.ops[2].algorithm = direct; }},
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
                 [&](Image &p) {
                   p.ops[1].algorithm = winograd;
                   p.attrs[p.ops[1].first_attr + other.attr].bits = Image::intAttr(other.value);
                 }}});
  expectEach({{"OPS record 1 (conv_fwd), field algorithm: pointwise expects kernel_h 1, but got 3",
               [](Image &p) { p.ops[1].algorithm = 3; }},
              {"OPS record 1 (conv_fwd), field algorithm: pointwise expects pad_h 0, but got 1",
               [](Image &p) {
                 p.ops[1].algorithm = 3;
                 p.attrs[p.ops[1].first_attr].bits = p.attrs[p.ops[1].first_attr + 1].bits = 1;
               }}});
  // Any pad, and any algorithm that fits.
  for (const uint32_t algorithm : {direct, winograd}) {
    tr::PlanImage image = samplePlan();
    image.ops[1].algorithm = algorithm;
    EXPECT_EQ(errorOf(image), "");
  }
}

TEST(PlanStructure, OptionalOperandsAndOperandsOfAnyType) {
  tr::PlanImage image = samplePlan();
  operandOf(image, trk::Opcode::conv_fwd, 2) = kNone; // bias
  EXPECT_EQ(errorOf(image), "");
  // copy wants one type for both of its operands, whichever it is.
  const uint32_t number = findTensor(image, "nonfinite"), real = findTensor(image, "y");
  const uint32_t copy = static_cast<uint32_t>(trk::Opcode::copy);
  image.addOp(copy, {number, number}, {});
  image.addOp(copy, {real, real}, {});
  EXPECT_EQ(errorOf(image), "");
  image.addOp(copy, {number, real}, {});
  EXPECT_NE(errorOf(image).find("(copy), y: expected i32, but tensor 'y' is f32"),
            std::string::npos);
}

TEST(PlanStructure, Attributes) {
  const uint32_t act = static_cast<uint32_t>(trk::Opcode::act_fwd);
  const uint32_t stats = static_cast<uint32_t>(trk::Opcode::bn_stats);
  for (int64_t kind : {-1, 0, 8, 9}) {
    tr::PlanImage image = samplePlan();
    const uint32_t real = findTensor(image, "y");
    image.addOp(act, {real, real}, {Image::intAttr(kind)});
    EXPECT_EQ(errorOf(image).empty(), kind >= 0 && kind < 9) << kind << errorOf(image);
  }
  for (double eps :
       {1e-5, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    tr::PlanImage image = samplePlan();
    const uint32_t real = findTensor(image, "y");
    // Any seven tensors of f32: no subgraph runs the op.
    image.addOp(stats, {real, 0, 1, 2, 3, 4, 6}, {Image::floatAttr(eps), Image::floatAttr(1)});
    const std::string error = errorOf(image);
    EXPECT_EQ(error.empty(), eps == 1e-5) << error;
    if (eps != 1e-5) {
      EXPECT_NE(error.find("(bn_stats), eps: expected a finite number"), std::string::npos);
    }
  }
}

TEST(PlanStructure, Schedules) {
  expectEach({
      {"SCHEDULES record 0, field schedule", [](Image &p) { p.schedules[0].schedule = 6; }},
      {"SCHEDULES record 1, field schedule: a second",
       [](Image &p) { p.schedules[1].schedule = p.schedules[0].schedule; }},
      {"SCHEDULES record 0, field graph", [](Image &p) { p.schedules[0].graph = 1; }},
      {"SCHEDULES record 1, field first_node", [](Image &p) { p.schedules[1].first_node -= 1; }},
      {"SCHEDULES record 1, field first_edge", [](Image &p) { p.schedules[1].first_edge -= 1; }},
      {"SCHEDULES record 1, field first_node: expected a run",
       [](Image &p) { p.schedules[1].node_count += 1; }},
      {"SCHEDULES record 1, field first_edge: expected a run",
       [](Image &p) { p.schedules[1].edge_count = 0xffffffff; }},
      {"SCHEDULE: expected",
       [](Image &p) {
         p.scheduleNodes.push_back({0, 0});
       }},
      {"SCHEDULE_EDGES: expected",
       [](Image &p) {
         p.scheduleEdges.push_back({0, 1});
       }},
      {"SCHEDULE record 2, field op", [](Image &p) { p.scheduleNodes[2].op = kBig; }},
      {"SCHEDULE record 2, field subgraph", [](Image &p) { p.scheduleNodes[2].subgraph = 33; }},
      {"has no such subgraph", [](Image &p) { p.scheduleNodes[2].subgraph = 28; }},
      {"SCHEDULE record 2, field op: it is not an op of the node's subgraph",
       [](Image &p) { p.scheduleNodes[2].op += 1; }},
      {"SCHEDULE_EDGES record 1, field from",
       [](Image &p) {
         p.scheduleEdges[1] = {2, 2};
       }},
      {"SCHEDULE_EDGES record 1, field from",
       [](Image &p) {
         p.scheduleEdges[1] = {3, 2};
       }},
      {"SCHEDULE_EDGES record 1, field to",
       [](Image &p) {
         p.scheduleEdges[1] = {1, p.schedules[0].node_count};
       }},
  });
}

TEST(PlanStructure, Atlas) {
  const uint32_t deep = static_cast<uint32_t>(Subgraph::DeepFwdBwd);
  expectEach({
      {"ATLAS: expected 66 records, but got 65", [](Image &p) { p.atlas.pop_back(); }},
      {"ATLAS record 4, field subgraph_record",
       [=](Image &p) { p.atlas[deep].subgraph_record = kBig; }},
      {"ATLAS record 4, field capture", [=](Image &p) { p.atlas[deep].capture = kNone; }},
      {"ATLAS record 4, field capture", [=](Image &p) { p.atlas[deep].subgraph_record = kNone; }},
      {"ATLAS record 5, field subgraph_record: it is another subgraph's",
       [=](Image &p) { p.atlas[deep + 1].subgraph_record = p.atlas[deep].subgraph_record; }},
      {"ATLAS record 5, field capture: another subgraph record",
       [=](Image &p) { p.atlas[deep + 1].capture = p.atlas[deep].capture; }},
      {"ATLAS record 0, field subgraph_record: it belongs to another graph",
       [](Image &p) {
         p.target.graph_count = 2;
         p.variants[0].graph = 1;
       }},
  });
}

TEST(PlanStructure, Params) {
  expectEach({
      {"PARAMS record 1, field name", [](Image &p) { p.params[1].name = 0; }},
      {"PARAMS record 1, field name: a second",
       [](Image &p) { p.params[1].name = p.params[0].name; }},
      {"PARAMS record 1, field flags", [](Image &p) { p.params[1].flags = 2; }},
      {"PARAMS record 1, field tensor", [](Image &p) { p.params[1].tensor = kBig; }},
      {"PARAMS record 1, field tensor", [](Image &p) { p.params[1].tensor = kNone; }},
      {"PARAMS record 1, field tensor: expected a tensor of f32",
       [](Image &p) { p.params[1].tensor = findTensor(p, "valid_a"); }},
      {"PARAMS record 1, field tensor: the parameter has other shapes",
       [](Image &p) {
         p.params[1].tensor = findTensor(p, "probs");
         p.params[1].grad = kNone;
       }},
      {"PARAMS record 1, field grad", [](Image &p) { p.params[1].grad = kBig; }},
      {"PARAMS record 1, field grad: the gradient has another shape",
       [](Image &p) { p.params[1].grad = p.params[0].grad; }},
      {"PARAMS record 1, field layout", [](Image &p) { p.params[1].layout = 3; }},
      {"PARAMS record 1, field init:", [](Image &p) { p.params[1].init = 4; }},
      {"PARAMS record 1, field init_scale", [](Image &p) { p.params[1].init_scale = -1; }},
      {"PARAMS record 1, field init_scale",
       [](Image &p) { p.params[1].init_scale = std::numeric_limits<double>::quiet_NaN(); }},
      {"PARAMS record 1, field logical_dims", [](Image &p) { p.params[1].logical_dims[3] = 5; }},
      {"PARAMS record 1, field logical_dims", [](Image &p) { p.params[1].logical_dims[3] = 0; }},
      {"PARAMS record 0, field logical_dims", [](Image &p) { p.params[0].layout = 0; }},
  });
}
