// SPDX-License-Identifier: Apache-2.0
//
// Hand-made results of products, activations, dropout, channel padding and layout.
#include "known.h"
#include "trf/philox.h"

using namespace trk;
using namespace trk::test;

// One pixel a sample holds for its whole map, on either side.
TEST_P(KnownAnswers, ProductSpreadsAPixel) {
  namespace op = ops::mul_fwd;
  namespace back = ops::mul_bwd;
  const Host map = counting({2, 1, 2, 2}), pixel = Host::f32({2, 1, 1, 2}, {10, 100, -1, 0});
  const Floats product = {10, 200, 30, 400, -5, 0, -7, 0};
  const Host y = Host::f32(map.dims), dy = Host::f32(map.dims, {1, 1, 1, 2, 1, 1, 2, 1});
  expectFloats(ran({op::kOpcode, {{op::a, map}, {op::b, pixel}, {op::y, y}}})[op::y], product);
  expectFloats(ran({op::kOpcode, {{op::a, pixel}, {op::b, map}, {op::y, y}}})[op::y], product);
  const Invocation backward =
      ran({back::kOpcode,
           {{back::dy, dy}, {back::a, pixel}, {back::b, map}, {back::da, pixel}, {back::db, map}}});
  expectFloats(backward[back::da], {1 + 3, 2 + 2 * 4, 5 + 2 * 7, 6 + 8});
  expectFloats(backward[back::db], {10, 100, 10, 200, -1, 0, -2, 0});
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
  Host flat = copy(x, {1, 1, 1, 8});
  w.dims = {1, 1, 1, 8};
  expectFloats(fc(flat, w, Host()), {126});
}

TEST_P(KnownAnswers, CopyOfARunOfChannelsKeepsItsShape) {
  namespace op = ops::copy;
  RunOptions options;
  options.margins = {{0, 2}, {}};
  Invocation call(op::kOpcode, {{op::x, counting({1, 2, 3, 4})}});
  EXPECT_EQ(runKernel(GetParam(), call, options), "");
  expectFloats(call[op::y], counting({1, 2, 3, 4}).floats());
  call[op::y] = Host::f32({1, 1, 1, 24});
  EXPECT_EQ(
      runKernel(GetParam(), call, options),
      "expected equal shapes, because one is a run of channels, but got 1x2x3x4 and 1x1x1x24");
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
  namespace op = ops::range_check_finite;
  for (Act act : allActivations()) {
    Host y = activation(act, {kNan, 1, 2});
    EXPECT_TRUE(std::isnan(y.f()[0])) << trf::name(act);
    EXPECT_EQ(ran({op::kOpcode, {{op::grads, y}}})[op::nonfinite].i()[0], 1);
  }
  expectFloats(activation(Activation::ReLU, {kNan, 1, 2}), {kNan, 1, 2});
}

TEST_P(KnownAnswers, DropoutMaskComesFromTheCounter) {
  namespace op = ops::dropout_fwd;
  const Invocation call = ran({op::kOpcode,
                               {{op::x, filled({1, 1, 2, 3}, 3)},
                                {op::seed, Host::i32({1, 1, 1, 2}, {-1, 7})},
                                {op::step, Host::scalarInt(9)}},
                               op::Attrs{0.4, 2}});
  for (uint32_t e = 0; e < 6; ++e) {
    uint32_t word = trf::philox4x32({e / 4, 0, 2, 9}, {0xffffffffu, 7})[e % 4];
    bool keep = word / 4294967296.0 >= 0.4;
    EXPECT_EQ(call[op::mask].bytes[e], keep);
    EXPECT_FLOAT_EQ(call[op::y].f()[e], keep ? 5.0f : 0.0f);
  }
}

TEST_P(KnownAnswers, DropoutKeepsTheExpectedShare) {
  namespace op = ops::dropout_fwd;
  const Invocation call = ran({op::kOpcode,
                               {{op::x, filled({10, 10, 10, 100}, 1)},
                                {op::seed, Host::i32({1, 1, 1, 2}, {1, 2})},
                                {op::step, Host::scalarInt(3)}},
                               op::Attrs{0.25, 0}});
  double kept = 0;
  for (uint8_t m : call[op::mask].bytes)
    kept += m;
  EXPECT_NEAR(kept / 100000, 0.75, 0.005);
}

TEST_P(KnownAnswers, ChannelPadExtraChannelsAreZero) {
  namespace op = ops::channel_pad_fwd;
  namespace back = ops::channel_pad_bwd;
  Host x = counting({1, 1, 2, 3});
  Host y = ran({op::kOpcode, {{op::x, x}, {op::y, Host::f32({1, 1, 2, 4})}}})[op::y];
  expectFloats(y, {1, 2, 3, 0, 4, 5, 6, 0});
  Host dx = ran({back::kOpcode, {{back::dy, y}, {back::dx, Host::f32(x.dims)}}})[back::dx];
  expectFloats(dx, {1, 2, 3, 4, 5, 6});
}

TEST_P(KnownAnswers, JoinNeedsItsOutputAndWholeShortcuts) {
  namespace op = ops::join_bwd_reduce;
  Host one = Host::scalar(1);
  std::vector<Named> operands = {
      {op::dy, one}, {op::y, one}, {op::x, one}, {op::mean, one}, {op::inv_std, one}};
  auto errorFor = [&](Act act) {
    Invocation call(op::kOpcode, operands, op::Attrs{act});
    return runKernel(GetParam(), call);
  };
  EXPECT_EQ(errorFor(Activation::ReLU), "");
  EXPECT_EQ(errorFor(Activation::Tanh), "expected act none, relu or relu6, but got tanh");
  operands.push_back({op::y, Host()});
  EXPECT_EQ(errorFor(Activation::None), "");
  EXPECT_EQ(errorFor(Activation::ReLU), "expected y, because act is not none");
  operands.push_back({op::shortcut_x, one});
  EXPECT_EQ(errorFor(Activation::None), "expected all operands of the shortcut or none");
}

TEST_P(KnownAnswers, ActivationBackwardFromOutputNeedsReluOrRelu6) {
  namespace op = ops::act_bwd_out;
  Invocation call(op::kOpcode, {{op::dy, Host::scalar(1)}, {op::y, Host::scalar(1)}},
                  op::Attrs{Activation::Tanh});
  EXPECT_EQ(runKernel(GetParam(), call), "expected act relu or relu6, but got tanh");
}
