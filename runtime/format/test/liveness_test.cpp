// SPDX-License-Identifier: Apache-2.0
//
// Lifetimes of pooled tensors and the memory that they take, by hand.
#include "bare_plan.h"
#include "sample_plan.h"
#include "trf/liveness.h"

#include <gtest/gtest.h>

using namespace trf;
using namespace trf::test;

namespace {

struct Expected {
  const char *tensor;
  uint32_t lower, upper;
  uint64_t bytes, offset;
};

void expectLifetimes(const Plan &plan, const ScheduleMemory &memory,
                     const std::vector<Expected> &expected) {
  ASSERT_EQ(memory.lifetimes.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const Lifetime &life = memory.lifetimes[i];
    EXPECT_EQ(plan.tensors[life.tensor].name, expected[i].tensor);
    EXPECT_EQ(life.lower, expected[i].lower) << expected[i].tensor;
    EXPECT_EQ(life.upper, expected[i].upper) << expected[i].tensor;
    EXPECT_EQ(life.bytes, expected[i].bytes) << expected[i].tensor;
    EXPECT_EQ(life.offset, expected[i].offset) << expected[i].tensor;
  }
}

// One pooled tensor of a layer for each offset, all of 256 bytes, and act_fwd(in -> out) for each
// pair; tensor 0 is kept.
Plan chain(const std::vector<uint64_t> &offsets,
           const std::vector<std::pair<uint32_t, uint32_t>> &steps) {
  BarePlan bare;
  for (const uint64_t offset : offsets)
    bare.pooled(offset);
  for (const auto &[in, out] : steps)
    bare.node(in, out);
  return bare.plan;
}

} // namespace

TEST(PlanLiveness, SampleByHand) {
  // 0 transfer, 1 clear, 2 conv, 3 fc, 4 loss, 5 its gradient, 6 and 7 fc backward, 8 conv
  // backward, 9 check, 10 and 11 sgd, 12 metrics.
  const Plan plan = *readDraft(pooledPlan());
  const ScheduleMemory train = measureMemory(plan, *findSchedule(plan, true));
  expectLifetimes(plan, train,
                  {{"y", 2, 7, 2048, 0},
                   {"logits", 0, 13, 512, 2048},
                   {"probs", 0, 13, 512, 2560},
                   {"dy", 7, 9, 2048, 0},
                   {"dlogits", 5, 8, 512, 5120}});
  EXPECT_EQ(train.peak, 5632u);
  EXPECT_EQ(train.lowerBound, 2048u + 3 * 512); // at nodes 6 and 7
  EXPECT_EQ(train.noReuse, 2 * 2048u + 3 * 512);
  // The plan has no schedule of validation; inference stands for it.
  const ScheduleMemory infer = measureMemory(plan, *findSchedule(plan, false));
  expectLifetimes(plan, infer,
                  {{"y", 1, 3, 2048, 0}, {"logits", 0, 4, 512, 2048}, {"probs", 0, 4, 512, 2560}});
  EXPECT_EQ(infer.peak, 3072u);
  EXPECT_EQ(infer.lowerBound, 3072u);
  EXPECT_EQ(poolBytes(plan), 5632u);
  EXPECT_TRUE(reusesMemory(plan));
}

TEST(PlanLiveness, WithoutAPoolRegionsFollowEachOther) {
  const Plan plan = *readDraft(samplePlan());
  EXPECT_FALSE(reusesMemory(plan));
  uint64_t kept = 0;
  for (const TensorInfo &tensor : plan.tensors)
    kept += plan.regionOf(tensor).isPooled() ? 0 : tensor.slot_bytes;
  EXPECT_EQ(plan.arena_bytes - poolBytes(plan), kept);
  const ScheduleMemory train = measureMemory(plan, *findSchedule(plan, true));
  EXPECT_EQ(train.peak, 5632u); // scalars lie between the pooled regions and do not count
  EXPECT_EQ(train.peak, train.noReuse);
}

TEST(PlanLiveness, AnOutputTakesItsInputOver) {
  // 1 -> 2 in place, then 2 -> 3 elsewhere.
  const Plan plan = chain({0, 0, 256}, {{0, 1}, {1, 2}, {2, 3}});
  const ScheduleMemory memory = measureMemory(plan, plan.schedules[0]);
  ASSERT_EQ(memory.lifetimes.size(), 3u);
  EXPECT_EQ(memory.lifetimes[0].upper, 1u);
  EXPECT_TRUE(memory.lifetimes[0].takenOver);
  EXPECT_EQ(memory.lifetimes[1].lower, 1u);
  EXPECT_EQ(memory.lifetimes[1].upper, 3u);
  EXPECT_FALSE(memory.lifetimes[1].takenOver);
  EXPECT_EQ(memory.lowerBound, 512u);
  EXPECT_EQ(memory.noReuse, 768u);
}

TEST(PlanLiveness, NoTakeOverOfWhatIsReadLaterOrLiesElsewhere) {
  const Plan later = chain({0, 0, 256}, {{0, 1}, {1, 2}, {1, 3}});
  EXPECT_EQ(measureMemory(later, later.schedules[0]).lifetimes[0].upper, 3u);
  const Plan apart = chain({0, 256, 512}, {{0, 1}, {1, 2}, {2, 3}});
  const ScheduleMemory memory = measureMemory(apart, apart.schedules[0]);
  EXPECT_EQ(memory.lifetimes[0].upper, 2u);
  EXPECT_EQ(memory.lowerBound, 512u);
  EXPECT_FALSE(memory.lifetimes[0].takenOver);
}
