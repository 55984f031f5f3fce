// SPDX-License-Identifier: Apache-2.0
//
// What flows through schedules: order, content and places of tensors (checks V40 to V45),
// each broken one at a time in a plan that reuses memory.
#include "bare_plan.h"
#include "paths.h"
#include "sample_plan.h"
#include "trf/dataflow.h"
#include "trf/philox.h"

#include <gtest/gtest.h>

using namespace trf;
using namespace trf::test;

namespace {

void expectError(const Draft &draft, const std::string &expected) {
  const std::string error = errorOf(draft);
  EXPECT_NE(error.find(expected), std::string::npos) << expected << ": '" << error << "'";
}

} // namespace

TEST(PlanDataflow, PooledSampleIsGood) {
  EXPECT_EQ(errorOf(pooledPlan()), "");
  Draft draft = samplePlan();
  poolTensors(draft, {});
  EXPECT_EQ(errorOf(draft), "");
}

TEST(PlanDataflow, V40_EachEdgeIsNeeded) {
  for (const Draft &good : {pooledPlan(), [] {
                              Draft draft = samplePlan();
                              reduceEdges(draft);
                              return draft;
                            }()}) {
    ASSERT_EQ(errorOf(good), "");
    ASSERT_GT(good.records.scheduleEdges.size(), 12u);
    for (size_t i = 0; i < good.records.scheduleEdges.size(); ++i) {
      Draft draft = good;
      const size_t owner = i < good.records.schedules[1].first_edge ? 0 : 1;
      draft.records.scheduleEdges.erase(draft.records.scheduleEdges.begin() +
                                        static_cast<std::ptrdiff_t>(i));
      draft.records.schedules[owner].edge_count -= 1;
      if (owner == 0)
        draft.records.schedules[1].first_edge -= 1;
      expectError(draft, "no path of edges leads from node " +
                             std::to_string(good.records.scheduleEdges[i].from) + " (");
    }
  }
}

TEST(PlanDataflow, V40_MessageNamesBothNodesAndTheTensor) {
  Draft draft = pooledPlan();
  // fc_bwd_weight reads the features, fc_bwd_data writes their gradient over them.
  for (size_t i = 0; i < draft.records.scheduleEdges.size(); ++i) {
    const trf_edge edge = draft.records.scheduleEdges[i];
    const auto opOf = [&](uint32_t node) {
      return draft.records.ops[draft.records.scheduleNodes[node].op].opcode;
    };
    if (i < draft.records.schedules[1].first_edge &&
        opOf(edge.from) == static_cast<uint32_t>(Opcode::fc_bwd_weight) &&
        opOf(edge.to) == static_cast<uint32_t>(Opcode::fc_bwd_data)) {
      draft.records.scheduleEdges.erase(draft.records.scheduleEdges.begin() +
                                        static_cast<std::ptrdiff_t>(i));
      draft.records.schedules[0].edge_count -= 1;
      draft.records.schedules[1].first_edge -= 1;
      expectError(draft, "schedule train_a of graph 0, node 7 (OPS record 6, fc_bwd_data of layer "
                         "1): no path of edges leads from node 6 (OPS record 5, fc_bwd_weight of "
                         "layer 1), which uses tensor 'y' before");
      return;
    }
  }
  FAIL() << "the reuse made no edge";
}

TEST(PlanDataflow, V40_ValuesAreWrittenBeforeTheyAreRead) {
  Draft draft = samplePlan();
  trf_schedule &infer = draft.records.schedules[1];
  // transfer, conv, fc, loss -> transfer, fc, conv, loss
  std::swap(draft.records.scheduleNodes[infer.first_node + 1],
            draft.records.scheduleNodes[infer.first_node + 2]);
  expectError(draft, "x: tensor 'y' is read before anything in the schedule writes it");
  // What one schedule wrote does not count for the next.
  draft = samplePlan();
  trf_schedule &last = draft.records.schedules[1];
  draft.records.scheduleNodes.erase(draft.records.scheduleNodes.begin() + last.first_node + 1);
  last.node_count -= 1;
  last.edge_count -= 1;
  draft.records.scheduleEdges.pop_back();
  expectError(draft, "is read before");
}

TEST(PlanDataflow, V40_PathsAreThoseOfTheClosure) {
  for (uint32_t trial = 0; trial < 300; ++trial) {
    uint32_t drawn = 0;
    const auto below = [&](uint32_t limit) {
      return philox4x32({drawn++, trial, 0, 0}, philoxKey(7))[0] % limit;
    };
    Plan plan;
    StepSchedule &schedule = plan.schedules.emplace_back();
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
  Draft draft = samplePlan();
  // After the loss of inference, the loss again.
  const trf_schedule_node last = draft.records.scheduleNodes.back();
  draft.records.scheduleNodes.push_back(last);
  draft.records.schedules[1].node_count += 1;
  expectError(draft, "the schedule runs this op twice");
}

TEST(PlanDataflow, V41_APooledTensorHasOneWriter) {
  Draft draft = samplePlan();
  const uint32_t y = findTensor(draft, "y");
  operandOf(draft, Opcode::fc_bwd_data, 2) = y; // instead of dy
  operandOf(draft, Opcode::conv_bwd_weight, 1) = y;
  expectError(draft, "dx: tensor 'y' is written a second time");
}

TEST(PlanDataflow, V42_NothingIsReadAfterItsBytesWereTaken) {
  // The gradient of the logits on the features: fc_bwd_weight reads those after.
  Draft draft = samplePlan();
  poolTensors(draft, {{"y", "dlogits"}});
  expectError(draft,
              "schedule train_a of graph 0, node 6 (OPS record 5, fc_bwd_weight of layer 1)");
  // One slot step on: only a part is gone.
  for (const uint64_t shift : {256, 512}) {
    draft = samplePlan();
    poolTensors(draft, {{"y", "dlogits", shift}});
    expectError(draft, "x: tensor 'y' is read, but tensor 'dlogits' was written over it");
  }
}

TEST(PlanDataflow, V42_ATakenTensorIsGoodAgainOnceItIsWritten) {
  // Inference writes the features anew although training wrote over them.
  Draft draft = pooledPlan();
  std::swap(draft.records.schedules[0].schedule, draft.records.schedules[1].schedule);
  EXPECT_NE(errorOf(draft), ""); // inference may not train
  draft = pooledPlan();
  EXPECT_EQ(errorOf(draft), "");
}

TEST(PlanDataflow, V43_KeptTensorsAndThoseOfNoLayerShareWithNobody) {
  Draft draft = samplePlan();
  draft.records.tensors[1].offset = draft.records.tensors[0].offset; // lr and momentum
  expectError(draft, "('lr') and");
  // logits belong to no layer: a session reads them after the step.
  draft = samplePlan();
  poolTensors(draft, {{"logits", "dlogits"}});
  expectError(draft, "('logits') and");
  // Far after a long slot, with a short one between.
  draft = samplePlan();
  poolTensors(draft, {{"y", "dlogits"}, {"y", "probs", 1024}});
  expectError(draft, "'probs'): their slots overlap");
}

TEST(PlanDataflow, V43_NothingBetweenStepsUsesThePool) {
  Draft draft = samplePlan();
  const uint32_t y = findTensor(draft, "y");
  addOp(draft, Opcode::act_fwd, {y, y}, {0});
  trf_subgraph fold = {};
  fold.subgraph = static_cast<uint32_t>(Subgraph::UpdateBnInfParams);
  fold.first_op = static_cast<uint32_t>(draft.records.ops.size()) - 1;
  fold.op_count = 1;
  draft.records.subgraphs.push_back(fold);
  expectError(draft,
              "(act_fwd), x: tensor 'y' lies in the pool, which holds nothing between steps");
}

TEST(PlanDataflow, V20_OnlyPooledTensorsMayHaveNoShape) {
  Draft draft = samplePlan();
  draft.records.shapes[findTensor(draft, "lr") * 2 + 1] = {};
  expectError(draft, "field dims: expected 1 to");
}

TEST(PlanDataflow, V44_OperandsLieApartUnlessTheTableAllowsIt) {
  // The table lets no convolution write over its input, not even over a part of it.
  Draft draft = samplePlan();
  operandOf(draft, Opcode::fc_bwd_data, 2) = findTensor(draft, "dlogits");
  EXPECT_NE(errorOf(draft), "");
  draft = samplePlan();
  poolTensors(draft, {{"dy", "dlogits", 512}});
  expectError(draft, "(fc_bwd_data of layer 1): expected operands in different places, but dy "
                     "('dlogits') and dx ('dy')");
  // Two outputs never do.
  draft = samplePlan();
  operandOf(draft, Opcode::softmax_ce_fwd, 6) = findTensor(draft, "loss");
  expectError(
      draft, "(softmax_ce_fwd): expected operands in different places, but loss ('loss') and top1");
  // act_fwd may, from the first byte on.
  for (const uint64_t shift : {0, 256}) {
    draft = samplePlan();
    const uint32_t y = findTensor(draft, "y"), dy = findTensor(draft, "dy");
    addOp(draft, Opcode::act_fwd, {y, dy}, {1});
    poolTensors(draft, {{"dy", "y", shift}});
    if (shift == 0)
      EXPECT_EQ(errorOf(draft), "");
    else
      expectError(draft, "(act_fwd): expected operands in different places, but x ('");
  }
}

TEST(PlanDataflow, V45_OnlyTransfersWriteInputHalves) {
  Draft draft = samplePlan();
  const uint32_t data = findTensor(draft, "data_a");
  addOp(draft, Opcode::act_fwd, {data, data}, {1});
  expectError(draft, "(act_fwd), y: an input half is written, but only a transfer may");
}

TEST(PlanDataflow, V45_InferenceChangesNothingThatIsTrained) {
  Draft draft = samplePlan();
  draft.records.schedules[0].schedule = static_cast<uint32_t>(Schedule::ValA);
  expectError(draft, "is written, but only training changes it");
}

// Many tensors are written over parts of one that many nodes have read: each pair of them is
// a dependency, which no plan of a compiler comes near.
TEST(PlanDataflow, V60_TooTangledPlansAreRefused) {
  for (const uint32_t count : {300u, 12000u}) {
    BarePlan bare;
    const uint32_t shared = bare.pooled(256, uint64_t{count} * 256);
    bare.node(0, shared);
    for (uint32_t i = 0; i < count; ++i)
      bare.node(shared, bare.pooled((count + 1 + uint64_t{i}) * 256));
    for (uint32_t i = 0; i < count; ++i)
      bare.node(0, bare.pooled((1 + uint64_t{i}) * 256));
    for (uint32_t i = 1; i < bare.schedule().nodes.size(); ++i)
      bare.edge(i - 1, i);
    EXPECT_EQ(messageOf([&] { verifyDataflow(bare.plan); }),
              count == 300 ? "" : "SCHEDULE: the tensors of the plan are too tangled to be checked")
        << count;
  }
}

TEST(PlanDataflow, SearchesHaveABudgetThatGrowsWithThePlan) {
  Plan plan;
  plan.tensors.resize(10);
  WorkBudget budget(plan);
  budget.spend((1 << 20) + 10 * 128);
  EXPECT_EQ(messageOf([&] { budget.spend(1); }),
            "SCHEDULE: the tensors of the plan are too tangled to be checked");
}
