// SPDX-License-Identifier: Apache-2.0
//
// What flows through schedules: order, content and places of tensors (checks V40 to V45),
// each broken one at a time in a plan that reuses memory.
#include "base/philox.h"
#include "plan/dataflow.h"
#include "plan/paths.h"
#include "sample_plan.h"
#include "temp_dir.h"

#include <gtest/gtest.h>

using namespace trrt;
using namespace trrt::test;
using trk::Opcode;

namespace {

std::string errorOf(const tr::PlanImage &image) {
  const std::vector<uint8_t> bytes = image.serialize();
  Plan plan;
  std::string error;
  return readPlan(bytes.data(), bytes.size(), plan, error) ? "" : error;
}

void expectError(const tr::PlanImage &image, const std::string &expected) {
  const std::string error = errorOf(image);
  EXPECT_NE(error.find(expected), std::string::npos) << expected << ": '" << error << "'";
}

uint32_t &operandOf(tr::PlanImage &image, Opcode opcode, uint32_t position) {
  for (trrt_plan_op &op : image.ops)
    if (op.opcode == static_cast<uint32_t>(opcode))
      return image.operands[op.first_operand + position];
  throw std::logic_error("the sample lacks this op");
}

} // namespace

TEST(PlanDataflow, PooledSampleIsGood) {
  EXPECT_EQ(errorOf(pooledPlan()), "");
  tr::PlanImage image = samplePlan();
  poolTensors(image, {});
  EXPECT_EQ(errorOf(image), "");
}

TEST(PlanDataflow, V40_EachEdgeIsNeeded) {
  for (const tr::PlanImage &good : {pooledPlan(), [] {
                                      tr::PlanImage image = samplePlan();
                                      reduceEdges(image);
                                      return image;
                                    }()}) {
    ASSERT_EQ(errorOf(good), "");
    ASSERT_GT(good.scheduleEdges.size(), 12u);
    for (size_t i = 0; i < good.scheduleEdges.size(); ++i) {
      tr::PlanImage image = good;
      const size_t owner = i < good.schedules[1].first_edge ? 0 : 1;
      image.scheduleEdges.erase(image.scheduleEdges.begin() + static_cast<std::ptrdiff_t>(i));
      image.schedules[owner].edge_count -= 1;
      if (owner == 0)
        image.schedules[1].first_edge -= 1;
      expectError(image, "no path of edges leads from node " +
                             std::to_string(good.scheduleEdges[i].from) + " (");
    }
  }
}

TEST(PlanDataflow, V40_MessageNamesBothNodesAndTheTensor) {
  tr::PlanImage image = pooledPlan();
  // fc_bwd_weight reads the features, fc_bwd_data writes their gradient over them.
  for (size_t i = 0; i < image.scheduleEdges.size(); ++i) {
    const trrt_plan_edge edge = image.scheduleEdges[i];
    const auto opOf = [&](uint32_t node) { return image.ops[image.scheduleNodes[node].op].opcode; };
    if (i < image.schedules[1].first_edge &&
        opOf(edge.from) == static_cast<uint32_t>(Opcode::fc_bwd_weight) &&
        opOf(edge.to) == static_cast<uint32_t>(Opcode::fc_bwd_data)) {
      image.scheduleEdges.erase(image.scheduleEdges.begin() + static_cast<std::ptrdiff_t>(i));
      image.schedules[0].edge_count -= 1;
      image.schedules[1].first_edge -= 1;
      expectError(image, "schedule train_a of graph 0, node 7 (OPS record 6, fc_bwd_data of layer "
                         "1): no path of edges leads from node 6 (OPS record 5, fc_bwd_weight of "
                         "layer 1), which uses tensor 'y' before");
      return;
    }
  }
  FAIL() << "the reuse made no edge";
}

TEST(PlanDataflow, V40_ValuesAreWrittenBeforeTheyAreRead) {
  tr::PlanImage image = samplePlan();
  trrt_plan_schedule &infer = image.schedules[1];
  // transfer, conv, fc, loss -> transfer, fc, conv, loss
  std::swap(image.scheduleNodes[infer.first_node + 1], image.scheduleNodes[infer.first_node + 2]);
  expectError(image, "x: tensor 'y' is read before anything in the schedule writes it");
  // What one schedule wrote does not count for the next.
  image = samplePlan();
  trrt_plan_schedule &last = image.schedules[1];
  image.scheduleNodes.erase(image.scheduleNodes.begin() + last.first_node + 1);
  last.node_count -= 1;
  last.edge_count -= 1;
  image.scheduleEdges.pop_back();
  expectError(image, "is read before");
}

TEST(PlanDataflow, V40_PathsAreThoseOfTheClosure) {
  for (uint32_t trial = 0; trial < 300; ++trial) {
    uint32_t drawn = 0;
    const auto below = [&](uint32_t limit) {
      return philox4x32({drawn++, trial, 0, 0}, philoxKey(7))[0] % limit;
    };
    Plan plan;
    Schedule &schedule = plan.schedules.emplace_back();
    const uint32_t count = 2 + below(40), density = 1 + below(3);
    schedule.nodes.resize(count);
    std::vector<std::vector<bool>> leads(count, std::vector<bool>(count, false));
    for (uint32_t to = 1; to < count; ++to)
      for (uint32_t i = 0; i < density; ++i) {
        const uint32_t from = below(2) == 0 ? below(to) : to - 1 - below(std::min(to, 4u));
        if (below(5) == 0)
          continue;
        schedule.edges.push_back({from, to});
        for (uint32_t before = 0; before <= from; ++before)
          if (before == from || leads[before][from])
            leads[before][to] = true;
      }
    WorkBudget budget(plan);
    Paths paths(schedule, budget);
    for (uint32_t to = 1; to < count; ++to) {
      std::vector<uint32_t> sources, expected;
      for (uint32_t from = 0; from < to; ++from)
        if (below(2) == 0) {
          sources.push_back(from);
          if (!leads[from][to])
            expected.push_back(from);
        }
      paths.dropLeading(to, sources);
      std::sort(sources.begin(), sources.end());
      ASSERT_EQ(sources, expected) << "trial " << trial << ", node " << to;
    }
  }
}

TEST(PlanDataflow, V41_AnOpRunsOnceInASchedule) {
  tr::PlanImage image = samplePlan();
  // Behind the loss of inference, the loss again.
  const trrt_plan_schedule_node last = image.scheduleNodes.back();
  image.scheduleNodes.push_back(last);
  image.schedules[1].node_count += 1;
  expectError(image, "the schedule runs this op twice");
}

TEST(PlanDataflow, V41_APooledTensorHasOneWriter) {
  tr::PlanImage image = samplePlan();
  const uint32_t y = findTensor(image, "y");
  operandOf(image, Opcode::fc_bwd_data, 2) = y; // instead of dy
  operandOf(image, Opcode::conv_bwd_weight, 1) = y;
  expectError(image, "dx: tensor 'y' is written a second time");
}

TEST(PlanDataflow, V42_NothingIsReadAfterItsBytesWereTaken) {
  // The gradient of the logits on the features: fc_bwd_weight reads those after.
  tr::PlanImage image = samplePlan();
  poolTensors(image, {{"y", "dlogits"}});
  expectError(image,
              "schedule train_a of graph 0, node 6 (OPS record 5, fc_bwd_weight of layer 1)");
  // One slot step on: only a part is gone.
  for (const uint64_t shift : {256, 512}) {
    image = samplePlan();
    poolTensors(image, {{"y", "dlogits", shift}});
    expectError(image, "x: tensor 'y' is read, but tensor 'dlogits' was written over it");
  }
}

TEST(PlanDataflow, V42_ATakenTensorIsGoodAgainOnceItIsWritten) {
  // Inference writes the features anew although training wrote over them.
  tr::PlanImage image = pooledPlan();
  std::swap(image.schedules[0].schedule, image.schedules[1].schedule);
  EXPECT_NE(errorOf(image), ""); // inference may not train
  image = pooledPlan();
  EXPECT_EQ(errorOf(image), "");
}

TEST(PlanDataflow, V43_KeptTensorsAndThoseOfNoLayerShareWithNobody) {
  tr::PlanImage image = samplePlan();
  image.tensors[1].offset = image.tensors[0].offset; // lr and momentum
  expectError(image, "('lr') and");
  // logits belong to no layer: a session reads them after the step.
  image = samplePlan();
  poolTensors(image, {{"logits", "dlogits"}});
  expectError(image, "('logits') and");
  // Far behind a long slot, with a short one between.
  image = samplePlan();
  poolTensors(image, {{"y", "dlogits"}, {"y", "probs", 1024}});
  expectError(image, "'probs'): their slots overlap");
}

TEST(PlanDataflow, V43_NothingBetweenStepsUsesThePool) {
  tr::PlanImage image = samplePlan();
  const uint32_t y = findTensor(image, "y");
  image.addOp(static_cast<uint32_t>(Opcode::act_fwd), {y, y}, {0});
  trrt_plan_subgraph fold = {};
  fold.subgraph = static_cast<uint32_t>(Subgraph::UpdateBnInfParams);
  fold.first_op = static_cast<uint32_t>(image.ops.size()) - 1;
  fold.op_count = 1;
  image.subgraphs.push_back(fold);
  expectError(image,
              "(act_fwd), x: tensor 'y' lies in the pool, which holds nothing between steps");
}

TEST(PlanDataflow, V20_OnlyPooledTensorsMayHaveNoShape) {
  tr::PlanImage image = samplePlan();
  image.shapes[findTensor(image, "lr") * 2 + 1] = {};
  expectError(image, "field dims: expected 1 to");
}

TEST(PlanDataflow, V44_OperandsLieApartUnlessTheTableAllowsIt) {
  // The table lets no convolution write over its input, not even over a part of it.
  tr::PlanImage image = samplePlan();
  operandOf(image, Opcode::fc_bwd_data, 2) = findTensor(image, "dlogits");
  EXPECT_NE(errorOf(image), "");
  image = samplePlan();
  poolTensors(image, {{"dy", "dlogits", 512}});
  expectError(image, "(fc_bwd_data of layer 1): dy and dx are in the same place");
  // Two outputs never do.
  image = samplePlan();
  operandOf(image, Opcode::softmax_ce_fwd, 6) = findTensor(image, "loss");
  expectError(image, "(softmax_ce_fwd): loss and top1 are in the same place");
  // act_fwd may, from the first byte on.
  for (const uint64_t shift : {0, 256}) {
    image = samplePlan();
    const uint32_t y = findTensor(image, "y"), dy = findTensor(image, "dy");
    image.addOp(static_cast<uint32_t>(Opcode::act_fwd), {y, dy}, {1});
    poolTensors(image, {{"dy", "y", shift}});
    if (shift == 0)
      EXPECT_EQ(errorOf(image), "");
    else
      expectError(image, "(act_fwd): x and y are in the same place, which this op does not allow");
  }
}

TEST(PlanDataflow, V45_OnlyTransfersWriteInputHalves) {
  tr::PlanImage image = samplePlan();
  const uint32_t data = findTensor(image, "data_a");
  image.addOp(static_cast<uint32_t>(Opcode::act_fwd), {data, data}, {1});
  expectError(image, "(act_fwd), y: an input half is written, but only a transfer may");
}

TEST(PlanDataflow, V45_InferenceChangesNothingThatIsTrained) {
  tr::PlanImage image = samplePlan();
  image.schedules[0].schedule = static_cast<uint32_t>(ScheduleKind::ValA);
  expectError(image, "is written, but only training changes it");
}

// Many tensors are written over parts of one that many nodes have read: each pair of them is
// a dependency, which no plan of a compiler comes near.
TEST(PlanDataflow, V60_TooTangledPlansAreRefused) {
  for (const uint32_t count : {300u, 12000u}) {
    Plan plan;
    plan.layers.emplace_back();
    const auto add = [&](Region region, uint64_t offset, uint64_t bytes) {
      plan.tensors.push_back({"t", region, trk::DType::F32, {}, 0, offset, bytes});
      return static_cast<uint32_t>(plan.tensors.size() - 1);
    };
    const auto node = [&](uint32_t in, uint32_t out) {
      plan.ops.push_back({Opcode::act_fwd, {in, out}, {}, 0});
    };
    const uint32_t kept = add(Region::WFcBias, 0, 256);
    const uint32_t shared = add(Region::FFeatureFp32, 256, uint64_t{count} * 256);
    node(kept, shared);
    for (uint32_t i = 0; i < count; ++i)
      node(shared, add(Region::FFeatureFp32, (count + 1 + uint64_t{i}) * 256, 256));
    for (uint32_t i = 0; i < count; ++i)
      node(kept, add(Region::FFeatureFp32, (1 + uint64_t{i}) * 256, 256));
    Schedule &schedule = plan.schedules.emplace_back();
    for (uint32_t i = 0; i < plan.ops.size(); ++i) {
      schedule.nodes.push_back({i, Subgraph::DeepFwdBwd});
      if (i > 0)
        schedule.edges.push_back({i - 1, i});
    }
    std::string error;
    try {
      verifyDataflow(plan);
    } catch (const std::exception &failure) {
      error = failure.what();
    }
    EXPECT_EQ(error, count == 300 ? ""
                                  : "SCHEDULE: the tensors of the plan are too tangled to be "
                                    "checked")
        << count;
  }
}

TEST(PlanDataflow, SearchesHaveABudgetThatGrowsWithThePlan) {
  Plan plan;
  plan.tensors.resize(10);
  WorkBudget budget(plan);
  budget.spend((1 << 20) + 10 * 128);
  EXPECT_EQ(trrt_test::errorOf([&] { budget.spend(1); }),
            "SCHEDULE: the tensors of the plan are too tangled to be checked");
}
