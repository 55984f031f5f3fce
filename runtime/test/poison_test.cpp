// SPDX-License-Identifier: Apache-2.0
//
// Poison and other orders of nodes: what they fill, what they keep, and which tensors can be
// read by name.
#include "bare_plan.h"
#include "base/status.h"
#include "device/devices.h"
#include "plan/reorder.h"
#include "regression_plan.h"
#include "sample_plan.h"
#include "session/poison.h"
#include "session/session.h"
#include "trf/dataflow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

using namespace trf;
using namespace trf::test;
using namespace trrt;

namespace {

// The regression with the gradient of the logits a tensor of the layer.
Draft layeredDraft() {
  Draft draft = regressionDraft();
  draft.records.tensors[findTensor(draft, "dlogits")].layer = 0;
  return draft;
}

std::vector<std::vector<float>> runAll(Session &session) {
  session.parameters().init(3);
  session.tensors().setScalar("lr", 0.1);
  std::vector<std::vector<float>> results;
  const uint32_t train = session.variant("train_base"), val = session.variant("val_base");
  for (const Half half : kHalves) {
    for (const uint32_t v : {train, val}) {
      const Variant &variant = session.plan().variants[v];
      const InputHalf &input = session.input(half);
      const int64_t pixels = variant.height * variant.width * variant.channels;
      for (int64_t i = 0; i < variant.batch * pixels; ++i)
        input.images[i] = static_cast<float>(i % 7) - 3.0f;
      for (int64_t i = 0; i < variant.batch; ++i)
        input.labels[i] = static_cast<int32_t>(i);
      input.pad(variant, variant.batch);
      if (v == train)
        session.trainStep(v, half);
      else
        session.evalStep(v, half);
      results.push_back(session.tensors().readF32("logits", v));
      results.push_back(session.tensors().readF32("loss", v));
    }
    session.inferStep(val, half);
    results.push_back(session.tensors().readF32("logits", val));
  }
  for (uint32_t i = 0; i < session.plan().params.size(); ++i)
    results.push_back(session.parameters().read(i));
  return results;
}

} // namespace

TEST(Poison, DeadBytesByHand) {
  // The gradient of the features lies on the features: see PlanLiveness.SampleByHand.
  const std::shared_ptr<Plan> plan = readDraft(pooledPlan());
  const uint64_t pool = plan->regions[plan->findRegion({Role::Feature}, std::nullopt)].offset;
  const std::vector<DeadBytes> dead = findDeadBytes(*plan, plan->schedules[0]);
  ASSERT_EQ(dead.size(), 3u);
  const DeadBytes expected[] = {{6, pool, 2048}, {7, pool + 5120, 512}, {8, pool, 2048}};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(dead[i].node, expected[i].node) << i;
    EXPECT_EQ(dead[i].offset, expected[i].offset) << i;
    EXPECT_EQ(dead[i].bytes, expected[i].bytes) << i;
  }
}

TEST(Poison, WhatAnOutputTookOverIsNotDead) {
  BarePlan bare;
  uint32_t last = 0;
  for (const uint64_t offset : {1024, 1024, 2048}) { // the second one lies on the first
    const uint32_t next = bare.pooled(offset);
    bare.node(last, next);
    last = next;
  }
  const std::vector<DeadBytes> dead = findDeadBytes(bare.plan, bare.schedule());
  ASSERT_EQ(dead.size(), 2u); // both at the last node: none after the second
  EXPECT_EQ(dead[0].node, 2u);
  EXPECT_EQ(dead[0].offset, 1024u);
  EXPECT_EQ(dead[1].offset, 2048u); // written and never read
}

TEST(Poison, ATensorDiesWithTheLastOfItsRuns) {
  BarePlan bare;
  const uint32_t parent = bare.pooled(1024, 512, 8);
  bare.node(0, bare.runOf(parent, 0, 3));
  bare.node(0, bare.runOf(parent, 3, 5));
  bare.node(parent, bare.pooled(2048));
  const std::vector<DeadBytes> dead = findDeadBytes(bare.plan, bare.schedule());
  ASSERT_EQ(dead.size(), 2u);
  EXPECT_EQ(dead[0].node, 2u);
  EXPECT_EQ(dead[0].offset, 1024u);
  EXPECT_EQ(dead[0].bytes, 512u);
}

TEST(Poison, ChangesNoResultAndFillsWhatIsDead) {
  for (const std::string &name : deviceNames()) {
    const std::shared_ptr<Plan> plan = readDraft(layeredDraft());
    Session plain(plan, createDevice(name, 2));
    Session poisoned(plan, createDevice(name, 2), {Debug::Poison});
    EXPECT_EQ(runAll(plain), runAll(poisoned)) << name;
    // The plan reuses nothing, so the gradient can be read: what the last step left there.
    for (const float value : plain.tensors().readF32("dlogits", 0))
      EXPECT_TRUE(std::isfinite(value)) << name;
    for (const float value : poisoned.tensors().readF32("dlogits", 0))
      EXPECT_TRUE(std::isnan(value)) << name;
    // Tensors of no layer stay readable.
    for (const float value : poisoned.tensors().readF32("logits", 1))
      EXPECT_TRUE(std::isfinite(value)) << name;
  }
}

TEST(Poison, ReadsOfReusedMemoryAreRefused) {
  Draft draft = layeredDraft();
  // A tensor that no op uses lies on the gradient.
  const uint32_t dlogits = findTensor(draft, "dlogits");
  draft.records.tensors.push_back(draft.records.tensors[dlogits]);
  draft.records.tensors.back().name = draft.intern("ghost");
  for (size_t v = 0; v < draft.records.variants.size(); ++v)
    draft.records.shapes.push_back({});
  Session session(readDraft(draft), createDevice("reference", 1));
  const auto errorOf = [&](const char *name) {
    try {
      session.tensors().readF32(name, 0);
      return std::string();
    } catch (const Error &error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(errorOf("dlogits"), "tensor 'dlogits' cannot be read: the plan reuses its memory; a "
                                "plan of tr-compile --no-reuse does not");
  EXPECT_THROW(session.tensors().readI32("dlogits", 0), Error);
  EXPECT_EQ(errorOf("logits"), "");
  EXPECT_EQ(errorOf("w"), ""); // kept, though a layer's
  EXPECT_EQ(errorOf("none"), "the plan has no tensor 'none'");
}

TEST(Poison, ReadsOfUnusedTensorsAreRefused) {
  Draft draft = layeredDraft();
  const uint32_t dlogits = findTensor(draft, "dlogits");
  draft.records.tensors.push_back(draft.records.tensors[dlogits]);
  draft.records.tensors.back().name = draft.intern("ghost");
  draft.records.tensors.back().slot_bytes = 0;
  for (size_t v = 0; v < draft.records.variants.size(); ++v)
    draft.records.shapes.push_back({});
  const Session session(readDraft(draft), createDevice("reference", 1));
  EXPECT_THROW(session.tensors().readF32("ghost", 0), Error);
}

TEST(Reorder, OrdersAreTopologicalAndOfTheSeed) {
  const std::shared_ptr<Plan> plan = readDraft(pooledPlan());
  std::set<std::vector<uint32_t>> orders;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Plan other = *plan, again = *plan;
    reorderNodes(other, seed);
    reorderNodes(again, seed);
    verifyDataflow(other); // the edges keep all that the operands ask for
    std::vector<uint32_t> ops, sorted, expected;
    for (size_t i = 0; i < other.schedules[0].nodes.size(); ++i) {
      ops.push_back(other.schedules[0].nodes[i].op);
      expected.push_back(plan->schedules[0].nodes[i].op);
      EXPECT_EQ(ops.back(), again.schedules[0].nodes[i].op);
    }
    for (const auto &[from, to] : other.schedules[0].edges)
      EXPECT_LT(from, to);
    sorted = ops;
    std::sort(sorted.begin(), sorted.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(sorted, expected);
    orders.insert(ops);
  }
  EXPECT_GT(orders.size(), 5u);
}

TEST(Reorder, OtherOrdersGiveEqualBits) {
  Draft draft = layeredDraft();
  reduceEdges(draft);
  const std::shared_ptr<Plan> plan = readDraft(draft);
  Session listed(plan, createDevice("reference", 1));
  const std::vector<std::vector<float>> expected = runAll(listed);
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    auto other = std::make_shared<Plan>(*plan);
    reorderNodes(*other, seed);
    Session session(other, createDevice("reference", 1), {Debug::Poison});
    EXPECT_EQ(runAll(session), expected) << seed;
  }
}
