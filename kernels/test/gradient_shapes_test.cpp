// SPDX-License-Identifier: Apache-2.0
//
// Gradients of global maxima, means over a grid, larger maps, channels in other places and biases.
#include "gradient.h"
#include "reference/resample.h"

using namespace trk;
using namespace trk::test;

TEST(GradientTest, GlobalMaximum) {
  namespace op = ops::global_maxpool_fwd;
  namespace back = ops::global_maxpool_bwd;
  const Dims dims = {2, 3, 5, 4}, pixel = {2, 1, 1, 4};
  Data data(61);
  const Host x = data.values(dims), dy = data.values(pixel);
  const Invocation forward = ran({op::kOpcode, {{op::x, x}, {op::index, Host(DType::I32, pixel)}}});
  const Invocation backward =
      ran({back::kOpcode,
           {{back::dy, dy}, {back::index, forward[op::index]}, {back::dx, Host::f32(dims)}}});
  Wide wx(x), wy(pixel);
  expectGradient("global_maxpool", wx, backward[back::dx], [&] {
    reference::globalMaxPool(wx.view(), wy.view(), [](int64_t, int64_t, int64_t) {});
    return weightedSum(dy, wy);
  });
}

namespace {

template <typename Attrs>
void checkMap(Opcode backward, AxisMap::Kind kind, const Dims &x, const Dims &y,
              const Attrs &attrs) {
  SCOPED_TRACE(std::string(trf::name(backward)) + " " + describe(x) + " from " + describe(y));
  Data data(62);
  const Host in = data.values(x), dy = data.values(y);
  const Host dx = ran({backward, {{0, dy}, {1, Host::f32(x)}}, attrs})[1];
  Wide wx(in), wy(y);
  expectGradient("map", wx, dx, [&] {
    reference::resample({{kind, x[1], y[1]}, {kind, x[2], y[2]}}, wx.view(), wy.view());
    return weightedSum(dy, wy);
  });
}

} // namespace

TEST(GradientTest, MapsThatAreLinearAlongBothAxes) {
  namespace mean = ops::adaptive_avgpool_bwd;
  namespace nearest = ops::upsample_nearest_bwd;
  namespace linear = ops::upsample_bilinear_bwd;
  for (const auto &[h, w] : {std::pair<int64_t, int64_t>{2, 3}, {5, 1}, {3, 9}, {4, 4}})
    checkMap(mean::kOpcode, AxisMap::Mean, {2, 5, 4, 2}, {2, h, w, 2}, mean::Attrs{h, w});
  for (const auto &[h, w] : {std::pair<int64_t, int64_t>{1, 1}, {2, 2}, {3, 2}, {1, 5}}) {
    const Dims x = {2, 3, 4, 2}, y = {2, 3 * h, 4 * w, 2};
    checkMap(nearest::kOpcode, AxisMap::Nearest, x, y, nearest::Attrs{h, w});
    checkMap(linear::kOpcode, AxisMap::Linear, x, y, linear::Attrs{h, w});
  }
}

TEST(GradientTest, ChannelsInOtherPlaces) {
  namespace take = ops::channel_take;
  namespace place = ops::channel_place;
  namespace shuffle = ops::channel_shuffle;
  const Dims narrow = {2, 3, 2, 4}, wide = {2, 3, 2, 7};
  Data data(63);
  const Host in = data.values(narrow), dWide = data.values(wide);
  const Host dx =
      ran({take::kOpcode, {{take::x, dWide}, {take::y, Host::f32(narrow)}}, take::Attrs{2}})[1];
  Wide wx(in), wy(wide);
  expectGradient("channel_place", wx, dx, [&] {
    for (size_t p = 0; p < 12; ++p)
      for (size_t c = 0; c < 7; ++c)
        wy.values[p * 7 + c] = c >= 2 && c < 6 ? wx.values[p * 4 + c - 2] : 0.0;
    return weightedSum(dWide, wy);
  });
  const Host dNarrow = data.values(narrow), big = data.values(wide);
  const Host dBig =
      ran({place::kOpcode, {{place::x, dNarrow}, {place::y, Host::f32(wide)}}, place::Attrs{3}})[1];
  Wide wBig(big), wNarrow(narrow);
  expectGradient("channel_take", wBig, dBig, [&] {
    for (size_t p = 0; p < 12; ++p)
      for (size_t c = 0; c < 4; ++c)
        wNarrow.values[p * 4 + c] = wBig.values[p * 7 + c + 3];
    return weightedSum(dNarrow, wNarrow);
  });
  const Host dShuffled = ran({shuffle::kOpcode, {{shuffle::x, dNarrow}}, shuffle::Attrs{2}})[1];
  expectGradient("channel_shuffle", wx, dShuffled, [&] { // of two channels each
    for (size_t p = 0; p < 12; ++p)
      for (size_t c = 0; c < 4; ++c)
        wNarrow.values[p * 4 + c / 2 + c % 2 * 2] = wx.values[p * 4 + c];
    return weightedSum(dNarrow, wNarrow);
  });
}

TEST(GradientTest, Bias) {
  namespace op = ops::bias_sum;
  const Dims dims = {2, 3, 4, 3};
  Data data(64);
  const Host dy = data.values(dims), bias = data.vec(3, -1, 1);
  const Host dbias = ran({op::kOpcode, {{op::dy, dy}}})[op::dbias];
  Wide wb(bias), wy(dims);
  expectGradient("bias", wb, dbias, [&] {
    for (size_t i = 0; i < wy.values.size(); ++i)
      wy.values[i] = wb.values[i % 3];
    return weightedSum(dy, wy);
  });
}
