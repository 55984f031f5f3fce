// SPDX-License-Identifier: Apache-2.0
//
// Results worked out by hand: parameters of activations, learned slopes and factors, layer and
// group norm, masks and cumulative statistics.
#include "known.h"
#include "trf/philox.h"

namespace trk::test {

TEST_P(KnownAnswers, ActivationsWithAParameter) {
  expectFloats(activation({Activation::LeakyReLU, 0.25f}, {-2, 0, 3}), {-0.5f, 0, 3});
  expectFloats(activation({Activation::LeakyReLU, 0}, {-2, 3}), {0, 3});
  expectFloats(activation({Activation::ELU, 2}, {-1, 0, 2}), {-1.2642411f, 0, 2}, 3e-7);
}

TEST_P(KnownAnswers, LaterActivationValues) {
  expectFloats(activation(Activation::GELU, {-3, -1, 0, 1, 3}),
               {-0.004049694f, -0.15865525f, 0, 0.84134475f, 2.9959503f}, 3e-7);
  expectFloats(activation(Activation::GELUTanh, {-3, -1, 0, 1, 3}),
               {-0.0036373921f, -0.15880801f, 0, 0.841192f, 2.9963627f}, 4e-7);
  expectFloats(activation(Activation::Hardsigmoid, {-4, -3, 0, 1.5f, 3, 4}),
               {0, 0, 0.5f, 0.75f, 1, 1}, 1e-7);
  expectFloats(activation(Activation::Mish, {-2, 0, 1}), {-0.25250148f, 0, 0.86509839f}, 3e-7);
  expectFloats(activation(Activation::Softplus, {-100, 0, 1, 25}), {0, 0.69314718f, 1.3132617f, 25},
               3e-7);
}

TEST_P(KnownAnswers, PreluHasASlopePerChannelOrOne) {
  namespace op = ops::prelu_fwd;
  const Host x = Host::f32({1, 1, 2, 2}, {-2, -2, 4, 4});
  expectFloats(ran({op::kOpcode, {{op::x, x}, {op::slope, Host::vec({0.5f, -1})}}})[op::y],
               {-1, 2, 4, 4});
  expectFloats(ran({op::kOpcode, {{op::x, x}, {op::slope, Host::scalar(0.25f)}}})[op::y],
               {-0.5f, -0.5f, 4, 4});
  namespace back = ops::prelu_bwd;
  const Invocation backward = ran({back::kOpcode,
                                   {{back::dy, filled({1, 1, 2, 2}, 3)},
                                    {back::x, x},
                                    {back::slope, Host::scalar(0.25f)},
                                    {back::dx, Host::f32(x.dims)}}});
  expectFloats(backward[back::dx], {0.75f, 0.75f, 3, 3});
  expectFloats(backward[back::dslope], {-12});
}

TEST_P(KnownAnswers, ScaleHasAFactorPerChannel) {
  namespace op = ops::scale_fwd;
  expectFloats(ran({op::kOpcode,
                    {{op::x, counting({1, 1, 2, 2})}, {op::factor, Host::vec({2, -1})}}})[op::y],
               {2, -2, 6, -4});
}

// Two pixels of 1, 3 and of 10, 30: means 2 and 20, deviations 1 and 10.
TEST_P(KnownAnswers, LayerNormIsOfEachPixel) {
  namespace op = ops::layer_norm_fwd;
  const Invocation call = ran({op::kOpcode,
                               {{op::x, Host::f32({1, 1, 2, 2}, {1, 3, 10, 30})},
                                {op::gamma, Host::vec({2, 3})},
                                {op::beta, Host::vec({0, 5})},
                                {op::mean, Host::f32({1, 1, 2, 1})},
                                {op::inv_std, Host::f32({1, 1, 2, 1})}},
                               op::Attrs{1e-30}});
  expectFloats(call[op::y], {-2, 8, -2, 8}, 1e-5);
  expectFloats(call[op::mean], {2, 20}, 1e-5);
  expectFloats(call[op::inv_std], {1, 0.1f}, 1e-6);
}

// Channels 0 and 1 are a group, 2 and 3 another.
TEST_P(KnownAnswers, GroupNormIsOfEachSampleAndGroup) {
  namespace op = ops::group_norm_fwd;
  const Invocation call = ran({op::kOpcode,
                               {{op::x, Host::f32({1, 1, 2, 4}, {1, 3, 0, 8, 1, 3, 8, 0})},
                                {op::mean, Host::f32({1, 1, 1, 2})},
                                {op::inv_std, Host::f32({1, 1, 1, 2})}},
                               op::Attrs{1e-30, 2}});
  expectFloats(call[op::y], {-1, 1, -1, 1, -1, 1, 1, -1}, 1e-6);
  expectFloats(call[op::mean], {2, 4}, 1e-6);
  expectFloats(call[op::inv_std], {1, 0.25f}, 1e-6);
}

// With a mean of 10,000 the spread is still there.
TEST_P(KnownAnswers, NormsOfALargeMeanKeepTheSpread) {
  const Host x = Host::f32({1, 1, 1, 4}, {9999, 10001, 9999, 10001});
  namespace layer = ops::layer_norm_fwd;
  expectFloats(ran({layer::kOpcode, {{layer::x, x}}, layer::Attrs{1e-30}})[layer::y],
               {-1, 1, -1, 1}, 1e-6);
  namespace group = ops::group_norm_fwd;
  expectFloats(ran({group::kOpcode, {{group::x, x}}, group::Attrs{1e-30, 2}})[group::y],
               {-1, 1, -1, 1}, 1e-6);
}

// The draws of dropout, one for each sample or channel.
TEST_P(KnownAnswers, DropMaskComesFromTheCounter) {
  namespace op = ops::drop_mask;
  for (int64_t perChannel : {0, 1}) {
    const Invocation call = ran({op::kOpcode,
                                 {{op::seed, Host::i32({1, 1, 1, 2}, {-1, 7})},
                                  {op::step, Host::scalarInt(9)},
                                  {op::mask, Host::f32({6, 1, 1, 3})}},
                                 op::Attrs{0.4, 2, perChannel}});
    for (uint32_t i = 0; i < 18; ++i) {
      const uint32_t e = perChannel ? i : i / 3;
      const uint32_t word = trf::philox4x32({e / 4, 0, 2, 9}, {0xffffffffu, 7})[e % 4];
      EXPECT_FLOAT_EQ(call[op::mask].f()[i], word / 4294967296.0 >= 0.4 ? 1 / 0.6f : 0.0f) << i;
    }
  }
}

TEST_P(KnownAnswers, DropMaskHasOnePixelASample) {
  namespace op = ops::drop_mask;
  Invocation call(op::kOpcode,
                  {{op::seed, Host::i32({1, 1, 1, 2}, {1, 2})},
                   {op::step, Host::scalarInt(0)},
                   {op::mask, Host::f32({2, 3, 1, 4})}},
                  op::Attrs{0.5, 0, 0});
  EXPECT_EQ(runKernel(GetParam(), call), "expected a mask of one pixel a sample, but got 2x3x1x4");
}

// The third batch: (2*mean of two + new) / 3.
TEST_P(KnownAnswers, CumulativeStatisticsAreMeansOfAllBatches) {
  namespace op = ops::bn_cumulate;
  const Invocation call = ran({op::kOpcode,
                               {{op::prev_count, Host::scalar(2)},
                                {op::prev_mean, Host::vec({3, 0})},
                                {op::prev_var, Host::vec({1, 4})},
                                {op::next_mean, Host::vec({6, 9})},
                                {op::next_var, Host::vec({4, 1})}}});
  expectFloats(call[op::next_count], {3});
  expectFloats(call[op::next_mean], {4, 3});
  expectFloats(call[op::next_var], {2, 3});
}

TEST_P(KnownAnswers, BatchNormWithoutFactorsIsStandardised) {
  const Host x = Host::f32({1, 1, 2, 2}, {1, 10, 3, 30});
  expectFloats(
      bnApply({x, Host::vec({2, 20}), Host::vec({1, 0.1f}), Host(), Host()}, Activation::None),
      {-1, -1, 1, 1}, 1e-6);
}

} // namespace trk::test
