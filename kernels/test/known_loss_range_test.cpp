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

namespace {

Invocation sgd(const Host &w, const Host &g, const Host &m, float lr, float momentum, float decay) {
  namespace op = ops::range_sgd;
  return {op::kOpcode,
          {{op::w, w},
           {op::g, g},
           {op::m, m},
           {op::lr, Host::scalar(lr)},
           {op::momentum, Host::scalar(momentum)},
           {op::weight_decay, Host::scalar(decay)},
           {op::nonfinite, Host::scalarInt(0)}}};
}

// Moments start at zero; no bias correction.
Invocation adamW(const Host &w, float lr, float eps, float decay) {
  namespace op = ops::range_adamw;
  const Host zeros = filled(w.dims, 0);
  return {op::kOpcode,
          {{op::w, w},
           {op::g, zeros},
           {op::m, zeros},
           {op::v, zeros},
           {op::lr, Host::scalar(lr)},
           {op::beta1, Host::scalar(0.9f)},
           {op::beta2, Host::scalar(0.999f)},
           {op::eps, Host::scalar(eps)},
           {op::weight_decay, Host::scalar(decay)},
           {op::bias_correction1, Host::scalar(1)},
           {op::bias_correction2, Host::scalar(1)},
           {op::nonfinite, Host::scalarInt(0)}}};
}

Invocation adamStep(float beta1, float beta2) {
  namespace op = ops::adam_step;
  return {op::kOpcode,
          {{op::adam_step, Host::scalarInt(0)},
           {op::beta1, Host::scalar(beta1)},
           {op::beta2, Host::scalar(beta2)},
           {op::nonfinite, Host::scalarInt(0)}}};
}

void takeCorrections(Invocation &update, const Invocation &step) {
  update[ops::range_adamw::bias_correction1] = step[ops::adam_step::bias_correction1];
  update[ops::range_adamw::bias_correction2] = step[ops::adam_step::bias_correction2];
}

} // namespace

TEST_P(KnownAnswers, OptimizerSgdIsTorch) {
  namespace op = ops::range_sgd;
  // g = 0.5 + 0.1*2 = 0.7; m = 0.9*1 + 0.7 = 1.6; w = 2 - 0.1*1.6.
  Invocation s = sgd(Host::scalar(2), Host::scalar(0.5f), Host::scalar(1), 0.1f, 0.9f, 0.1f);
  run(s);
  expectFloats(s[op::m], {1.6f}, 2e-7);
  expectFloats(s[op::w], {1.84f}, 1e-6);
  s[op::nonfinite] = Host::scalarInt(1);
  run(s);
  expectFloats(s[op::m], {1.6f}, 2e-7);
  expectFloats(s[op::w], {1.84f}, 1e-6);
}

// First step, default eps 1e-8 outside the root and bias-corrected moments: half of lr.
TEST_P(KnownAnswers, FieldReport_13_3_AdamEpsilon) {
  namespace op = ops::range_adamw;
  Invocation step = ran(adamStep(0.9f, 0.999f));
  EXPECT_EQ(step[ops::adam_step::adam_step].i()[0], 1);
  Invocation a = adamW(Host::scalar(0), 1, 1e-8f, 0);
  a[op::g] = Host::scalar(1e-8f);
  takeCorrections(a, step);
  run(a);
  expectFloats(a[op::w], {-0.5f}, 1e-5);
}

// Decay is decoupled: with no gradient w shrinks by lr*decay and moments stay 0.
TEST_P(KnownAnswers, OptimizerAdamWDecay) {
  namespace op = ops::range_adamw;
  const Invocation a = ran(adamW(Host::scalar(2), 0.1f, 1e-8f, 0.5f));
  expectFloats(a[op::w], {1.9f}, 1e-6);
  expectFloats(a[op::m], {0});
  expectFloats(a[op::v], {0});
}

// Five steps with gradients from 1e-6 to 10 and the default eps, against the rule of
// torch.optim.AdamW in double. The kernels see FP32 scalars, as they lie on the device.
TEST_P(KnownAnswers, OptimizerAdamWFiveSteps) {
  namespace op = ops::range_adamw;
  constexpr int kCount = 64;
  const double lr = 1e-3, decay = 0.01, beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
  Data data(61);
  Host w = data.values({1, 1, 1, kCount});
  std::vector<double> ww(w.f(), w.f() + kCount), mm(kCount), vv(kCount);
  Invocation step = adamStep(float(beta1), float(beta2));
  Invocation a = adamW(w, float(lr), float(eps), float(decay));
  for (int t = 1; t <= 5; ++t) {
    for (int i = 0; i < kCount; ++i)
      a[op::g].f()[i] = float(std::pow(10.0, i % 8 - 6) * data.uniform(-1, 1));
    run(step);
    takeCorrections(a, step);
    run(a);
    for (size_t i = 0; i < kCount; ++i) {
      double gradient = a[op::g].f()[i];
      ww[i] -= lr * decay * ww[i];
      mm[i] = beta1 * mm[i] + (1 - beta1) * gradient;
      vv[i] = beta2 * vv[i] + (1 - beta2) * gradient * gradient;
      double root = std::sqrt(vv[i]) / std::sqrt(1 - std::pow(beta2, t));
      ww[i] -= lr / (1 - std::pow(beta1, t)) * mm[i] / (root + eps);
    }
  }
  for (size_t i = 0; i < kCount; ++i)
    EXPECT_NEAR(a[op::w].f()[i], ww[i], 1e-6) << i;
}

// Momentum and coupled decay over five steps, against torch.optim.SGD in double.
TEST_P(KnownAnswers, OptimizerSgdFiveSteps) {
  namespace op = ops::range_sgd;
  constexpr int kCount = 33;
  const double lr = 0.1, momentum = 0.9, decay = 5e-4;
  Data data(62);
  Host w = data.values({1, 1, 1, kCount}), zeros = filled(w.dims, 0);
  std::vector<double> ww(w.f(), w.f() + kCount), mm(kCount);
  Invocation s = sgd(w, zeros, zeros, float(lr), float(momentum), float(decay));
  for (int t = 1; t <= 5; ++t) {
    s[op::g] = data.values(w.dims);
    run(s);
    for (size_t i = 0; i < kCount; ++i) {
      mm[i] = momentum * mm[i] + (s[op::g].f()[i] + decay * ww[i]);
      ww[i] -= lr * mm[i];
    }
  }
  for (size_t i = 0; i < kCount; ++i)
    EXPECT_NEAR(s[op::w].f()[i], ww[i], 2e-6) << i;
}

TEST_P(KnownAnswers, OptimizerSkippedStepsDoNotCount) {
  namespace op = ops::adam_step;
  Invocation step = adamStep(0.5f, 0.75f);
  step[op::nonfinite] = Host::scalarInt(1);
  run(step);
  EXPECT_EQ(step[op::adam_step].i()[0], 0);
  expectFloats(step[op::bias_correction1], {1});
  expectFloats(step[op::bias_correction2], {1});
  step[op::nonfinite] = Host::scalarInt(0);
  run(step);
  run(step);
  EXPECT_EQ(step[op::adam_step].i()[0], 2);
  expectFloats(step[op::bias_correction1], {0.75f});
  expectFloats(step[op::bias_correction2], {0.4375f});
}

TEST_P(KnownAnswers, RangeCommitKeepsTheOldStatisticsOfASkippedStep) {
  namespace op = ops::range_commit;
  Invocation commit(op::kOpcode, {{op::src, Host::vec({1, 2})},
                                  {op::nonfinite, Host::scalarInt(1)},
                                  {op::dst, Host::vec({3, 4})}});
  expectFloats(ran(commit)[op::dst], {3, 4});
  commit[op::nonfinite] = Host::scalarInt(0);
  expectFloats(ran(commit)[op::dst], {1, 2});
}

TEST_P(KnownAnswers, RangeCheckFiniteFindsOneBadValue) {
  namespace op = ops::range_check_finite;
  for (float bad : {kNan, kInfinity, -kInfinity}) {
    Invocation check(op::kOpcode,
                     {{op::grads, filled({1, 1, 1, 1000}, std::numeric_limits<float>::max())},
                      {op::nonfinite, Host::scalarInt(7)}});
    EXPECT_EQ(ran(check)[op::nonfinite].i()[0], 0);
    check[op::grads].f()[999] = bad;
    EXPECT_EQ(ran(check)[op::nonfinite].i()[0], 1);
  }
}

TEST_P(KnownAnswers, RangeMetrics) {
  namespace op = ops::accum_metrics;
  const Invocation m = ran({op::kOpcode,
                            {{op::loss, Host::scalar(0.5f)},
                             {op::top1, Host::scalar(2)},
                             {op::top5, Host::scalar(3)},
                             {op::valid, Host::scalarInt(4)},
                             {op::accum_loss, Host::scalar(10)},
                             {op::accum_top1, Host::scalar(20)},
                             {op::accum_top5, Host::scalar(30)}}});
  expectFloats(m[op::accum_loss], {12});
  expectFloats(m[op::accum_top1], {22});
  expectFloats(m[op::accum_top5], {33});
}
