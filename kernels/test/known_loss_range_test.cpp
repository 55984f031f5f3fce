// SPDX-License-Identifier: Apache-2.0
//
// Hand-made results of the loss, its metrics, the optimizers and the checks.
#include "known.h"

using namespace trk;
using namespace trk::test;

namespace {

Host rows(int64_t n, const Floats &values) {
  return Host::f32({n, 1, 1, int64_t(values.size()) / n}, values);
}

} // namespace

// Padding samples stand for the ignored row of the report.
TEST_P(KnownAnswers, FieldReport_11_1_SmoothingCountsValidRowsOnly) {
  for (float other : {0.0f, 50.0f, -1e30f, kNan}) {
    Loss r = softmaxCe(rows(2, {0, std::log(3.0f), other, 1}), {1, 0}, 1, 0.2f);
    EXPECT_NEAR(r.loss, 0.397543, 1e-6);
    EXPECT_EQ(r.gradient.f()[2], 0);
    EXPECT_EQ(r.gradient.f()[3], 0);
  }
}

TEST_P(KnownAnswers, FieldReport_11_3_NoValidSample) {
  Loss r = softmaxCe(rows(2, {1, 2, 3, 4}), {0, 1}, 0);
  EXPECT_EQ(r.loss, 0);
  EXPECT_EQ(r.top1, 0);
  EXPECT_EQ(r.top5, 0);
  expectFloats(r.gradient, {0, 0, 0, 0});
}

// The data layer refuses such a label by name; the kernel itself neither reads
// outside nor gives a number that could pass for a loss, and the next batch is fine.
TEST_P(KnownAnswers, FieldReport_11_5_LabelOutOfRange) {
  for (int32_t label : {7, 3, -1, std::numeric_limits<int32_t>::max()}) {
    Loss bad = softmaxCe(rows(2, {0, 0, 0, 0, 0, 0}), {label, 1}, 2);
    EXPECT_TRUE(std::isnan(bad.loss));
    EXPECT_EQ(bad.top5, 1);
    EXPECT_TRUE(std::isnan(bad.gradient.f()[0]));
    EXPECT_FALSE(std::isnan(bad.gradient.f()[3]));
  }
  EXPECT_NEAR(softmaxCe(rows(1, {0, 0, 0}), {1}, 1).loss, 1.098612, 1e-6);
}

TEST_P(KnownAnswers, FieldReport_11_7_VeryNegativeLogits) {
  Loss r = softmaxCe(rows(1, {-300, -300, -300, -300}), {2}, 1);
  EXPECT_NEAR(r.loss, 1.386294, 1e-6);
  expectFloats(r.gradient, {0.25f, 0.25f, -0.75f, 0.25f}, 1e-7);
  r = softmaxCe(rows(1, {3e38f, -3e38f}), {0}, 1);
  EXPECT_EQ(r.loss, 0);
}

// The mean divides by the valid samples, not by the batch.
TEST_P(KnownAnswers, LossMeanOverValidSamples) {
  Loss r = softmaxCe(rows(4, {0, 0, 0, 0, 9, 0, 0, 9}), {0, 1, 1, 1}, 2);
  EXPECT_NEAR(r.loss, std::log(2.0), 1e-7);
  expectFloats(r.gradient, {-0.25f, 0.25f, 0.25f, -0.25f, 0, 0, 0, 0}, 1e-7);
}

TEST_P(KnownAnswers, LossTopHits) {
  // Seven classes; the label is the largest, fifth, sixth.
  Loss r = softmaxCe(rows(3, {7, 6, 5, 4, 3, 2, 1, 7, 6, 5, 4, 3, 2, 1, 7, 6, 5, 4, 3, 2, 1}),
                     {0, 4, 5}, 3);
  EXPECT_EQ(r.top1, 1);
  EXPECT_EQ(r.top5, 2);
  EXPECT_EQ(r.predicted.i()[2], 0);
  // A tie is a miss: equal logits are no knowledge.
  r = softmaxCe(rows(1, {1, 1, 0}), {0}, 1);
  EXPECT_EQ(r.top1, 0);
  EXPECT_EQ(r.top5, 1);
  EXPECT_EQ(softmaxCe(rows(1, Floats(6, 0.0f)), {0}, 1).top5, 0);
  // A NaN label never hits, even among few classes; a NaN elsewhere beats the label.
  r = softmaxCe(rows(1, {kNan, 0, 0}), {0}, 1);
  EXPECT_EQ(r.top1, 0);
  EXPECT_EQ(r.top5, 0);
  r = softmaxCe(rows(1, {5, kNan, 0}), {0}, 1);
  EXPECT_EQ(r.top1, 0);
  EXPECT_EQ(r.top5, 1);
  EXPECT_TRUE(std::isnan(r.loss));
}

TEST_P(KnownAnswers, OptimizerSgdIsTorch) {
  // g = 0.5 + 0.1*2 = 0.7; m = 0.9*1 + 0.7 = 1.6; w = 2 - 0.1*1.6.
  std::vector<Host> s = {Host::scalar(2),    Host::scalar(0.5f), Host::scalar(1),
                         Host::scalar(0.1f), Host::scalar(0.9f), Host::scalar(0.1f),
                         Host::scalarInt(0)};
  run(Opcode::range_sgd, s);
  expectFloats(s[2], {1.6f}, 2e-7);
  expectFloats(s[0], {1.84f}, 1e-6);
  s[6] = Host::scalarInt(1);
  run(Opcode::range_sgd, s);
  expectFloats(s[2], {1.6f}, 2e-7);
  expectFloats(s[0], {1.84f}, 1e-6);
}

// First step, default eps 1e-8 outside the root and bias-corrected moments: half of lr.
TEST_P(KnownAnswers, FieldReport_13_3_AdamEpsilon) {
  Host out = Host::scalar(0), beta1 = Host::scalar(0.9f), beta2 = Host::scalar(0.999f);
  std::vector<Host> step = {Host::scalarInt(0), beta1, beta2, Host::scalarInt(0), out, out};
  run(Opcode::adam_step, step);
  EXPECT_EQ(step[0].i()[0], 1);
  std::vector<Host> a = {
      Host::scalar(0),     Host::scalar(1e-8f), out,     out,     Host::scalar(1),   beta1, beta2,
      Host::scalar(1e-8f), Host::scalar(0),     step[4], step[5], Host::scalarInt(0)};
  run(Opcode::range_adamw, a);
  expectFloats(a[0], {-0.5f}, 1e-5);
}

// Decay is decoupled: with no gradient w shrinks by lr*decay and moments stay 0.
TEST_P(KnownAnswers, OptimizerAdamWDecay) {
  Host zero = Host::scalar(0), one = Host::scalar(1);
  std::vector<Host> a = {Host::scalar(2),
                         zero,
                         zero,
                         zero,
                         Host::scalar(0.1f),
                         Host::scalar(0.9f),
                         Host::scalar(0.999f),
                         Host::scalar(1e-8f),
                         Host::scalar(0.5f),
                         one,
                         one,
                         Host::scalarInt(0)};
  run(Opcode::range_adamw, a);
  expectFloats(a[0], {1.9f}, 1e-6);
  expectFloats(a[2], {0});
  expectFloats(a[3], {0});
}

// Five steps with gradients from 1e-6 to 10 and the default eps, against the rule of
// torch.optim.AdamW in double. The kernels see FP32 scalars, as they lie on the device.
TEST_P(KnownAnswers, OptimizerAdamWFiveSteps) {
  constexpr int kCount = 64;
  const double lr = 1e-3, decay = 0.01, beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
  Data data(61);
  Host w = data.values({1, 1, 1, kCount}), zeros = filled(w.dims, 0), g = zeros;
  std::vector<double> ww(w.f(), w.f() + kCount), mm(kCount), vv(kCount);
  Host out = Host::scalar(0), b1 = Host::scalar(float(beta1)), b2 = Host::scalar(float(beta2));
  std::vector<Host> step = {Host::scalarInt(0), b1, b2, Host::scalarInt(0), out, out};
  std::vector<Host> a = {w,
                         g,
                         zeros,
                         zeros,
                         Host::scalar(float(lr)),
                         b1,
                         b2,
                         Host::scalar(float(eps)),
                         Host::scalar(float(decay)),
                         out,
                         out,
                         Host::scalarInt(0)};
  for (int t = 1; t <= 5; ++t) {
    for (int i = 0; i < kCount; ++i)
      a[1].f()[i] = float(std::pow(10.0, i % 8 - 6) * data.uniform(-1, 1));
    run(Opcode::adam_step, step);
    a[9] = step[4];
    a[10] = step[5];
    run(Opcode::range_adamw, a);
    for (size_t i = 0; i < kCount; ++i) {
      double gradient = a[1].f()[i];
      ww[i] -= lr * decay * ww[i];
      mm[i] = beta1 * mm[i] + (1 - beta1) * gradient;
      vv[i] = beta2 * vv[i] + (1 - beta2) * gradient * gradient;
      double root = std::sqrt(vv[i]) / std::sqrt(1 - std::pow(beta2, t));
      ww[i] -= lr / (1 - std::pow(beta1, t)) * mm[i] / (root + eps);
    }
  }
  for (size_t i = 0; i < kCount; ++i)
    EXPECT_NEAR(a[0].f()[i], ww[i], 1e-6) << i;
}

// Momentum and coupled decay over five steps, against torch.optim.SGD in double.
TEST_P(KnownAnswers, OptimizerSgdFiveSteps) {
  constexpr int kCount = 33;
  const double lr = 0.1, momentum = 0.9, decay = 5e-4;
  Data data(62);
  Host w = data.values({1, 1, 1, kCount}), zeros = filled(w.dims, 0);
  std::vector<double> ww(w.f(), w.f() + kCount), mm(kCount);
  std::vector<Host> s = {w,
                         zeros,
                         zeros,
                         Host::scalar(float(lr)),
                         Host::scalar(float(momentum)),
                         Host::scalar(float(decay)),
                         Host::scalarInt(0)};
  for (int t = 1; t <= 5; ++t) {
    s[1] = data.values(w.dims);
    run(Opcode::range_sgd, s);
    for (size_t i = 0; i < kCount; ++i) {
      mm[i] = momentum * mm[i] + (s[1].f()[i] + decay * ww[i]);
      ww[i] -= lr * mm[i];
    }
  }
  for (size_t i = 0; i < kCount; ++i)
    EXPECT_NEAR(s[0].f()[i], ww[i], 2e-6) << i;
}

TEST_P(KnownAnswers, OptimizerSkippedStepsDoNotCount) {
  Host out = Host::scalar(0);
  std::vector<Host> step = {
      Host::scalarInt(0), Host::scalar(0.5f), Host::scalar(0.75f), Host::scalarInt(1), out, out};
  run(Opcode::adam_step, step);
  EXPECT_EQ(step[0].i()[0], 0);
  expectFloats(step[4], {1});
  expectFloats(step[5], {1});
  step[3] = Host::scalarInt(0);
  run(Opcode::adam_step, step);
  run(Opcode::adam_step, step);
  EXPECT_EQ(step[0].i()[0], 2);
  expectFloats(step[4], {0.75f});
  expectFloats(step[5], {0.4375f});
}

TEST_P(KnownAnswers, RangeCommitKeepsTheOldStatisticsOfASkippedStep) {
  Host next = Host::vec({1, 2}), prev = Host::vec({3, 4});
  expectFloats(runFor(Opcode::range_commit, {next, Host::scalarInt(1), prev}, {}, 2), {3, 4});
  expectFloats(runFor(Opcode::range_commit, {next, Host::scalarInt(0), prev}, {}, 2), {1, 2});
}

TEST_P(KnownAnswers, RangeCheckFiniteFindsOneBadValue) {
  for (float bad : {kNan, kInfinity, -kInfinity}) {
    Host g = filled({1, 1, 1, 1000}, std::numeric_limits<float>::max());
    EXPECT_EQ(runFor(Opcode::range_check_finite, {g, Host::scalarInt(7)}, {}, 1).i()[0], 0);
    g.f()[999] = bad;
    EXPECT_EQ(runFor(Opcode::range_check_finite, {g, Host::scalarInt(7)}, {}, 1).i()[0], 1);
  }
}

TEST_P(KnownAnswers, RangeMetrics) {
  std::vector<Host> m = {Host::scalar(0.5f), Host::scalar(2),  Host::scalar(3), Host::scalarInt(4),
                         Host::scalar(10),   Host::scalar(20), Host::scalar(30)};
  run(Opcode::accum_metrics, m);
  expectFloats(m[4], {12});
  expectFloats(m[5], {22});
  expectFloats(m[6], {33});
}
