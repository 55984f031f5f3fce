// SPDX-License-Identifier: Apache-2.0
//
// Gradients of activations, pooling, dropout, channel padding and the loss.
#include "gradient.h"
#include "reference/loss.h"
#include "reference/pool.h"

using namespace trk;
using namespace trk::test;

TEST(GradientTest, Activations) {
  Dims dims = {2, 3, 5, 4};
  for (Activation act : allActivations()) {
    SCOPED_TRACE(int(act));
    Data data(41);
    Host x = data.values(dims, -5, 8), dy = data.values(dims);
    Wide wx(x), y(dims);
    auto loss = [&] {
      for (size_t i = 0; i < y.values.size(); ++i)
        y.values[i] = activate(act, wx.values[i]);
      return weightedSum(dy, y);
    };
    Host dx = runFor(Opcode::act_bwd, {dy, x, Host::f32(dims)}, {attr(act)}, 2);
    expectGradient("act_bwd", wx, dx, loss);
    if (!hasGradientFromOutput(act))
      continue;
    Host out = runFor(Opcode::act_fwd, {x, Host::f32(dims)}, {attr(act)}, 1);
    dx = runFor(Opcode::act_bwd_out, {dy, out, Host::f32(dims)}, {attr(act)}, 2);
    expectGradient("act_bwd_out", wx, dx, loss);
  }
}

// act(a + b): the same gradient for both.
TEST(GradientTest, AddActivation) {
  Dims dims = {2, 5, 3, 3};
  Data data(42);
  Host a = data.values(dims), b = data.values(dims), dy = data.values(dims);
  std::vector<Attr> relu = {attr(Activation::ReLU)};
  Host out = runFor(Opcode::add_fwd, {a, b, Host::f32(dims)}, relu, 2);
  Host dsum = runFor(Opcode::act_bwd_out, {dy, out, Host::f32(dims)}, relu, 2);
  Wide wa(a), wb(b), y(dims);
  auto loss = [&] {
    for (size_t i = 0; i < y.values.size(); ++i)
      y.values[i] = activate(Activation::ReLU, wa.values[i] + wb.values[i]);
    return weightedSum(dy, y);
  };
  expectGradient("da", wa, dsum, loss);
  expectGradient("db", wb, dsum, loss);
}

TEST(GradientTest, Pooling) {
  struct Shape {
    Dims x;
    Window w;
  };
  const std::vector<Shape> shapes = {{{2, 4, 6, 2}, {2, 2, 2, 2, 0, 0, 1, 1, 1}},
                                     {{1, 5, 7, 3}, {3, 3, 2, 2, 1, 1, 1, 1, 1}},
                                     {{2, 5, 4, 1}, {2, 3, 1, 2, 1, 0, 1, 1, 1}},
                                     {{1, 8, 7, 2}, {2, 2, 3, 3, 0, 0, 1, 1, 1}},
                                     {{1, 3, 2, 2}, {3, 2, 1, 1, 2, 1, 1, 1, 1}}};
  for (const Shape &s : shapes) {
    const Window &w = s.w;
    SCOPED_TRACE(describe(s.x) + " " + describe(w));
    Dims y = {s.x[0], outputExtent(s.x[1], w.kernel_h, w.stride_h, w.pad_h),
              outputExtent(s.x[2], w.kernel_w, w.stride_w, w.pad_w), s.x[3]};
    std::vector<Attr> attrs = poolAttrList(w);
    Call call;
    call.attrs = attrs.data();
    Data data(43);
    Host x = data.values(s.x), dy = data.values(y);
    Wide wx(x), wy(y);

    Host index = runFor(Opcode::maxpool_fwd, {x, Host::f32(y), Host(DType::U8, y)}, attrs, 2);
    Host dx = runFor(Opcode::maxpool_bwd, {dy, index, Host::f32(s.x)}, attrs, 2);
    expectGradient("maxpool", wx, dx, [&] {
      auto value = [&](int64_t e, int64_t) { return wx.values[size_t(e)]; };
      reference::maxPool(poolAttrs(call), wx.view(), wy.view(), value, [](int64_t, int64_t) {});
      return weightedSum(dy, wy);
    });

    dx = runFor(Opcode::avgpool_bwd, {dy, Host::f32(s.x)}, attrs, 1);
    expectGradient("avgpool", wx, dx, [&] {
      reference::avgPool(poolAttrs(call), wx.view(), wy.view());
      return weightedSum(dy, wy);
    });
  }
}

TEST(GradientTest, GlobalAveragePool) {
  for (const Dims &dims : {Dims{1, 1, 1, 1}, Dims{3, 5, 2, 4}}) {
    Dims pooled = {dims[0], 1, 1, dims[3]};
    Data data(44);
    Host x = data.values(dims), dy = data.values(pooled);
    Host dx = runFor(Opcode::gap_bwd, {dy, Host::f32(dims)}, {}, 1);
    Wide wx(x), wy(pooled);
    expectGradient("gap", wx, dx, [&] {
      reference::globalAvgPool(wx.view(), wy.view());
      return weightedSum(dy, wy);
    });
  }
}

TEST(GradientTest, ChannelPad) {
  Dims narrow = {2, 3, 2, 3}, wide = {2, 3, 2, 5};
  Data data(45);
  Host x = data.values(narrow), dy = data.values(wide);
  Host dx = runFor(Opcode::channel_pad_bwd, {dy, Host::f32(narrow)}, {}, 1);
  Wide wx(x), wy(wide);
  expectGradient("channel_pad", wx, dx, [&] {
    for (size_t p = 0; p < 12; ++p)
      for (size_t c = 0; c < 5; ++c)
        wy.values[p * 5 + c] = c < 3 ? wx.values[p * 3 + c] : 0.0;
    return weightedSum(dy, wy);
  });
}

TEST(GradientTest, Dropout) {
  Dims dims = {2, 3, 5, 3};
  Data data(46);
  Host x = data.values(dims), dy = data.values(dims);
  std::vector<Host> forward = {x, Host::i32({1, 1, 1, 2}, {5, 6}), Host::scalarInt(7),
                               Host::f32(dims), Host(DType::U8, dims)};
  run(Opcode::dropout_fwd, forward, {attr(0.25), attr(3)});
  Host dx = runFor(Opcode::dropout_bwd, {dy, forward[4], Host::f32(dims)}, {attr(0.25)}, 2);
  Wide wx(x), y(dims);
  expectGradient("dropout", wx, dx, [&] {
    for (size_t i = 0; i < y.values.size(); ++i)
      y.values[i] = forward[4].bytes[i] ? wx.values[i] / 0.75 : 0.0;
    return weightedSum(dy, y);
  });
}

TEST(GradientTest, SoftmaxCrossEntropy) {
  for (float smoothing : {0.0f, 0.1f, 0.5f})
    for (int32_t valid : {5, 3, 1, 0}) {
      SCOPED_TRACE(valid);
      Dims dims = {5, 1, 1, 7};
      Data data(47);
      Host logits = data.values(dims, -3, 3), labels = data.ints({5, 1, 1, 1}, 0, 6), none;
      Host count = Host::scalarInt(valid), e = Host::scalar(smoothing);
      std::vector<Host> forward = {logits,          labels, count, e,   Host::f32(dims),
                                   Host::scalar(0), none,   none,  none};
      run(Opcode::softmax_ce_fwd, forward);
      Host dx =
          runFor(Opcode::softmax_ce_bwd, {forward[4], labels, count, e, Host::f32(dims)}, {}, 4);
      Wide wide(logits);
      auto loss = [&] {
        double sum = 0;
        for (int32_t n = 0; n < valid; ++n)
          sum += reference::crossEntropy(wide.data() + 7 * n, 7, labels.i()[n], double(smoothing));
        return valid ? sum / valid : 0.0;
      };
      EXPECT_NEAR(forward[5].f()[0], loss(), 1e-6);
      expectGradient("softmax_ce", wide, dx, loss);
    }
}
