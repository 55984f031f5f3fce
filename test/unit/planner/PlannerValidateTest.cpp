// SPDX-License-Identifier: Apache-2.0
//
// The validator against the definition, on good and on damaged plans.
#include "Instances.h"

#include <gtest/gtest.h>

namespace tr::planner {
namespace {

TEST(PlannerValidate, NamesTheFault) {
  const std::vector<Buffer> buffers = {{0, 5, 10}, {3, 9, 20}, {5, 7, 10, 30}, {0, 9, 0}};
  EXPECT_EQ(findFault(buffers, {0, 10, 30, 0}), std::nullopt);
  EXPECT_EQ(findFault(buffers, {0, 10, 30, 0}, 40), std::nullopt);
  EXPECT_EQ(findFault(buffers, {0, 10, 30}), "expected 4 offsets, but got 3");
  EXPECT_EQ(findFault(buffers, {-1, 10, 30, 0}),
            "expected an offset in range, but got -1 of buffer 0");
  EXPECT_EQ(findFault(buffers, {INT64_MAX - 9, 10, 30, 0}),
            "expected an offset in range, but got 9223372036854775798 of buffer 0");
  EXPECT_EQ(findFault(buffers, {0, 10, 31, 0}),
            "expected the fixed offset 30, but got 31 of buffer 2");
  EXPECT_EQ(findFault(buffers, {0, 10, 30, 0}, 39),
            "expected at most 39 bytes, but got buffer 2 at [30, 40) in steps [5, 7)");
  EXPECT_EQ(findFault(buffers, {0, 9, 30, 0}),
            "expected buffers that do not overlap, but got buffer 0 at [0, 10) in steps [0, 5) "
            "and buffer 1 at [9, 29) in steps [3, 9)");
  EXPECT_EQ(findFault({{4, 4, 1}}, {0}),
            "expected a size >= 0 and a lifetime with lower < upper of buffer 0");
  EXPECT_EQ(findFault({{4, 5, -1}}, {0}),
            "expected a size >= 0 and a lifetime with lower < upper of buffer 0");
}

TEST(PlannerValidate, AgreesWithTheDefinition) {
  std::mt19937_64 random(11);
  int valid = 0;
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    const std::vector<Buffer> buffers =
        makeScattered(seed, static_cast<int>(draw(random, 1, 6)), 9, 4);
    std::vector<int64_t> offsets;
    for (size_t i = 0; i < buffers.size(); ++i)
      offsets.push_back(draw(random, 0, 9));
    const bool expected = isValid(buffers, offsets);
    valid += expected;
    ASSERT_EQ(!findFault(buffers, offsets), expected) << seed;
  }
  EXPECT_GT(valid, 2000); // both answers were there
  EXPECT_LT(valid, 18000);
}

TEST(PlannerValidate, FindsDamage) {
  std::mt19937_64 random(12);
  int damaged = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const std::vector<Buffer> buffers = makeTraining(seed, 31);
    std::vector<int64_t> offsets = placePortfolio(buffers).offsets;
    ASSERT_EQ(findFault(buffers, offsets), std::nullopt);
    const size_t index = random() % buffers.size();
    offsets[index] = std::max<int64_t>(0, offsets[index] + draw(random, -2000, 2000));
    const bool expected = isValid(buffers, offsets);
    damaged += !expected;
    ASSERT_EQ(!findFault(buffers, offsets), expected) << seed;
  }
  EXPECT_GT(damaged, 100);
}

} // namespace
} // namespace tr::planner
