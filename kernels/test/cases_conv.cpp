// SPDX-License-Identifier: Apache-2.0
//
// Conformance inputs of the four convolution ops.
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
  };
  return cases;
}

Dims outputDims(const ConvCase &c) {
  const Window &w = c.window;
  return {c.x[0], outputExtent(c.x[1], w.kernel_h, w.stride_h, w.pad_h, w.dilation_h),
          outputExtent(c.x[2], w.kernel_w, w.stride_w, w.pad_w, w.dilation_w), c.outputs};
}

void addOne(Cases &cases, const ConvCase &c, bool bias, Data &data) {
  const Window &w = c.window;
  Dims y = outputDims(c), weight = {c.outputs, w.kernel_h, w.kernel_w, c.x[3] / w.groups};
  int64_t o = c.outputs;
  std::string name = describe(c.x) + " " + describe(w) + (bias ? " bias" : "");
  std::vector<Attr> attrs = convAttrList(w), statAttrs = attrs;
  statAttrs.push_back(attr(1e-5));
  statAttrs.push_back(attr(bias ? 0.1 : 0.37));
  Host noBias, b = bias ? data.vec(o, -1, 1) : noBias, db = bias ? Host::vec(o) : noBias;
  Host x = data.values(c.x), weights = data.values(weight, -0.5, 0.75), dy = data.values(y);

  cases.push_back({Opcode::conv_fwd, "conv_fwd " + name, {x, weights, b, Host::f32(y)}, attrs, {}});
  // Activations in turn; each with a shortcut and without one.
  Activation act = static_cast<Activation>(cases.size() % 9);
  Host shortcut = bias == (cases.size() % 2 == 0) ? data.values(y) : noBias;
  std::vector<Attr> infAttrs = attrs;
  infAttrs.push_back(attr(act));
  cases.push_back({Opcode::conv_inf,
                   "conv_inf " + name + (shortcut.present() ? " shortcut" : ""),
                   {x, weights, b, data.vec(o, 0.5, 1.5), data.vec(o, -1, 1), shortcut,
                    Host::scalarInt(3), Host::f32(y)},
                   infAttrs,
                   {}});
  cases.push_back({Opcode::conv_stats_fwd,
                   "conv_stats_fwd " + name,
                   {x, weights, b, data.vec(o, -1, 1), data.vec(o, 0.5, 2), Host::f32(y),
                    Host::vec(o), Host::vec(o), Host::vec(o), Host::vec(o)},
                   statAttrs,
                   {}});
  cases.push_back(
      {Opcode::conv_bwd_data, "conv_bwd_data " + name, {dy, weights, Host::f32(c.x)}, attrs, {}});
  cases.push_back({Opcode::conv_bwd_weight,
                   "conv_bwd_weight " + name,
                   {x, dy, Host::f32(weight), db},
                   attrs,
                   {}});
}

} // namespace

void addConvCases(Cases &cases) {
  Data data(11);
  for (const ConvCase &c : convCases())
    for (bool bias : {false, true})
      addOne(cases, c, bias, data);
}

} // namespace trk::test
