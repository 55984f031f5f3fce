// SPDX-License-Identifier: Apache-2.0
//
// Hand-made results of pooling, activations, dropout, channel padding and layout.
#include "known.h"
#include "trk/philox.h"

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
  Host dx =
      runFor(Opcode::maxpool_bwd, {Host::f32({1, 1, 2, 1}, {10, 100}), r.index, Host::f32(x.dims)},
             poolAttrList({1, 2}), 2);
  expectFloats(dx, {0, 110, 0});
}

TEST_P(KnownAnswers, PoolPadThatHidesTheInputIsRefused) {
  std::vector<Host> operands = {filled({1, 2, 2, 1}, 1), Host::f32({1, 5, 3, 1}), Host()};
  EXPECT_EQ(runKernel(GetParam(), Opcode::maxpool_fwd, operands, poolAttrList({2, 2, 1, 1, 2, 1})),
            "expected a pad smaller than the kernel, but got pad 2x1 for kernel 2x2");
}

// The largest window that a plan may have: only the cells inside the input take time.
TEST_P(KnownAnswers, FieldReport_18_1_PoolWindowFarLargerThanTheInput) {
  const Window window = {32768, 32768, 32768, 32768, 32767, 32767};
  Host x = Host::f32({1, 2, 2, 1}, {4, 1, 3, 2});
  Pooled r = maxPool(x, window); // each window holds one cell
  expectFloats(r.y, {4, 1, 3, 2});
  expectFloats(avgPool(x, window), {4, 1, 3, 2});
  Host dx = runFor(Opcode::maxpool_bwd, {x, r.index, Host::f32(x.dims)}, poolAttrList(window), 2);
  expectFloats(dx, {4, 1, 3, 2});
  dx = runFor(Opcode::avgpool_bwd, {x, Host::f32(x.dims)}, poolAttrList(window), 1);
  expectFloats(dx, {4, 1, 3, 2});
}

// Only the cells inside the input are counted.
TEST_P(KnownAnswers, PoolAveragePoolExcludesPadding) {
  Host y = avgPool(counting({1, 2, 2, 1}), {2, 2, 1, 1, 1, 1});
  expectFloats(y, {1, 1.5f, 2, 2, 2.5f, 3, 3, 3.5f, 4});
}

// The windows of the report that lie inside; the overhanging ones need a ceil mode.
TEST_P(KnownAnswers, FieldReport_3_1_StrideLargerThanKernel) {
  Host y = avgPool(filled({1, 8, 8, 1}, 1), {3, 3, 3, 4, 0, 0});
  EXPECT_EQ(y.dims, (Dims{1, 2, 2, 1}));
  expectFloats(y, Floats(4, 1.0f));
}

TEST_P(KnownAnswers, FieldReport_3_7_CountsAreNotRounded) {
  Host x = filled({1, 252, 260, 1}, 1);
  expectFloats(runFor(Opcode::gap_fwd, {x, Host::f32({1, 1, 1, 1})}, {}, 1), {1});
}

TEST_P(KnownAnswers, PoolGlobalAverageKeepsItemsAndChannelsApart) {
  Host y = runFor(Opcode::gap_fwd, {counting({2, 1, 2, 2}), Host::f32({2, 1, 1, 2})}, {}, 1);
  expectFloats(y, {2, 3, 6, 7});
}

// x[h,w,c] = 4h+2w+c against weights given as w[c,h,w] = 4c+2h+w.
TEST_P(KnownAnswers, FieldReport_6_1_FlattenIsHwcOrder) {
  Host x = counting({1, 2, 2, 2}, 0), w = Host::f32({1, 2, 2, 2});
  for (int h = 0; h < 2; ++h)
    for (int i = 0; i < 2; ++i)
      for (int c = 0; c < 2; ++c)
        w.f()[4 * h + 2 * i + c] = float(4 * c + 2 * h + i);
  expectFloats(fc(x, w, Host()), {126});
  // Through an explicit flatten: the same features in the same order.
  Host flat = runFor(Opcode::copy, {x, Host::f32({1, 1, 1, 8})}, {}, 1);
  w.dims = {1, 1, 1, 8};
  expectFloats(fc(flat, w, Host()), {126});
}

TEST_P(KnownAnswers, ActivationValues) {
  expectFloats(activation(Activation::ReLU, {-2, 0, 3}), {0, 0, 3});
  expectFloats(activation(Activation::ReLU6, {-2, 3, 7}), {0, 3, 6});
  expectFloats(activation(Activation::Tanh, {-1, 0, 20}), {-0.7615942f, 0, 1}, 1e-7);
  expectFloats(activation(Activation::SiLU, {-1, 0, 2}), {-0.2689414f, 0, 1.7615942f}, 2e-7);
  expectFloats(activation(Activation::LeakyReLU, {-2, 0, 3}), {-0.02f, 0, 3}, 1e-9);
  expectFloats(activation(Activation::Hardswish, {-4, -1, 0, 1, 4}), {0, -1 / 3.0f, 0, 2 / 3.0f, 4},
               1e-7);
  expectFloats(activation(Activation::ELU, {-1, 0, 2}), {-0.6321206f, 0, 2}, 1e-7);
  expectFloats(activation(Activation::Sigmoid, {-2, 0, 200, -200}), {0.1192029f, 0.5f, 1, 0}, 1e-7);
}

// The relu row of the report; max, min and clamp belong to tensor programs.
TEST_P(KnownAnswers, FieldReport_9_1_NanPassesAndIsFound) {
  for (Activation act : allActivations()) {
    Host y = activation(act, {kNan, 1, 2});
    EXPECT_TRUE(std::isnan(y.f()[0])) << int(act);
    Host flag = runFor(Opcode::range_check_finite, {y, Host::scalarInt(0)}, {}, 1);
    EXPECT_EQ(flag.i()[0], 1);
  }
  expectFloats(activation(Activation::ReLU, {kNan, 1, 2}), {kNan, 1, 2});
}

// Test vectors published with the generator (Random123 kat_vectors).
TEST_P(KnownAnswers, PhiloxPublishedVectors) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST_P(KnownAnswers, DropoutMaskComesFromTheCounter) {
  Host x = filled({1, 1, 2, 3}, 3);
  std::vector<Host> operands = {x, Host::i32({1, 1, 1, 2}, {-1, 7}), Host::scalarInt(9),
                                Host::f32(x.dims), Host(DType::U8, x.dims)};
  run(Opcode::dropout_fwd, operands, {attr(0.4), attr(2)});
  for (uint32_t e = 0; e < 6; ++e) {
    uint32_t word = philox4x32({e / 4, 0, 2, 9}, {0xffffffffu, 7})[e % 4];
    bool keep = word / 4294967296.0 >= 0.4;
    EXPECT_EQ(operands[4].bytes[e], keep);
    EXPECT_FLOAT_EQ(operands[3].f()[e], keep ? 5.0f : 0.0f);
  }
}

TEST_P(KnownAnswers, DropoutKeepsTheExpectedShare) {
  Host x = filled({10, 10, 10, 100}, 1);
  std::vector<Host> operands = {x, Host::i32({1, 1, 1, 2}, {1, 2}), Host::scalarInt(3),
                                Host::f32(x.dims), Host(DType::U8, x.dims)};
  run(Opcode::dropout_fwd, operands, {attr(0.25), attr(0)});
  double kept = 0;
  for (uint8_t m : operands[4].bytes)
    kept += m;
  EXPECT_NEAR(kept / 100000, 0.75, 0.005);
}

TEST_P(KnownAnswers, ChannelPadExtraChannelsAreZero) {
  Host x = counting({1, 1, 2, 3});
  Host y = runFor(Opcode::channel_pad_fwd, {x, Host::f32({1, 1, 2, 4})}, {}, 1);
  expectFloats(y, {1, 2, 3, 0, 4, 5, 6, 0});
  expectFloats(runFor(Opcode::channel_pad_bwd, {y, Host::f32(x.dims)}, {}, 1), {1, 2, 3, 4, 5, 6});
}

TEST_P(KnownAnswers, JoinNeedsItsOutputAndWholeShortcuts) {
  Host one = Host::scalar(1), none;
  std::vector<Host> operands = {one,  none, one, one, one, one,  none,
                                none, none, one, one, one, none, none};
  auto run = [&](Activation act) {
    return runKernel(GetParam(), Opcode::join_bwd_reduce, operands, {attr(act)});
  };
  EXPECT_EQ(run(Activation::ReLU), "");
  EXPECT_NE(run(Activation::Tanh).find("expected act none, relu or relu6"), std::string::npos);
  operands[2] = none;
  EXPECT_EQ(run(Activation::None), "");
  EXPECT_NE(run(Activation::ReLU).find("expected y"), std::string::npos);
  operands[6] = one;
  EXPECT_NE(run(Activation::None).find("expected all operands of the shortcut or none"),
            std::string::npos);
}

TEST_P(KnownAnswers, ActivationBackwardFromOutputNeedsReluOrRelu6) {
  std::vector<Host> operands = {Host::scalar(1), Host::scalar(1), Host::scalar(0)};
  EXPECT_NE(runKernel(GetParam(), Opcode::act_bwd_out, operands, {attr(Activation::Tanh)}), "");
}
