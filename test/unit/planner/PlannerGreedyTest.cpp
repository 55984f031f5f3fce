// SPDX-License-Identifier: Apache-2.0
//
// Lower bound, greedy runs and the run in event order.
#include "Instances.h"

#include <gtest/gtest.h>

namespace tr::planner {
namespace {

const Order orders[] = {Order::Size, Order::Lifetime, Order::Area};
const Fit fits[] = {Fit::Best, Fit::First};

// Every way to place, none of which may fail.
void expectValid(const std::vector<Buffer> &buffers) {
  ASSERT_EQ(checkBuffers(buffers), std::nullopt);
  std::vector<Placement> plans = {placeInEventOrder(buffers), placePortfolio(buffers)};
  for (Order order : orders)
    for (Fit fit : fits)
      plans.push_back(placeGreedy(buffers, order, fit));
  for (const Placement &plan : plans) {
    EXPECT_TRUE(isValid(buffers, plan.offsets)) << plan.rule;
    EXPECT_EQ(findFault(buffers, plan.offsets, plan.peak), std::nullopt) << plan.rule;
    EXPECT_EQ(plan.peak, peakOf(buffers, plan.offsets)) << plan.rule;
    EXPECT_GE(plan.peak, lowerBound(buffers)) << plan.rule;
  }
}

TEST(PlannerGreedy, NoBuffer) {
  EXPECT_EQ(lowerBound({}), 0);
  const PlanResult result = plan({});
  EXPECT_EQ(result.error, std::nullopt);
  EXPECT_EQ(result.placement.peak, 0);
  EXPECT_TRUE(result.placement.offsets.empty());
  expectValid({});
}

TEST(PlannerGreedy, OneBuffer) {
  EXPECT_EQ(plan({{-7, 3, 512}}).placement.offsets, std::vector<int64_t>{0});
  EXPECT_EQ(plan({{-7, 3, 512}}).placement.peak, 512);
  EXPECT_EQ(plan({{0, 1, 0}}).placement.peak, 0);
  expectValid({{-7, 3, 512}});
  expectValid({{0, 1, 0}});
}

TEST(PlannerGreedy, LifetimesAreHalfOpen) {
  // The second is born in the step in which the first is gone.
  const std::vector<Buffer> touching = {{0, 5, 100}, {5, 9, 70}};
  EXPECT_EQ(lowerBound(touching), 100);
  EXPECT_EQ(placePortfolio(touching).offsets, (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(placeInEventOrder(touching).peak, 100);
  const std::vector<Buffer> meeting = {{0, 6, 100}, {5, 9, 70}};
  EXPECT_EQ(lowerBound(meeting), 170);
  EXPECT_EQ(placeInEventOrder(meeting).peak, 170);
}

TEST(PlannerGreedy, EqualLifetimesAreStacked) {
  const std::vector<Buffer> buffers = {{2, 3, 5}, {2, 3, 7}, {2, 3, 0}, {2, 3, 11}};
  EXPECT_EQ(lowerBound(buffers), 23);
  EXPECT_EQ(placeGreedy(buffers, Order::Size, Fit::First).offsets,
            (std::vector<int64_t>{18, 11, 0, 0}));
  expectValid(buffers);
}

TEST(PlannerGreedy, TiesGoToTheFirstStepThenToTheIndex) {
  const std::vector<Buffer> buffers = {{3, 9, 10}, {1, 7, 10}, {3, 9, 10}};
  EXPECT_EQ(placeGreedy(buffers, Order::Size, Fit::First).offsets,
            (std::vector<int64_t>{10, 0, 20}));
}

TEST(PlannerGreedy, OrdersAndFitsDiffer) {
  // By size: 0 first; by lifetime: 1 first; by area: 2 first.
  const std::vector<Buffer> buffers = {{0, 2, 100}, {0, 20, 5}, {0, 10, 60}};
  const size_t lowest[] = {0, 1, 2};
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(placeGreedy(buffers, orders[i], Fit::Best).offsets[lowest[i]], 0);
  // Gaps of 30 at 0 and of 10 at 40 are left for a buffer of 10.
  const std::vector<Buffer> gaps = {{0, 9, 10, 30}, {0, 9, 10, 50}, {0, 9, 10}};
  EXPECT_EQ(placeGreedy(gaps, Order::Size, Fit::First).offsets[2], 0);
  EXPECT_EQ(placeGreedy(gaps, Order::Size, Fit::Best).offsets[2], 40);
}

TEST(PlannerGreedy, BoundIsTheLargestSumAlive) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const std::vector<Buffer> buffers = makeScattered(seed, 1 + seed % 23, 13, 1000);
    int64_t expected = 0;
    for (int64_t step = 0; step < 13; ++step) {
      int64_t sum = 0;
      for (const Buffer &buffer : buffers)
        sum += buffer.lower <= step && step < buffer.upper ? buffer.size : 0;
      expected = std::max(expected, sum);
    }
    EXPECT_EQ(lowerBound(buffers), expected) << seed;
  }
}

TEST(PlannerGreedy, RandomPlansAreValid) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    std::vector<Buffer> buffers = seed % 3 == 0   ? makeScattered(seed, 61, 29, 1000)
                                  : seed % 3 == 1 ? makeBranchy(seed, 67, 11, 97)
                                                  : makeTraining(seed, 17);
    expectValid(buffers);
    fixSome(buffers, seed, 5, seed % 2 == 0 ? 0 : 137);
    expectValid(buffers);
  }
}

TEST(PlannerGreedy, TrainingPacksAtTheBound) {
  for (uint64_t seed = 0; seed < 40; ++seed)
    for (int layers : {1, 2, 3, 53, 151}) {
      const std::vector<Buffer> buffers = makeTraining(seed, layers);
      const double ratio = static_cast<double>(plan(buffers).placement.peak) /
                           static_cast<double>(lowerBound(buffers));
      EXPECT_LE(ratio, 1.0005) << layers << " layers, seed " << seed;
    }
}

TEST(PlannerGreedy, OffsetsKeepAlignment) {
  std::vector<Buffer> buffers = makeTraining(3, 57);
  fixSome(buffers, 3, 7, 1024);
  const Placement placement = plan(buffers).placement;
  for (int64_t offset : placement.offsets)
    EXPECT_EQ(offset % 256, 0);
}

TEST(PlannerGreedy, ManyBuffersUseOneRunInEventOrder) {
  const std::vector<Buffer> buffers = makeBranchy(5, 100000, 50, 5000);
  const PlanResult result = plan(buffers);
  EXPECT_EQ(result.placement.rule, "event order, best fit");
  EXPECT_EQ(findFault(buffers, result.placement.offsets, result.placement.peak), std::nullopt);
  EXPECT_EQ(result.placement.peak, peakOf(buffers, result.placement.offsets));
  const size_t most = kLargestPortfolio;
  const std::vector<Buffer> fewer(buffers.begin(), buffers.begin() + most);
  EXPECT_NE(placePortfolio(fewer).rule, "event order, best fit");
}

TEST(PlannerGreedy, EventOrderReusesAndCoalesces) {
  // Two neighbours die; their joint block takes a third that fits neither.
  const std::vector<Buffer> buffers = {{0, 2, 10}, {0, 2, 10}, {0, 9, 5}, {2, 9, 20}};
  EXPECT_EQ(placeInEventOrder(buffers).offsets, (std::vector<int64_t>{0, 10, 20, 0}));
  // A free block below the top grows with it instead of staying behind.
  const std::vector<Buffer> growing = {{0, 9, 10}, {0, 2, 10}, {2, 9, 30}};
  EXPECT_EQ(placeInEventOrder(growing).peak, 40);
}

TEST(PlannerGreedy, EventOrderLeavesFixedRangesAlone) {
  const std::vector<Buffer> buffers = {{50, 60, 10, 10}, {0, 5, 10}, {0, 5, 20}};
  EXPECT_EQ(placeInEventOrder(buffers).offsets, (std::vector<int64_t>{10, 0, 20}));
}

TEST(PlannerGreedy, BadBuffersAreTold) {
  const auto textOf = [](const std::vector<Buffer> &buffers) {
    EXPECT_EQ(plan(buffers).error, checkBuffers(buffers));
    return checkBuffers(buffers).value_or("");
  };
  EXPECT_EQ(textOf({{0, 1, 1}, {4, 4, 1}}), "expected a lifetime [lower, upper) with lower < "
                                            "upper, but got [4, 4) of buffer 1");
  EXPECT_EQ(textOf({{0, kLargestValue + 1, 1}}),
            "expected a lifetime [lower, upper) with lower < upper, but got [0, "
            "1152921504606846977) of buffer 0");
  EXPECT_EQ(textOf({{0, 1, -3}}), "expected a size from 0 to 2^60, but got -3 of buffer 0");
  EXPECT_EQ(textOf({{0, 1, kLargestValue + 1}}),
            "expected a size from 0 to 2^60, but got 1152921504606846977 of buffer 0");
  EXPECT_EQ(textOf({{0, 1, 1, -2}}),
            "expected an offset from 0 to 2^60, or -1, but got -2 of buffer 0");
  const Buffer huge = {0, 1, kLargestValue};
  EXPECT_EQ(textOf({huge, huge, huge}), "");
  EXPECT_EQ(textOf({huge, huge, huge, huge}),
            "expected sizes whose sum is below 2^62, but got more at buffer 3");
  EXPECT_EQ(textOf({{0, 9, 10, 5}, {9, 12, 10, 5}, {11, 13, 10, 14}}),
            "expected fixed buffers that do not overlap, but got buffer 1 and buffer 2");
  EXPECT_EQ(textOf({{0, 9, 10, 5}, {9, 12, 10, 5}, {11, 13, 10, 15}, {0, 9, 0, 7}}), "");
}

TEST(PlannerGreedy, HugeSizesDoNotOverflow) {
  const int64_t big = kLargestValue;
  std::vector<Buffer> buffers = {
      {-big, big, big, big}, {0, 5, big}, {-3, 1, big}, {4, big, big - 1}};
  expectValid(buffers);
  EXPECT_EQ(lowerBound(buffers), 3 * big);
  EXPECT_EQ(findFault(buffers, plan(buffers).placement.offsets), std::nullopt);
}

} // namespace
} // namespace tr::planner
