// SPDX-License-Identifier: Apache-2.0
//
// Poison and other orders of nodes: what they fill, what they keep, and which tensors can be
// read by name.
#include "base/status.h"
#include "plan/dataflow.h"
#include "plan/reorder.h"
#include "regression_plan.h"
#include "session/poison.h"
#include "session/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

using namespace trrt;
using namespace trrt::test;

namespace {

std::shared_ptr<Plan> read(const tr::PlanImage &image) {
  const std::vector<uint8_t> bytes = image.serialize();
  auto plan = std::make_shared<Plan>();
  std::string error;
  EXPECT_TRUE(readPlan(bytes.data(), bytes.size(), *plan, error)) << error;
  return plan;
}

// The regression with the gradient of the logits a tensor of the layer.
tr::PlanImage layeredImage() {
  tr::PlanImage image = regressionImage();
  image.tensors[findTensor(image, "dlogits")].layer = 0;
  return image;
}

std::vector<std::vector<float>> runAll(Session &session) {
  session.initParameters(3);
  session.setScalar("lr", 0.1);
  std::vector<std::vector<float>> results;
  const uint32_t train = session.variant("train_base"), val = session.variant("val_base");
  for (int half = 0; half < 2; ++half) {
    for (const uint32_t v : {train, val}) {
      const Variant &variant = session.plan().variants[v];
      const InputHalf &input = session.input(half);
      const int64_t pixels = variant.height * variant.width * variant.channels;
      for (int64_t i = 0; i < variant.batch * pixels; ++i)
        input.images[i] = static_cast<float>(i % 7) - 3.0f;
      for (int64_t i = 0; i < variant.batch; ++i)
        input.labels[i] = static_cast<int32_t>(i);
      *input.valid = static_cast<int32_t>(variant.batch);
      if (v == train)
        session.trainStep(v, half);
      else
        session.evalStep(v, half);
      results.push_back(session.readF32("logits", v));
      results.push_back(session.readF32("loss", v));
    }
    session.inferStep(val, half);
    results.push_back(session.readF32("logits", val));
  }
  for (uint32_t i = 0; i < session.plan().params.size(); ++i)
    results.push_back(session.readParam(i));
  return results;
}

} // namespace

TEST(Poison, DeadBytesByHand) {
  // The gradient of the features lies on the features: see PlanLiveness.SampleByHand.
  const std::shared_ptr<Plan> plan = read(pooledPlan());
  const uint64_t pool = plan->regions[static_cast<size_t>(Region::FFeatureFp32)].offset;
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
  Plan plan;
  plan.layers.emplace_back();
  plan.tensors.push_back({"kept", Region::WFcBias, trk::DType::F32, {}, 0, 0, 256});
  for (const uint64_t offset : {1024, 1024, 2048}) // the second one lies on the first
    plan.tensors.push_back({"t", Region::FFeatureFp32, trk::DType::F32, {}, 0, offset, 256});
  for (uint32_t i = 0; i < 3; ++i)
    plan.ops.push_back({trk::Opcode::act_fwd, {i, i + 1}, {}, 0});
  Schedule schedule;
  for (uint32_t i = 0; i < 3; ++i)
    schedule.nodes.push_back({i, Subgraph::DeepFwdBwd});
  const std::vector<DeadBytes> dead = findDeadBytes(plan, schedule);
  ASSERT_EQ(dead.size(), 2u); // both at the last node: none after the second
  EXPECT_EQ(dead[0].node, 2u);
  EXPECT_EQ(dead[0].offset, 1024u);
  EXPECT_EQ(dead[1].offset, 2048u); // written and never read
}

TEST(Poison, ChangesNoResultAndFillsWhatIsDead) {
  for (const std::string &backend : backendNames()) {
    const std::shared_ptr<Plan> plan = read(layeredImage());
    Session plain(plan, createBackend(backend, 2));
    Session poisoned(plan, createBackend(backend, 2), Debug::Poison);
    EXPECT_EQ(runAll(plain), runAll(poisoned)) << backend;
    // The plan reuses nothing, so the gradient can be read: what the last step left there.
    for (const float value : plain.readF32("dlogits", 0))
      EXPECT_TRUE(std::isfinite(value)) << backend;
    for (const float value : poisoned.readF32("dlogits", 0))
      EXPECT_TRUE(std::isnan(value)) << backend;
    // Tensors of no layer stay readable.
    for (const float value : poisoned.readF32("logits", 1))
      EXPECT_TRUE(std::isfinite(value)) << backend;
  }
}

TEST(Poison, ReadsOfReusedMemoryAreRefused) {
  tr::PlanImage image = layeredImage();
  // A tensor that no op uses lies on the gradient.
  const uint32_t dlogits = findTensor(image, "dlogits");
  image.tensors.push_back(image.tensors[dlogits]);
  image.tensors.back().name = image.intern("ghost");
  for (size_t v = 0; v < image.variants.size(); ++v)
    image.shapes.push_back({});
  Session session(read(image), createBackend("reference", 1));
  const auto errorOf = [&](const char *name) {
    try {
      session.readF32(name, 0);
      return std::string();
    } catch (const Error &error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(errorOf("dlogits"), "tensor 'dlogits' cannot be read: the plan reuses its memory; a "
                                "plan of tr-compile --no-reuse does not");
  EXPECT_THROW(session.readI32("dlogits", 0), Error);
  EXPECT_EQ(errorOf("logits"), "");
  EXPECT_EQ(errorOf("w"), ""); // kept, though a layer's
  EXPECT_EQ(errorOf("none"), "the plan has no tensor 'none'");
}

TEST(Poison, ReadsOfUnusedTensorsAreRefused) {
  tr::PlanImage image = layeredImage();
  const uint32_t dlogits = findTensor(image, "dlogits");
  image.tensors.push_back(image.tensors[dlogits]);
  image.tensors.back().name = image.intern("ghost");
  image.tensors.back().slot_bytes = 0;
  for (size_t v = 0; v < image.variants.size(); ++v)
    image.shapes.push_back({});
  const Session session(read(image), createBackend("reference", 1));
  EXPECT_THROW(session.readF32("ghost", 0), Error);
}

TEST(Reorder, OrdersAreTopologicalAndOfTheSeed) {
  const std::shared_ptr<Plan> plan = read(pooledPlan());
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
  tr::PlanImage image = layeredImage();
  reduceEdges(image);
  const std::shared_ptr<Plan> plan = read(image);
  Session listed(plan, createBackend("reference", 1));
  const std::vector<std::vector<float>> expected = runAll(listed);
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    auto other = std::make_shared<Plan>(*plan);
    reorderNodes(*other, seed);
    Session session(other, createBackend("reference", 1), Debug::Poison);
    EXPECT_EQ(runAll(session), expected) << seed;
  }
}
