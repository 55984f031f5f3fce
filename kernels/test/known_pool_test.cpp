// SPDX-License-Identifier: Apache-2.0
//
// Hand-made results of max, average and global pooling.
#include "known.h"

using namespace trk;
using namespace trk::test;

// All inputs negative: a padding of zeros would win everywhere.
TEST_P(KnownAnswers, PoolPaddingNeverWins) {
  Pooled r = maxPool(counting({1, 2, 3, 1}, -9), {3, 3, 2, 2, 1, 1});
  expectFloats(r.y, {-5, -4});
  EXPECT_EQ(r.index.bytes, (std::vector<uint8_t>{8, 7}));
}

TEST_P(KnownAnswers, PoolFirstMaximumAndFirstNanWin) {
  Pooled r = maxPool(Host::f32({1, 2, 2, 1}, {1, 7, 7, 7}), {2, 2});
  EXPECT_EQ(r.index.bytes[0], 1);
  r = maxPool(Host::f32({1, 2, 2, 1}, {9, kNan, kNan, kInfinity}), {2, 2});
  expectFloats(r.y, {kNan});
  EXPECT_EQ(r.index.bytes[0], 1);
  r = maxPool(filled({1, 2, 2, 1}, -kInfinity), {2, 2});
  expectFloats(r.y, {-kInfinity});
  EXPECT_EQ(r.index.bytes[0], 0);
}

// Two windows share their maximum: the gradients add.
TEST_P(KnownAnswers, PoolBackwardAddsOverlaps) {
  Host x = Host::f32({1, 1, 3, 1}, {1, 9, 2});
  Pooled r = maxPool(x, {1, 2});
  Host dy = Host::f32({1, 1, 2, 1}, {10, 100});
  expectFloats(maxPoolGradient(dy, r.index, x.dims, {1, 2}), {0, 110, 0});
}

TEST_P(KnownAnswers, PoolPadThatHidesTheInputIsRefused) {
  namespace op = ops::maxpool_fwd;
  Invocation call(op::kOpcode, {{op::x, filled({1, 2, 2, 1}, 1)}, {op::y, Host::f32({1, 5, 3, 1})}},
                  poolAttrs<op::Attrs>({2, 2, 1, 1, 2, 1}));
  EXPECT_EQ(runKernel(GetParam(), call),
            "expected a pad smaller than the kernel, but got pad 2x1 for kernel 2x2");
}

// The largest window that a plan may have: only the cells inside the input take time.
TEST_P(KnownAnswers, FieldReport_18_1_PoolWindowFarLargerThanTheInput) {
  const Window window = {32768, 32768, 32768, 32768, 32767, 32767};
  Host x = Host::f32({1, 2, 2, 1}, {4, 1, 3, 2});
  Pooled r = maxPool(x, window); // each window holds one cell
  expectFloats(r.y, {4, 1, 3, 2});
  expectFloats(avgPool(x, window), {4, 1, 3, 2});
  expectFloats(maxPoolGradient(x, r.index, x.dims, window), {4, 1, 3, 2});
  expectFloats(avgPoolGradient(x, x.dims, window), {4, 1, 3, 2});
}

// Only the cells inside the input are counted.
TEST_P(KnownAnswers, PoolAveragePoolExcludesPadding) {
  Host y = avgPool(counting({1, 2, 2, 1}), {2, 2, 1, 1, 1, 1});
  expectFloats(y, {1, 1.5f, 2, 2, 2.5f, 3, 3, 3.5f, 4});
}

// Rounded up, a third row of windows hangs over the edge; a third column would begin outside.
TEST_P(KnownAnswers, FieldReport_3_1_StrideLargerThanKernel) {
  const Host x = filled({1, 8, 8, 1}, 1);
  const Window window = {3, 3, 3, 4, 0, 0};
  Host y = avgPool(x, window);
  EXPECT_EQ(y.dims, (Dims{1, 2, 2, 1}));
  expectFloats(y, Floats(4, 1.0f));
  y = avgPool(x, ceiled(window));
  EXPECT_EQ(y.dims, (Dims{1, 3, 2, 1}));
  expectFloats(y, Floats(6, 1.0f));
}

// The second row of windows holds the last row of the input only.
TEST_P(KnownAnswers, PoolWindowsOverTheEdge) {
  const Window window = ceiled({2, 2, 2, 2});
  const Host x = counting({1, 3, 4, 1});
  Pooled r = maxPool(x, window);
  expectFloats(r.y, {6, 8, 10, 12});
  EXPECT_EQ(r.index.bytes, (std::vector<uint8_t>{3, 3, 1, 1}));
  Host dy = Host::f32({1, 2, 2, 1}, {4, 8, 2, 6});
  expectFloats(maxPoolGradient(dy, r.index, x.dims, window), {0, 0, 0, 0, 0, 4, 0, 8, 0, 2, 0, 6});
  expectFloats(avgPool(x, window), {3.5f, 5.5f, 9.5f, 11.5f});
  expectFloats(avgPoolGradient(dy, x.dims, window), {1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 3, 3});
}

// The last window begins at the last cell; neither the pad after it nor what is beyond counts.
TEST_P(KnownAnswers, PoolWindowsOverThePad) {
  const Window window = ceiled({1, 3, 1, 2, 0, 1});
  const Host x = counting({1, 1, 4, 1});
  Pooled r = maxPool(x, window);
  expectFloats(r.y, {2, 4, 4});
  EXPECT_EQ(r.index.bytes, (std::vector<uint8_t>{2, 2, 0}));
  expectFloats(avgPool(x, window), {1.5f, 3, 4});
  // A second window would begin in the pad after the input.
  expectFloats(avgPool(Host::f32({1, 1, 2, 1}, {5, 7}), ceiled({1, 2, 1, 3, 0, 1})), {5});
}

// What hangs over the edge is not counted.
TEST_P(KnownAnswers, FieldReport_3_3_OverhangingWindows) {
  Host y = avgPool(counting({1, 4, 4, 1}), ceiled({3, 3, 2, 2}));
  expectFloats(y, {6, 7.5f, 12, 13.5f});
}

// A row after the input and none before it.
TEST_P(KnownAnswers, PoolPadAtTheEndAlone) {
  const Window window = paddedMore({1, 2, 1, 2}, 0, 1);
  Pooled r = maxPool(counting({1, 1, 3, 1}), window);
  expectFloats(r.y, {2, 3});
  expectFloats(avgPool(counting({1, 1, 3, 1}), window), {1.5f, 3});
  expectFloats(avgPool(counting({1, 1, 3, 1}), countingPad(window)), {1.5f, 1.5f});
}

TEST_P(KnownAnswers, PoolDilatedMaximum) {
  const Window window = dilated({1, 2, 1, 1, 0, 1}, 1, 2);
  const Host x = Host::f32({1, 1, 4, 1}, {5, 1, 2, 7});
  Pooled r = maxPool(x, window); // cells -1 and 1, 0 and 2, 1 and 3, 2 and 4
  expectFloats(r.y, {1, 5, 7, 2});
  EXPECT_EQ(r.index.bytes, (std::vector<uint8_t>{1, 0, 1, 0}));
  const Host dy = Host::f32({1, 1, 4, 1}, {1, 10, 100, 1000});
  expectFloats(maxPoolGradient(dy, r.index, x.dims, window), {10, 1, 1000, 100});
}

TEST_P(KnownAnswers, PoolDilationThatMissesTheInputIsRefused) {
  namespace op = ops::maxpool_fwd;
  Invocation call(op::kOpcode, {{op::x, filled({1, 1, 2, 1}, 1)}, {op::y, Host::f32({1, 1, 1, 1})}},
                  poolAttrs<op::Attrs>(dilated({1, 2, 1, 1, 0, 1}, 1, 3)));
  EXPECT_EQ(runKernel(GetParam(), call),
            "expected a dilation no larger than the padded input, but got 1x3 for 1x2");
}

// torch.nn.AvgPool2d's default: 4 cells each, but 2 in windows that hang over the padded edge.
TEST_P(KnownAnswers, PoolCountIncludesThePad) {
  const Window window = countingPad({2, 2, 1, 1, 1, 1});
  const Host x = counting({1, 2, 2, 1});
  expectFloats(avgPool(x, window), {0.25f, 0.75f, 0.5f, 1, 2.5f, 1.5f, 0.75f, 1.75f, 1});
  expectFloats(avgPoolGradient(filled({1, 3, 3, 1}, 4), x.dims, window), {4, 4, 4, 4});
  expectFloats(avgPool(counting({1, 1, 3, 1}), ceiled(countingPad({1, 2, 1, 2}))), {1.5f, 3});
}

TEST_P(KnownAnswers, FieldReport_3_7_CountsAreNotRounded) {
  namespace op = ops::gap_fwd;
  expectFloats(ran({op::kOpcode, {{op::x, filled({1, 252, 260, 1}, 1)}}})[op::y], {1});
}

TEST_P(KnownAnswers, PoolGlobalAverageKeepsItemsAndChannelsApart) {
  namespace op = ops::gap_fwd;
  expectFloats(ran({op::kOpcode, {{op::x, counting({2, 1, 2, 2})}}})[op::y], {2, 3, 6, 7});
}
