// SPDX-License-Identifier: Apache-2.0
//
// Conformance inputs of the convolution ops.
#include "conformance.h"

namespace trk::test {
namespace {

struct ConvCase {
  Dims x;
  int64_t outputs;
  Window window;
};

// kernel, stride, pad, dilation (h then w each) and groups.
Window window(int64_t kh, int64_t kw, int64_t sh, int64_t sw, int64_t ph, int64_t pw,
              int64_t dh = 1, int64_t dw = 1, int64_t groups = 1) {
  return {kh, kw, sh, sw, ph, pw, dh, dw, groups};
}

const std::vector<ConvCase> &convCases() {
  static const std::vector<ConvCase> cases = {
      {{1, 1, 1, 1}, 1, window(1, 1, 1, 1, 0, 0)},
      {{3, 1, 1, 7}, 5, window(1, 1, 1, 1, 0, 0)},
      {{2, 5, 7, 16}, 32, window(1, 1, 1, 1, 0, 0)},
      {{3, 7, 5, 17}, 19, window(1, 1, 2, 2, 0, 0)},
      {{1, 4, 4, 1}, 1, window(2, 2, 1, 1, 0, 0)},
      {{2, 7, 5, 3}, 8, window(3, 3, 1, 1, 1, 1)},
      {{2, 14, 12, 32}, 16, window(3, 3, 1, 1, 1, 1)},
      {{3, 9, 11, 5}, 13, window(3, 3, 2, 2, 1, 1)},
      {{2, 8, 6, 16}, 32, window(3, 3, 2, 2, 1, 1)},
      {{1, 17, 13, 3}, 16, window(7, 7, 2, 2, 3, 3)},
      {{2, 12, 14, 1}, 20, window(5, 5, 1, 1, 0, 0)},
      {{1, 6, 9, 20}, 50, window(5, 5, 1, 1, 2, 2)},
      {{2, 6, 10, 4}, 6, window(1, 3, 1, 2, 0, 1)},
      {{2, 11, 8, 6}, 7, window(3, 5, 2, 1, 1, 2)},
      {{1, 10, 10, 1}, 1, window(3, 3, 1, 1, 0, 0, 1, 4)},
      {{2, 9, 13, 3}, 4, window(3, 2, 2, 3, 2, 1, 2, 3)},
      {{1, 7, 8, 16}, 16, window(3, 3, 1, 1, 2, 2, 2, 2)},
      {{2, 7, 9, 5}, 3, window(2, 2, 3, 3, 0, 0)}, // cells that no window reads
      {{2, 3, 4, 2}, 3, window(1, 1, 1, 1, 1, 2)}, // outputs that see padding only
      {{2, 3, 5, 6}, 9, window(3, 5, 1, 1, 0, 0)}, // one window
      {{2, 6, 5, 8}, 12, window(3, 3, 1, 1, 1, 1, 1, 1, 2)},
      {{1, 5, 7, 12}, 8, window(3, 1, 2, 1, 1, 0, 1, 1, 4)},
      {{2, 5, 6, 9}, 9, window(1, 1, 1, 1, 0, 0, 1, 1, 3)},
      {{2, 9, 7, 5}, 5, window(3, 3, 1, 1, 1, 1, 1, 1, 5)}, // depthwise
      {{2, 8, 9, 32}, 32, window(3, 3, 2, 2, 1, 1, 1, 1, 32)},
      {{1, 7, 5, 19}, 19, window(5, 3, 2, 1, 2, 1, 1, 2, 19)},
      {{2, 5, 4, 6}, 12, window(3, 3, 1, 1, 1, 1, 1, 1, 6)}, // depthwise, multiplier 2
      // Large depthwise windows: more columns than the input has, strides, dilation, pads.
      {{3, 9, 11, 21}, 21, window(7, 7, 1, 1, 3, 3, 1, 1, 21)},
      {{2, 12, 28, 40}, 40, window(5, 31, 1, 1, 2, 15, 1, 1, 40)},
      {{1, 13, 17, 16}, 16, window(9, 13, 2, 3, 4, 5, 1, 1, 16)},
      {{2, 14, 15, 3}, 3, window(7, 1, 1, 2, 6, 0, 2, 1, 3)},
      {{2, 3, 4, 5}, 5, window(9, 11, 1, 1, 8, 10, 1, 1, 5)},
      {{1, 1, 1, 1}, 1, window(1, 1, 1, 1, 0, 0, 1, 1, 1)},
      {{5, 14, 14, 24}, 24, window(3, 3, 1, 1, 1, 1)},
      // 1x1: more than one block of pixels, a stride that leaves pixels out.
      {{3, 17, 19, 40}, 37, window(1, 1, 1, 1, 0, 0)},
      {{2, 9, 16, 33}, 70, window(1, 1, 3, 2, 0, 0)},
      // 3x3 of stride 1: tiles that are cut, pads that differ, more than one block of tiles.
      {{1, 3, 3, 1}, 1, window(3, 3, 1, 1, 0, 0)},
      {{3, 5, 9, 17}, 33, window(3, 3, 1, 1, 1, 0)},
      {{1, 6, 3, 37}, 7, window(3, 3, 1, 1, 0, 2)},
      {{1, 1, 1, 19}, 31, window(3, 3, 1, 1, 1, 1)},
      {{3, 31, 29, 16}, 40, window(3, 3, 1, 1, 2, 1)},
      // Pads that differ at the two ends.
      {{2, 7, 9, 5}, 8, paddedMore(window(3, 3, 2, 2, 0, 0), 1, 1)},
      {{2, 8, 6, 16}, 16, paddedMore(window(4, 2, 1, 1, 1, 1), 1, -1)},
      {{1, 9, 8, 6}, 6, paddedMore(window(3, 3, 1, 1, 1, 0, 2, 2, 6), 2, 4)},
      {{2, 12, 13, 24}, 24, paddedMore(window(8, 8, 1, 1, 3, 3, 1, 1, 24), 1, 1)},
      {{2, 6, 7, 20}, 10, paddedMore(window(1, 1, 1, 1, 0, 0), 1, 2)},
  };
  return cases;
}

void addForward(Cases &cases, const std::string &name, const Host &x, const Host &w,
                const Host &bias, const Host &y, const Window &window) {
  namespace op = ops::conv_fwd;
  add(cases, name,
      {op::kOpcode,
       {{op::x, x}, {op::w, w}, {op::bias, bias}, {op::y, y}},
       convAttrs<op::Attrs>(window)});
}

// Activations in turn; each with a shortcut and without one.
void addInference(Cases &cases, const std::string &name, const Host &x, const Host &w,
                  const Host &bias, const Host &y, const Window &window, Data &data) {
  namespace op = ops::conv_inf;
  int64_t o = y.dims[3];
  op::Attrs attrs = convAttrs<op::Attrs>(window);
  attrs.act = allActivations()[cases.size() % allActivations().size()];
  Host shortcut = bias.present() == (cases.size() % 2 == 0) ? data.values(y.dims) : Host();
  add(cases, name + (shortcut.present() ? " shortcut" : ""),
      {op::kOpcode,
       {{op::x, x},
        {op::w, w},
        {op::bias, bias},
        {op::scale, cases.size() % 5 == 4 ? Host() : data.vec(o, 0.5, 1.5)},
        {op::shift, cases.size() % 5 == 4 ? Host() : data.vec(o, -1, 1)},
        {op::shortcut, shortcut},
        {op::folds, Host::scalarInt(3)},
        {op::y, y}},
       attrs});
}

void addStats(Cases &cases, const std::string &name, const Host &x, const Host &w, const Host &bias,
              const Host &y, const Window &window, Data &data) {
  namespace op = ops::conv_stats_fwd;
  int64_t o = y.dims[3];
  op::Attrs attrs = convAttrs<op::Attrs>(window);
  attrs.eps = 1e-5;
  attrs.momentum = bias.present() ? 0.1 : 0.37;
  add(cases, name,
      {op::kOpcode,
       {{op::x, x},
        {op::w, w},
        {op::bias, bias},
        {op::prev_mean, data.vec(o, -1, 1)},
        {op::prev_var, data.vec(o, 0.5, 2)},
        {op::y, y}},
       attrs});
}

void addBackward(Cases &cases, const std::string &name, const Host &x, const Host &w,
                 const Host &dbias, const Host &dy, const Window &window) {
  {
    namespace op = ops::conv_bwd_data;
    add(cases, name,
        {op::kOpcode,
         {{op::dy, dy}, {op::w, w}, {op::dx, Host::f32(x.dims)}},
         convAttrs<op::Attrs>(window)});
  }
  namespace op = ops::conv_bwd_weight;
  add(cases, name,
      {op::kOpcode,
       {{op::x, x}, {op::dy, dy}, {op::dw, Host::f32(w.dims)}, {op::dbias, dbias}},
       convAttrs<op::Attrs>(window)});
}

void addOne(Cases &cases, const ConvCase &c, bool biased, Data &data) {
  const Window &window = c.window;
  Host y = Host::f32(windowDims(c.x, window, c.outputs));
  std::string name = describe(c.x) + " " + describe(window) + (biased ? " bias" : "");
  Host bias = biased ? data.vec(c.outputs, -1, 1) : Host(), x = data.values(c.x);
  Host w =
      data.values({c.outputs, window.kernelH, window.kernelW, c.x[3] / window.groups}, -0.5, 0.75);
  Host dy = data.values(y.dims);
  addForward(cases, name, x, w, bias, y, window);
  addInference(cases, name, x, w, bias, y, window, data);
  addStats(cases, name, x, w, bias, y, window, data);
  addBackward(cases, name, x, w, biased ? Host::vec(c.outputs) : Host(), dy, window);
}

} // namespace

void addConvCases(Cases &cases) {
  Data data(11);
  for (const ConvCase &c : convCases())
    for (bool bias : {false, true})
      addOne(cases, c, bias, data);
}

} // namespace trk::test
