// SPDX-License-Identifier: Apache-2.0
//
// Gradients of activations, products, pooling, dropout, channel padding and the loss.
#include "gradient.h"
#include "reference/loss.h"
#include "reference/multiply.h"
#include "reference/pool.h"

using namespace trk;
using namespace trk::test;

TEST(GradientTest, Activations) {
  namespace op = ops::act_bwd;
  namespace forward = ops::act_fwd;
  Dims dims = {2, 3, 5, 4};
  for (Act act : allActivations()) {
    SCOPED_TRACE(trf::name(act));
    Data data(41);
    Host x = data.values(dims, -5, 8), dy = data.values(dims);
    Wide wx(x), y(dims);
    auto loss = [&] {
      for (size_t i = 0; i < y.values.size(); ++i)
        y.values[i] = activate(act, wx.values[i]);
      return weightedSum(dy, y);
    };
    Host dx = ran({op::kOpcode, {{op::dy, dy}, {op::x, x}}, op::Attrs{act}})[op::dx];
    expectGradient("act_bwd", wx, dx, loss);
    if (!hasGradientFromOutput(act))
      continue;
    Host out = ran({forward::kOpcode, {{forward::x, x}}, forward::Attrs{act}})[forward::y];
    expectGradient("act_bwd_out", wx, gradientFromOutput(dy, out, act), loss);
  }
}

// act(a + b): the same gradient for both.
TEST(GradientTest, AddActivation) {
  namespace op = ops::add_fwd;
  Dims dims = {2, 5, 3, 3};
  Data data(42);
  Host a = data.values(dims), b = data.values(dims), dy = data.values(dims);
  const Invocation forward =
      ran({op::kOpcode, {{op::a, a}, {op::b, b}}, op::Attrs{Activation::ReLU}});
  Host dsum = gradientFromOutput(dy, forward[op::y], Activation::ReLU);
  Wide wa(a), wb(b), y(dims);
  auto loss = [&] {
    for (size_t i = 0; i < y.values.size(); ++i)
      y.values[i] = activate(Activation::ReLU, wa.values[i] + wb.values[i]);
    return weightedSum(dy, y);
  };
  expectGradient("da", wa, dsum, loss);
  expectGradient("db", wb, dsum, loss);
}

// Of two maps, and with one factor or both spread.
TEST(GradientTest, Multiplication) {
  namespace op = ops::mul_bwd;
  const Dims map = {2, 3, 2, 3}, pixel = {2, 1, 1, 3};
  for (const Dims &aDims : {map, pixel})
    for (const Dims &bDims : {map, pixel}) {
      SCOPED_TRACE(describe(aDims) + " * " + describe(bDims));
      Data data(48);
      Host a = data.values(aDims), b = data.values(bDims), dy = data.values(map);
      const Invocation backward = ran({op::kOpcode,
                                       {{op::dy, dy},
                                        {op::a, a},
                                        {op::b, b},
                                        {op::da, Host::f32(aDims)},
                                        {op::db, Host::f32(bDims)}}});
      Wide wa(a), wb(b), y(map);
      auto loss = [&] {
        reference::multiply(wa.view(), wb.view(), y.view());
        return weightedSum(dy, y);
      };
      expectGradient("da", wa, backward[op::da], loss);
      expectGradient("db", wb, backward[op::db], loss);
    }
}

namespace {

struct PoolShape {
  Dims x;
  Window window;
};

void checkMaxPool(const PoolShape &s, const Host &x, const Host &dy) {
  namespace op = ops::maxpool_fwd;
  namespace back = ops::maxpool_bwd;
  const Dims y = dy.dims;
  const Invocation forward =
      ran({op::kOpcode,
           {{op::x, x}, {op::y, Host::f32(y)}, {op::index, Host(DType::U8, y)}},
           poolAttrs<op::Attrs>(s.window)});
  const Invocation backward =
      ran({back::kOpcode,
           {{back::dy, dy}, {back::index, forward[op::index]}, {back::dx, Host::f32(s.x)}},
           poolAttrs<back::Attrs>(s.window)});
  Wide wx(x), wy(y);
  expectGradient("maxpool", wx, backward[back::dx], [&] {
    auto value = [&](int64_t p, int64_t c) { return wx.view().at(p, c); };
    reference::maxPool(s.window, wx.view(), wy.view(), value, [](int64_t, int64_t, int64_t) {});
    return weightedSum(dy, wy);
  });
}

void checkAvgPool(const PoolShape &s, const Host &x, const Host &dy) {
  namespace op = ops::avgpool_bwd;
  const Invocation backward =
      ran({op::kOpcode, {{op::dy, dy}, {op::dx, Host::f32(s.x)}}, poolAttrs<op::Attrs>(s.window)});
  Wide wx(x), wy(dy.dims);
  expectGradient("avgpool", wx, backward[op::dx], [&] {
    reference::avgPool(s.window, wx.view(), wy.view());
    return weightedSum(dy, wy);
  });
}

} // namespace

TEST(GradientTest, Pooling) {
  const std::vector<PoolShape> shapes = {{{2, 4, 6, 2}, {2, 2, 2, 2, 0, 0}},
                                         {{1, 5, 7, 3}, {3, 3, 2, 2, 1, 1}},
                                         {{2, 5, 4, 1}, {2, 3, 1, 2, 1, 0}},
                                         {{1, 8, 7, 2}, {2, 2, 3, 3, 0, 0}},
                                         {{1, 3, 2, 2}, {3, 2, 1, 1, 2, 1}},
                                         {{2, 5, 6, 2}, ceiled({2, 2, 2, 2, 0, 0})},
                                         {{1, 6, 7, 3}, ceiled({3, 3, 2, 2, 1, 1})},
                                         {{1, 7, 8, 1}, ceiled({2, 3, 3, 4, 0, 0})},
                                         {{1, 5, 6, 2}, paddedMore({3, 2, 2, 1, 1, 0}, -1, 1)}};
  for (const PoolShape &s : shapes) {
    SCOPED_TRACE(describe(s.x) + " " + describe(s.window));
    Data data(43);
    Host x = data.values(s.x), dy = data.values(windowDims(s.x, s.window, s.x[3]));
    checkMaxPool(s, x, dy);
    checkAvgPool(s, x, dy);
    checkAvgPool({s.x, countingPad(s.window)}, x, dy);
  }
  const PoolShape apart = {{2, 7, 6, 2}, dilated({2, 3, 2, 1, 1, 2}, 3, 2)};
  Data data(49);
  checkMaxPool(apart, data.values(apart.x), data.values(windowDims(apart.x, apart.window, 2)));
}

TEST(GradientTest, GlobalAveragePool) {
  namespace op = ops::gap_bwd;
  for (const Dims &dims : {Dims{1, 1, 1, 1}, Dims{3, 5, 2, 4}}) {
    Dims pooled = {dims[0], 1, 1, dims[3]};
    Data data(44);
    Host x = data.values(dims), dy = data.values(pooled);
    Host dx = ran({op::kOpcode, {{op::dy, dy}, {op::dx, Host::f32(dims)}}})[op::dx];
    Wide wx(x), wy(pooled);
    expectGradient("gap", wx, dx, [&] {
      reference::globalAvgPool(wx.view(), wy.view());
      return weightedSum(dy, wy);
    });
  }
}

TEST(GradientTest, ChannelPad) {
  namespace op = ops::channel_pad_bwd;
  Dims narrow = {2, 3, 2, 3}, wide = {2, 3, 2, 5};
  Data data(45);
  Host x = data.values(narrow), dy = data.values(wide);
  Host dx = ran({op::kOpcode, {{op::dy, dy}, {op::dx, Host::f32(narrow)}}})[op::dx];
  Wide wx(x), wy(wide);
  expectGradient("channel_pad", wx, dx, [&] {
    for (size_t p = 0; p < 12; ++p)
      for (size_t c = 0; c < 5; ++c)
        wy.values[p * 5 + c] = c < 3 ? wx.values[p * 3 + c] : 0.0;
    return weightedSum(dy, wy);
  });
}

TEST(GradientTest, Dropout) {
  namespace op = ops::dropout_fwd;
  namespace back = ops::dropout_bwd;
  Dims dims = {2, 3, 5, 3};
  Data data(46);
  Host x = data.values(dims), dy = data.values(dims);
  const Invocation forward = ran(
      {op::kOpcode,
       {{op::x, x}, {op::seed, Host::i32({1, 1, 1, 2}, {5, 6})}, {op::step, Host::scalarInt(7)}},
       op::Attrs{0.25, 3}});
  const Host &mask = forward[op::mask];
  Host dx = ran({back::kOpcode, {{back::dy, dy}, {back::mask, mask}}, back::Attrs{0.25}})[back::dx];
  Wide wx(x), y(dims);
  expectGradient("dropout", wx, dx, [&] {
    for (size_t i = 0; i < y.values.size(); ++i)
      y.values[i] = mask.bytes[i] ? wx.values[i] / 0.75 : 0.0;
    return weightedSum(dy, y);
  });
}

TEST(GradientTest, SoftmaxCrossEntropy) {
  namespace op = ops::softmax_ce_fwd;
  namespace back = ops::softmax_ce_bwd;
  for (float smoothing : {0.0f, 0.1f, 0.5f})
    for (int32_t valid : {5, 3, 1, 0}) {
      SCOPED_TRACE(valid);
      Dims dims = {5, 1, 1, 7};
      Data data(47);
      Host logits = data.values(dims, -3, 3), labels = data.ints({5, 1, 1, 1}, 0, 6);
      Host count = Host::scalarInt(valid), factor = Host::scalar(smoothing);
      const Invocation forward = ran({op::kOpcode,
                                      {{op::logits, logits},
                                       {op::labels, labels},
                                       {op::valid, count},
                                       {op::label_smoothing, factor}}});
      Host dx = ran({back::kOpcode,
                     {{back::probs, forward[op::probs]},
                      {back::labels, labels},
                      {back::valid, count},
                      {back::label_smoothing, factor}}})[back::dlogits];
      Wide wide(logits);
      auto loss = [&] {
        double sum = 0;
        for (int32_t n = 0; n < valid; ++n)
          sum += reference::crossEntropy(wide.data() + 7 * n, 7, labels.i()[n], double(smoothing));
        return valid ? sum / valid : 0.0;
      };
      EXPECT_NEAR(forward[op::loss].f()[0], loss(), 1e-6);
      expectGradient("softmax_ce", wide, dx, loss);
    }
}
