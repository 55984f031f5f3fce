// SPDX-License-Identifier: Apache-2.0
//
// Learning-rate schedules and their spelling.
#include "train/lr_schedule.h"

#include <gtest/gtest.h>

using trrt::LrSchedule;
using trrt::parseLrSchedule;

static LrSchedule parsed(const std::string &text) {
  LrSchedule schedule;
  std::string error;
  EXPECT_TRUE(parseLrSchedule(text, schedule, error)) << error;
  return schedule;
}

TEST(Schedule, Constant) {
  const LrSchedule s = parsed("constant");
  EXPECT_EQ(s.factor(0, 10, 30), 1.0);
  EXPECT_EQ(s.factor(29, 10, 30), 1.0);
}

TEST(Schedule, CosineFallsFromOneToZero) {
  const LrSchedule s = parsed("cosine");
  EXPECT_EQ(s.factor(0, 10, 30), 1.0);
  EXPECT_NEAR(s.factor(15, 10, 30), 0.5, 1e-12);
  EXPECT_EQ(s.factor(30, 10, 30), 0.0);
  for (int step = 1; step <= 30; ++step)
    EXPECT_LT(s.factor(step, 10, 30), s.factor(step - 1, 10, 30));
}

TEST(Schedule, WarmupCountsEpochs) {
  const LrSchedule s = parsed("cosine:warmup=2");
  EXPECT_NEAR(s.factor(0, 10, 50), 1.0 / 20, 1e-12);
  EXPECT_NEAR(s.factor(9, 10, 50), 0.5, 1e-12);
  EXPECT_EQ(s.factor(19, 10, 50), 1.0);
  EXPECT_EQ(s.factor(20, 10, 50), 1.0);
  EXPECT_NEAR(s.factor(35, 10, 50), 0.5, 1e-12);
  EXPECT_EQ(s.factor(50, 10, 50), 0.0);
  const LrSchedule half = parsed("constant:warmup=0.5");
  EXPECT_NEAR(half.factor(0, 10, 50), 0.2, 1e-12);
  EXPECT_EQ(half.factor(5, 10, 50), 1.0);
}

TEST(Schedule, BadSpellings) {
  for (const char *text :
       {"", "cosin", "cosine:", "cosine:warmup", "cosine:warmup=", "cosine:2", "cosine:warmup=-1",
        "cosine:warmup=2x", "cosine:warmup=nan", "cosine:warmup=inf", "cosine:warmup=1e300"}) {
    LrSchedule schedule;
    std::string error;
    EXPECT_FALSE(parseLrSchedule(text, schedule, error)) << text;
    EXPECT_NE(error.find("expected"), std::string::npos) << text;
  }
  LrSchedule schedule;
  std::string error;
  EXPECT_FALSE(parseLrSchedule("cosin", schedule, error));
  EXPECT_NE(error.find("did you mean 'cosine'"), std::string::npos);
}
