// SPDX-License-Identifier: Apache-2.0
//
// Hand-made results of convolution, fully connected layers and batch normalisation.
#include "known.h"

using namespace trk;
using namespace trk::test;

TEST_P(KnownAnswers, ConvCrossCorrelationIsNotFlipped) {
  Host x = Host::f32({1, 1, 3, 1}, {1, 10, 100});
  expectFloats(conv(x, Host::f32({1, 1, 2, 1}, {2, 3}), Host(), {1, 2}), {32, 320});
}

// 2x3 input, 2x1 kernel, stride (1,2), pad (1,0): every axis has its own numbers.
TEST_P(KnownAnswers, ConvAxesDoNotSwap) {
  Host x = counting({1, 2, 3, 1});
  Window w = {2, 1, 1, 2, 1, 0, 1, 1, 1};
  expectFloats(conv(x, Host::f32({1, 2, 1, 1}, {1, 10}), Host::scalar(0.5f), w),
               {10.5f, 30.5f, 41.5f, 63.5f, 4.5f, 6.5f});
}

// OHWI: two outputs over two inputs.
TEST_P(KnownAnswers, ConvWeightLayout) {
  Host x = Host::f32({1, 1, 1, 2}, {1, 10});
  expectFloats(conv(x, Host::f32({2, 1, 1, 2}, {1, 2, 3, 4}), Host(), {}), {21, 43});
}

TEST_P(KnownAnswers, ConvGroupsSeeTheirOwnChannels) {
  Host x = Host::f32({1, 1, 1, 4}, {1, 10, 100, 1000});
  Window w;
  w.groups = 2;
  expectFloats(conv(x, Host::f32({2, 1, 1, 2}, {1, 1, 2, 2}), Host(), w), {11, 2200});
  w.groups = 4;
  expectFloats(conv(x, Host::f32({4, 1, 1, 1}, {1, 2, 3, 4}), Host(), w), {1, 20, 300, 4000});
}

TEST_P(KnownAnswers, ConvEveryItemOfTheBatch) {
  Host x = counting({3, 1, 2, 1});
  expectFloats(conv(x, Host::f32({1, 1, 2, 1}, {1, -1}), Host(), {1, 2}), {-1, -1, -1});
}

// (1*2 + 10*3 + 4)*0.5 - 1 + shortcut, negative ones cut off.
TEST_P(KnownAnswers, ConvOfInferenceFoldsAddsAndActivates) {
  Host x = Host::f32({1, 1, 2, 2}, {1, 10, -1, -10}), w = Host::f32({1, 1, 1, 2}, {2, 3});
  namespace op = ops::conv_inf;
  op::Attrs attrs = convAttrs<op::Attrs>({});
  attrs.act = Activation::ReLU;
  const auto inferred = [&](const Host &bias, const Host &shortcut) {
    return ran({op::kOpcode,
                {{op::x, x},
                 {op::w, w},
                 {op::bias, bias},
                 {op::scale, Host::scalar(0.5f)},
                 {op::shift, Host::scalar(-1)},
                 {op::shortcut, shortcut},
                 {op::folds, Host::scalarInt(1)},
                 {op::y, Host::f32({1, 1, 2, 1})}},
                attrs})[op::y];
  };
  expectFloats(inferred(Host::scalar(4), Host::f32({1, 1, 2, 1}, {100, 20})), {117, 5});
  expectFloats(inferred(Host(), Host()), {15, 0});
}

TEST_P(KnownAnswers, FcRowsAreOutputs) {
  Host x = Host::f32({2, 1, 1, 3}, {1, 10, 100, 2, 20, 200});
  Host w = Host::f32({2, 1, 1, 3}, {1, 2, 3, 4, 5, 6});
  expectFloats(fc(x, w, Host::vec({0.5f, -0.5f})), {321.5f, 653.5f, 642.5f, 1307.5f});
}

TEST_P(KnownAnswers, FieldReport_4_1_PadsPerAxis) {
  Window w = {3, 3, 2, 2, 1, 0, 1, 1, 1};
  Host y = conv(filled({1, 7, 5, 1}, 1), filled({1, 3, 3, 1}, 1), Host(), w);
  EXPECT_EQ(y.dims, (Dims{1, 4, 2, 1}));
  expectFloats(y, {6, 6, 9, 9, 9, 9, 6, 6});
}

// A row at the top and a column at the right.
TEST_P(KnownAnswers, FieldReport_4_1_PadsPerEnd) {
  const Window w = paddedMore({3, 3, 2, 2, 1, 0, 1, 1, 1}, -1, 1);
  Host y = conv(filled({1, 6, 4, 1}, 1), filled({1, 3, 3, 1}, 1), Host(), w);
  EXPECT_EQ(y.dims, (Dims{1, 3, 2, 1}));
  expectFloats(y, {6, 4, 9, 6, 9, 6});
}

TEST_P(KnownAnswers, FieldReport_4_3_DilationPerAxis) {
  Window w = {3, 3, 1, 1, 0, 0, 1, 4, 1};
  Host y = conv(filled({1, 10, 10, 1}, 1), filled({1, 3, 3, 1}, 1), Host(), w);
  EXPECT_EQ(y.dims, (Dims{1, 8, 2, 1}));
  expectFloats(y, Floats(16, 9.0f));
}

TEST_P(KnownAnswers, FieldReport_4_5_SmallConvIsExact) {
  Host y = conv(filled({1, 4, 4, 1}, 1), filled({1, 2, 2, 1}, 1), Host::scalar(1.0f), {2, 2});
  expectFloats(y, Floats(9, 5.0f));
}

// Conv bias 5 goes through the normalisation too: (3*2 + 5 - 1)/2*4 + 7.
TEST_P(KnownAnswers, FieldReport_1_1_BiasBeforeBnIsScaled) {
  auto vec = [](float v) { return Host::vec({v, v}); };
  Host gamma = vec(4), beta = vec(7), mean = vec(1), var = vec(4 - 1e-5f);
  Host x = filled({1, 1, 1, 2}, 2), bias = vec(5);
  Window grouped;
  grouped.groups = 2;
  Host depthwise = conv(x, filled({2, 1, 1, 1}, 3), bias, grouped);
  expectFloats(bnEval(depthwise, gamma, beta, mean, var, 1e-5), {27, 27}, 1e-5);

  // Plain and FC: the same sum split over two inputs of value 2 with weight 1.5.
  Host weight = filled({2, 1, 1, 2}, 1.5f);
  expectFloats(bnEval(conv(x, weight, bias, {}), gamma, beta, mean, var, 1e-5), {27, 27}, 1e-5);
  expectFloats(bnEval(fc(x, weight, bias), gamma, beta, mean, var, 1e-5), {27, 27}, 1e-5);

  // Grouped: two groups of two channels.
  Host wide = filled({1, 1, 1, 4}, 2);
  Host y = conv(wide, weight, bias, grouped);
  expectFloats(bnEval(y, gamma, beta, mean, var, 1e-5), {27, 27}, 1e-5);
}

// B(x) = 4x + 1. The fold writes to tensors of its own, so using it twice is safe.
TEST_P(KnownAnswers, FieldReport_1_3_FoldTwiceEqualsOnce) {
  auto block = [&](const Host &x) {
    Host y = conv(x, Host::f32({1, 1, 1, 1}, {2}), Host(), {});
    return bnEval(y, Host::scalar(4.0f), Host::scalar(1.0f), Host::scalar(0.0f), Host::scalar(3.0f),
                  1.0);
  };
  Host once = block(Host::scalar(1));
  expectFloats(once, {5}, 1e-6);
  expectFloats(block(once), {21}, 1e-5);
}

TEST_P(KnownAnswers, FieldReport_1_5_Bn1dOverFlattenedFeatures) {
  Host y = conv(filled({1, 2, 2, 1}, 1), filled({2, 1, 1, 1}, 1), Host(), {});
  Host flat = copy(y, {1, 1, 1, 8});
  Host result = bnEval(flat, filled({1, 1, 1, 8}, 1), filled({1, 1, 1, 8}, 0),
                       counting({1, 1, 1, 8}, 0), filled({1, 1, 1, 8}, 1), 0.0);
  expectFloats(result, {1, 0, -1, -2, -3, -4, -5, -6});
}

// Folded and unfolded normalisation differ by rounding only: 1e-6 * sqrt(27 taps).
TEST_P(KnownAnswers, FieldReport_1_7_ToleranceOfTheFold) {
  Data data(51);
  Host x = data.values({2, 9, 9, 3}), w = data.values({8, 3, 3, 3});
  Host gamma = data.vec(8, 0.5, 2), beta = data.vec(8, -1, 1), mean = data.vec(8, -1, 1);
  Host var = data.vec(8, 0.5, 2), inv = Host::vec(8);
  for (int c = 0; c < 8; ++c)
    inv.f()[c] = float(1.0 / std::sqrt(double(var.f()[c]) + 1e-5));
  Host y = conv(x, w, Host(), {3, 3});
  Host folded = bnEval(y, gamma, beta, mean, var, 1e-5, Activation::ReLU);
  Host plain = bnApply({y, mean, inv, gamma, beta}, Activation::ReLU);
  for (int64_t i = 0; i < y.elements(); ++i)
    EXPECT_NEAR(folded.f()[i], plain.f()[i],
                1e-6 * std::sqrt(27.0) * std::max(1.0f, std::fabs(plain.f()[i])));
}

TEST_P(KnownAnswers, FieldReport_1_9_EpsIsInsideTheRootAndTheLayersOwn) {
  Host one = Host::scalar(1), zero = Host::scalar(0), x = Host::scalar(0.1f);
  expectFloats(bnEval(x, one, zero, zero, Host::scalar(0.01f), 1e-3), {0.95346f}, 1e-5);
  expectFloats(bnEval(x, one, zero, zero, Host::scalar(0.01f), 1e-5), {0.99950f}, 1e-5);
  expectFloats(bnEval(one, one, zero, zero, Host::scalar(1e-6f), 1e-3), {31.607f}, 1e-3);
}

TEST_P(KnownAnswers, FieldReport_2_1_OneValuePerChannel) {
  Host beta = Host::vec({1, -2, 0.5f}), var = Host::vec({0.25f, 1, 4});
  BnTrained r = bnTrain(Host::f32({1, 1, 1, 3}, {5, 1e6f, -3}), Host::vec({2, 2, 2}), beta, 1e-5,
                        0.1, Host::vec({1, 2, 3}), var);
  expectFloats(r.y, beta.floats());
  expectFloats(r.nextVar, var.floats());
  expectFloats(r.nextMean, {1.4f, 100001.8f, 2.4f}, 1e-6);
}

TEST_P(KnownAnswers, FieldReport_2_3_LargeMeanSmallSpread) {
  for (float base : {10000.0f, 100000.0f}) {
    Host x = Host::f32({16, 1, 1, 1});
    for (int n = 0; n < 16; ++n)
      x.f()[n] = base + float(n % 2);
    BnTrained r =
        bnTrain(x, Host::scalar(1), Host::scalar(0), 1e-5, 1.0, Host::scalar(0), Host::scalar(1));
    for (int n = 0; n < 16; ++n)
      EXPECT_NEAR(r.y.f()[n], n % 2 ? 0.99998f : -0.99998f, 1e-6);
    expectFloats(r.nextVar, {0.266667f}, 1e-6);
    expectFloats(r.invStd, {1.99996f}, 1e-5);
  }
}

TEST_P(KnownAnswers, FieldReport_2_5_ConstantChannel) {
  for (float value : {100.0f, 1e4f, 16777217.0f, 0.1f}) {
    BnTrained r = bnTrain(filled({1, 3, 3, 1}, value), Host::scalar(1), Host::scalar(0.5f), 1e-5,
                          0.1, Host::scalar(0), Host::scalar(1));
    expectFloats(r.y, Floats(9, 0.5f));
  }
}

// Squares that FP32 does not hold, of values that it holds; 600 rows are several blocks.
TEST_P(KnownAnswers, BnStatisticsNearTheEndOfTheRange) {
  for (const int64_t n : {2, 600}) {
    Host x(DType::F32, {n, 1, 1, 3});
    for (int64_t i = 0; i < n; ++i) {
      x.f()[size_t(3 * i)] = i % 2 ? 1.4e19f : -1.4e19f;
      x.f()[size_t(3 * i + 1)] = i % 2 ? 3.0f : 1.0f; // a neighbour is not touched
      x.f()[size_t(3 * i + 2)] = i % 2 ? 2e19f : 1e19f;
    }
    const BnTrained y = bnTrain(x, Host::vec(Floats(3, 1.0f)), Host::vec(Floats(3, 0.5f)), 1e-5,
                                0.1, Host::vec(Floats(3, 0.0f)), Host::vec(Floats(3, 1.0f)));
    const double unbiased = double(n) / double(n - 1), deviations[] = {1.4e19, 1, 5e18};
    for (size_t c = 0; c < 3; ++c) {
      const double s = deviations[c], variance = 0.9 + 0.1 * s * s * unbiased;
      EXPECT_NEAR(y.invStd.f()[c] * s, 1, 1e-5) << c;
      EXPECT_NEAR(y.nextVar.f()[c] / variance, 1, 1e-5) << c;
      EXPECT_NEAR(y.y.f()[c], -0.5, 1e-4) << c;
      EXPECT_NEAR(y.y.f()[3 + c], 1.5, 1e-4) << c;
    }
  }
}

// A running variance beyond FP32 makes the step one that is skipped.
TEST_P(KnownAnswers, BnStatisticsBeyondTheRangeAreNaN) {
  Host x(DType::F32, {2, 1, 1, 1});
  x.f()[0] = 1e20f;
  x.f()[1] = -1e20f;
  const BnTrained y = bnTrain(x, Host::vec(Floats(1, 1.0f)), Host::vec(Floats(1, 0.0f)), 1e-5, 0.1,
                              Host::vec(Floats(1, 0.0f)), Host::vec(Floats(1, 1.0f)));
  EXPECT_TRUE(std::isnan(y.invStd.f()[0]));
  EXPECT_TRUE(std::isnan(y.y.f()[0]));
}

TEST_P(KnownAnswers, FieldReport_2_7_RunningVarianceIsUnbiased) {
  BnTrained r = bnTrain(counting({4, 1, 1, 1}), Host::scalar(1), Host::scalar(0), 0.0, 0.1,
                        Host::scalar(0), Host::scalar(1));
  expectFloats(r.y, {-1.34164f, -0.44721f, 0.44721f, 1.34164f}, 1e-5);
  expectFloats(r.nextMean, {0.25f}, 1e-7);
  expectFloats(r.nextVar, {1.066667f}, 1e-6);
}

TEST_P(KnownAnswers, FieldReport_21_3_LongReductionRepeats) {
  Host x = Data(53).values({1000003, 1, 1, 1}), one = Host::scalar(1), zero = Host::scalar(0);
  BnTrained first = bnTrain(x, one, zero, 1e-5, 0.1, zero, one);
  for (int repeat = 1; repeat < 10; ++repeat) {
    BnTrained again = bnTrain(x, one, zero, 1e-5, 0.1, zero, one);
    EXPECT_EQ(first.mean.bytes, again.mean.bytes);
    EXPECT_EQ(first.nextVar.bytes, again.nextVar.bytes);
  }
}

// A (20, 100) matrix is 20x1x1x100: one rule for bn1d and bn2d.
TEST_P(KnownAnswers, FieldReport_2_8_Bn1dIsBn2dOnOnePixel) {
  Data data(52);
  Host x = data.values({20, 1, 1, 100}), gamma = data.vec(100, 0.5, 2);
  Host beta = data.vec(100, -1, 1), mean = data.vec(100, -1, 1), var = data.vec(100, 0.5, 2);
  Host y = bnEval(x, gamma, beta, mean, var, 1e-5);
  for (int64_t i = 0; i < y.elements(); ++i) {
    int64_t c = i % 100;
    double expected =
        (double(x.f()[i]) - mean.f()[c]) / std::sqrt(var.f()[c] + 1e-5) * gamma.f()[c] +
        beta.f()[c];
    EXPECT_NEAR(y.f()[i], expected, 2e-6);
  }
}

TEST_P(KnownAnswers, BnFusedFormsEqualTheirParts) {
  Host x = Host::f32({1, 1, 2, 1}, {3, 5}), shortcut = Host::f32({1, 1, 2, 1}, {-10, 1});
  const BnHosts in{x, Host::scalar(4), Host::scalar(1), Host::scalar(2), Host::scalar(1)};
  // bn(x) = {-1, 3}
  expectFloats(bnApply(in, Activation::None), {-1, 3});
  expectFloats(bnApply(in, Activation::ReLU), {0, 3});
  {
    namespace op = ops::bn_apply_add;
    Invocation call(op::kOpcode, in.at(op::x, op::mean, op::inv_std, op::gamma, op::beta),
                    op::Attrs{Activation::None});
    call[op::shortcut] = shortcut;
    expectFloats(ran(call)[op::y], {-11, 4});
  }
  // The shortcut normalised with mean 1, invStd 0.5, gamma 2, beta 0: {-11, 0}.
  namespace op = ops::bn_apply_add_bn;
  Invocation call(op::kOpcode, in.at(op::x, op::mean, op::inv_std, op::gamma, op::beta),
                  op::Attrs{Activation::None});
  call.set({{op::shortcut_x, shortcut},
            {op::shortcut_mean, Host::scalar(1)},
            {op::shortcut_inv_std, Host::scalar(0.5f)},
            {op::shortcut_gamma, Host::scalar(2)},
            {op::shortcut_beta, Host::scalar(0)}});
  expectFloats(ran(call)[op::y], {-12, 3});
}
