// SPDX-License-Identifier: Apache-2.0
//
// Gradients of convolution and fully connected layers.
#include "gradient.h"
#include "reference/conv.h"
#include "reference/fc.h"

using namespace trk;
using namespace trk::test;

namespace {

struct ConvShape {
  Dims x;
  int64_t outputs;
  Window window;
};

void checkConv(const ConvShape &s, uint64_t seed) {
  const Window &w = s.window;
  SCOPED_TRACE(describe(s.x) + " " + describe(w));
  const Dims y = windowDims(s.x, w, s.outputs);
  Data data(seed);
  Host x = data.values(s.x), bias = data.vec(s.outputs, -1, 1), dy = data.values(y);
  Host weight = data.values({s.outputs, w.kernelH, w.kernelW, s.x[3] / w.groups});
  namespace toX = ops::conv_bwd_data;
  const Invocation dataGradient = ran({toX::kOpcode,
                                       {{toX::dy, dy}, {toX::w, weight}, {toX::dx, Host::f32(s.x)}},
                                       convAttrs<toX::Attrs>(w)});
  namespace toW = ops::conv_bwd_weight;
  const Invocation weightGradient = ran({toW::kOpcode,
                                         {{toW::x, x},
                                          {toW::dy, dy},
                                          {toW::dw, Host::f32(weight.dims)},
                                          {toW::dbias, Host::vec(s.outputs)}},
                                         convAttrs<toW::Attrs>(w)});

  Wide wx(x), ww(weight), wb(bias), wy(y);
  auto loss = [&] {
    reference::convForward(w, wx.view(), ww.view(), wb.data(), wy.view());
    return weightedSum(dy, wy);
  };
  expectGradient("dx", wx, dataGradient[toX::dx], loss);
  expectGradient("dw", ww, weightGradient[toW::dw], loss);
  expectGradient("dbias", wb, weightGradient[toW::dbias], loss);
}

} // namespace

TEST(GradientTest, Conv) {
  const std::vector<ConvShape> shapes = {
      {{1, 1, 1, 1}, 1, {}},
      {{2, 3, 5, 3}, 4, {1, 1, 1, 1, 0, 0, 1, 1, 1}},
      {{2, 5, 4, 2}, 3, {3, 3, 1, 1, 1, 1, 1, 1, 1}},
      {{1, 6, 5, 2}, 3, {3, 2, 2, 1, 1, 0, 1, 1, 1}},
      {{1, 7, 9, 2}, 2, {3, 3, 2, 3, 2, 1, 2, 1, 1}},
      {{1, 5, 6, 1}, 2, {2, 2, 3, 3, 0, 0, 1, 1, 1}},
      {{2, 4, 3, 4}, 6, {3, 3, 1, 1, 1, 1, 1, 1, 2}},
      {{1, 5, 4, 3}, 3, {3, 3, 2, 1, 1, 1, 1, 1, 3}},
      {{1, 4, 5, 2}, 4, {3, 3, 1, 1, 1, 1, 1, 1, 2}},
      {{1, 2, 3, 2}, 3, {1, 1, 1, 1, 1, 2, 1, 1, 1}},
      {{1, 6, 5, 2}, 3, paddedMore({3, 2, 2, 1, 0, 1, 1, 1, 1}, 1, -1)},
  };
  uint64_t seed = 1;
  for (const ConvShape &s : shapes)
    checkConv(s, ++seed);
}

TEST(GradientTest, FullyConnected) {
  for (const Dims &dims : {Dims{1, 1, 1, 1}, Dims{3, 1, 1, 7}, Dims{2, 3, 2, 5}})
    for (int64_t outputs : {1, 4}) {
      SCOPED_TRACE(describe(dims));
      Data data(uint64_t(outputs) + 20);
      Host x = data.values(dims), bias = data.vec(outputs, -1, 1);
      Host weight = data.values({outputs, dims[1], dims[2], dims[3]});
      Host dy = data.values({dims[0], 1, 1, outputs});
      namespace toX = ops::fc_bwd_data;
      const Invocation dataGradient =
          ran({toX::kOpcode, {{toX::dy, dy}, {toX::w, weight}, {toX::dx, Host::f32(dims)}}});
      namespace toW = ops::fc_bwd_weight;
      const Invocation weightGradient = ran({toW::kOpcode,
                                             {{toW::x, x},
                                              {toW::dy, dy},
                                              {toW::dw, Host::f32(weight.dims)},
                                              {toW::dbias, Host::vec(outputs)}}});

      Wide wx(x), ww(weight), wb(bias), wy(dy.dims);
      auto loss = [&] {
        reference::fcForward(wx.view(), ww.view(), wb.data(), wy.view());
        return weightedSum(dy, wy);
      };
      expectGradient("dx", wx, dataGradient[toX::dx], loss);
      expectGradient("dw", ww, weightGradient[toW::dw], loss);
      expectGradient("dbias", wb, weightGradient[toW::dbias], loss);
    }
}
