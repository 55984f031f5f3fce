// SPDX-License-Identifier: Apache-2.0
//
// Learning-rate schedules and their spelling.
#include "train/lr_schedule.h"

#include <gtest/gtest.h>

#include <cmath>

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

// ---- against torch.optim.lr_scheduler (PyTorch 1.13), an epoch of one step

static std::vector<double> factors(const std::string &text, int64_t steps) {
  const LrSchedule s = parsed(text);
  std::vector<double> out;
  for (int64_t step = 0; step < steps; ++step)
    out.push_back(s.factor(step, 1, 10));
  return out;
}

static void expectNear(const std::vector<double> &got, const std::vector<double> &expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], expected[i], 1e-12) << "step " << i;
}

TEST(Schedule, EpochsThatFall) {
  expectNear(factors("step:every=3,gamma=0.5", 8), {1, 1, 1, 0.5, 0.5, 0.5, 0.25, 0.25});
  expectNear(factors("multistep:at=2/5,gamma=0.5", 8), {1, 1, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25});
  expectNear(factors("exponential:gamma=0.9", 4), {1, 0.9, 0.81, 0.729});
  EXPECT_EQ(parsed("step:every=1").factor(25, 10, 100), 0.1 * 0.1); // epochs are not steps
}

TEST(Schedule, OneCycle) {
  expectNear(factors("onecycle", 10),
             {0.04, 0.52, 1, 0.9504846320134737, 0.8117456539497631, 0.6112620219362893,
              0.38874197806371075, 0.18825834605023697, 0.049519367986526286, 4e-06});
}

TEST(Schedule, CurvesThatEnd) {
  const LrSchedule poly = parsed("polynomial:power=2"), cosine = parsed("cosine:min=0.1");
  const std::vector<double> expected[] = {
      {1, 0.765625, 0.5625, 0.390625, 0.25, 0.140625, 0.0625, 0.015625, 0},
      {1, 0.9657457896300791, 0.8681980515339464, 0.7222075445642905, 0.55, 0.3777924554357097,
       0.2318019484660537, 0.134254210369921, 0.1}};
  for (int64_t step = 0; step <= 8; ++step) {
    EXPECT_NEAR(poly.factor(step, 1, 8), expected[0][static_cast<size_t>(step)], 1e-12);
    EXPECT_NEAR(cosine.factor(step, 1, 8), expected[1][static_cast<size_t>(step)], 1e-12);
  }
  EXPECT_EQ(parsed("polynomial:min=0.5").factor(8, 1, 8), 0.5);
}

TEST(Schedule, PlateauWaitsForALowerLoss) {
  const LrSchedule s = parsed("plateau:gamma=0.5,patience=1,threshold=0.1");
  trrt::Plateau plateau(s);
  std::vector<double> got;
  for (const double loss : {1.0, 0.95, 0.8, 0.79, 0.78, 0.77, 0.5, std::nan(""), 0.49, 0.48}) {
    plateau.see(loss);
    got.push_back(plateau.factor());
  }
  expectNear(got, {1, 1, 1, 1, 0.5, 0.5, 0.5, 0.5, 0.25, 0.25});
  trrt::Plateau other(parsed("cosine"));
  for (int i = 0; i < 100; ++i)
    other.see(1);
  EXPECT_EQ(other.factor(), 1.0);
}

TEST(EarlyStop, CountsEpochsInARow) {
  trrt::EarlyStop stop(2), never(0);
  std::vector<bool> got;
  for (const double loss : {1.0, 1.0, 0.9, 0.95, std::nan("")})
    got.push_back(stop.see(loss));
  EXPECT_EQ(got, (std::vector<bool>{false, false, false, false, true}));
  for (int i = 0; i < 100; ++i)
    EXPECT_FALSE(never.see(1));
}

static std::string errorOf(const std::string &text) {
  LrSchedule schedule;
  std::string error;
  EXPECT_FALSE(parseLrSchedule(text, schedule, error)) << text;
  return error;
}

TEST(Schedule, Faults) {
  EXPECT_EQ(errorOf("step"), "expected step:every=E[,gamma=G]");
  EXPECT_EQ(errorOf("multistep:gamma=0.5"), "expected multistep:at=E/E...[,gamma=G]");
  EXPECT_EQ(errorOf("multistep:at=5/2"), "expected at=E/E... with rising epochs, but got 'at=5/2'");
  EXPECT_EQ(errorOf("exponential:gamma=2"), "expected gamma from 1e-09 to 1, but got 'gamma=2'");
  EXPECT_EQ(errorOf("cosine:mim=0.1"),
            "expected min or warmup after 'cosine', but got 'mim=0.1'; did you mean 'min'?");
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
