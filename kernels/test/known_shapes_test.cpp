// SPDX-License-Identifier: Apache-2.0
//
// Hand-made results of global maxima, means over a grid, larger maps and channels in other places.
#include "known.h"

using namespace trk;
using namespace trk::test;

TEST_P(KnownAnswers, ShapesFirstGlobalMaximumAndFirstNanWin) {
  namespace op = ops::global_maxpool_fwd;
  namespace bwd = ops::global_maxpool_bwd;
  const Host x = Host::f32({1, 2, 2, 3}, {-5, 1, 9, -4, 7, kNan, -4, 7, kNan, -6, 2, kInfinity});
  const Host index(DType::I32, {1, 1, 1, 3});
  const Invocation forward = ran({op::kOpcode, {{op::x, x}, {op::index, index}}});
  expectFloats(forward[op::y], {-4, 7, kNan});
  EXPECT_EQ(std::vector<int32_t>(forward[op::index].i(), forward[op::index].i() + 3),
            (std::vector<int32_t>{1, 1, 1}));
  const Host dy = Host::f32({1, 1, 1, 3}, {1, 2, 3});
  expectFloats(ran({bwd::kOpcode,
                    {{bwd::dy, dy},
                     {bwd::index, forward[op::index]},
                     {bwd::dx, Host::f32(x.dims)}}})[bwd::dx],
               {0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0});
}

// Rows 0 to 1 and 1 to 2 of three: the middle one is in both.
TEST_P(KnownAnswers, ShapesMeansOverAGrid) {
  namespace op = ops::adaptive_avgpool_fwd;
  namespace bwd = ops::adaptive_avgpool_bwd;
  const Host x = counting({1, 3, 2, 1});
  expectFloats(
      ran({op::kOpcode, {{op::x, x}, {op::y, Host::f32({1, 2, 1, 1})}}, op::Attrs{2, 1}})[op::y],
      {2.5f, 4.5f}, 1e-6);
  const Host dy = Host::f32({1, 2, 1, 1}, {4, 8});
  expectFloats(
      ran({bwd::kOpcode, {{bwd::dy, dy}, {bwd::dx, Host::f32(x.dims)}}, bwd::Attrs{2, 1}})[bwd::dx],
      {1, 1, 3, 3, 2, 2}, 1e-6);
}

TEST_P(KnownAnswers, ShapesNearestRepeatsPixels) {
  namespace op = ops::upsample_nearest_fwd;
  namespace bwd = ops::upsample_nearest_bwd;
  const Host x = counting({1, 1, 2, 2}), y = Host::f32({1, 2, 6, 2});
  const Floats row = {1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4};
  Floats both = row;
  both.insert(both.end(), row.begin(), row.end());
  expectFloats(ran({op::kOpcode, {{op::x, x}, {op::y, y}}, op::Attrs{2, 3}})[op::y], both);
  expectFloats(ran({bwd::kOpcode,
                    {{bwd::dy, filled(y.dims, 1)}, {bwd::dx, Host::f32(x.dims)}},
                    bwd::Attrs{2, 3}})[bwd::dx],
               {6, 6, 6, 6});
}

// torch.nn.functional.interpolate([0, 4], scale_factor = 2, mode = "bilinear").
TEST_P(KnownAnswers, ShapesBilinearBetweenCentres) {
  namespace op = ops::upsample_bilinear_fwd;
  namespace bwd = ops::upsample_bilinear_bwd;
  const Host x = Host::f32({1, 1, 2, 1}, {0, 4}), y = Host::f32({1, 1, 4, 1});
  expectFloats(ran({op::kOpcode, {{op::x, x}, {op::y, y}}, op::Attrs{1, 2}})[op::y], {0, 1, 3, 4});
  expectFloats(ran({bwd::kOpcode,
                    {{bwd::dy, Host::f32(y.dims, {1, 10, 100, 1000})}, {bwd::dx, x}},
                    bwd::Attrs{1, 2}})[bwd::dx],
               {1 + 7.5f + 25, 2.5f + 75 + 1000});
  // Three pixels for each: the middle one is the pixel itself.
  const Host wide = Host::f32({1, 1, 6, 1});
  expectFloats(ran({op::kOpcode, {{op::x, x}, {op::y, wide}}, op::Attrs{1, 3}})[op::y],
               {0, 0, 4 / 3.0f, 8 / 3.0f, 4, 4}, 1e-6);
}

// What lies beyond the last centre is not touched: no NaN comes of a weight of zero.
TEST_P(KnownAnswers, ShapesBilinearReadsNoPixelOfWeightZero) {
  namespace op = ops::upsample_bilinear_fwd;
  const Host x = Host::f32({1, 1, 3, 1}, {1, 2, kNan}), y = Host::f32({1, 1, 9, 1});
  expectFloats(ran({op::kOpcode, {{op::x, x}, {op::y, y}}, op::Attrs{1, 3}})[op::y],
               {1, 1, 4 / 3.0f, 5 / 3.0f, 2, kNan, kNan, kNan, kNan}, 1e-6);
}

TEST_P(KnownAnswers, ShapesChannelsInOtherPlaces) {
  namespace place = ops::channel_place;
  namespace take = ops::channel_take;
  namespace shuffle = ops::channel_shuffle;
  const Host x = counting({1, 1, 2, 2}), wide = Host::f32({1, 1, 2, 5});
  const Host placed =
      ran({place::kOpcode, {{place::x, x}, {place::y, wide}}, place::Attrs{1}})[place::y];
  expectFloats(placed, {0, 1, 2, 0, 0, 0, 3, 4, 0, 0});
  expectFloats(ran({take::kOpcode,
                    {{take::x, placed}, {take::y, Host::f32({1, 1, 2, 3})}},
                    take::Attrs{2}})[take::y],
               {2, 0, 0, 4, 0, 0});
  const Host six = counting({1, 1, 1, 6});
  expectFloats(ran({shuffle::kOpcode, {{shuffle::x, six}}, shuffle::Attrs{2}})[shuffle::y],
               {1, 4, 2, 5, 3, 6});
  expectFloats(ran({shuffle::kOpcode, {{shuffle::x, six}}, shuffle::Attrs{3}})[shuffle::y],
               {1, 3, 5, 2, 4, 6});
  Invocation call(shuffle::kOpcode, {{shuffle::x, six}}, shuffle::Attrs{4});
  EXPECT_EQ(runKernel(GetParam(), call), "expected groups that divide the 6 channels, but got 4");
}

TEST_P(KnownAnswers, ShapesBiases) {
  namespace op = ops::bias_add;
  namespace sum = ops::bias_sum;
  const Host x = counting({1, 1, 2, 2});
  expectFloats(ran({op::kOpcode, {{op::x, x}, {op::bias, Host::vec({10, 20})}}})[op::y],
               {11, 22, 13, 24});
  expectFloats(ran({sum::kOpcode, {{sum::dy, x}}})[sum::dbias], {4, 6});
}
