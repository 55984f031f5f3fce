// SPDX-License-Identifier: Apache-2.0
//
// Max, average and global pooling, both directions, and max pooling fused behind
// a normalisation.
#include "reference/pool.h"
#include "reference/bn.h"
#include "reference/reference.h"

namespace trk::reference {
namespace {

// Pooling indices are bytes where the window is small enough, else int32.
struct IndexTensor {
  const Tensor &t;
  void set(int64_t element, int64_t index) const {
    if (t.dtype == DType::U8)
      t.u8()[element] = uint8_t(index);
    else
      t.i32()[element] = int32_t(index);
  }
  int64_t get(int64_t element) const {
    return t.dtype == DType::U8 ? t.u8()[element] : t.i32()[element];
  }
};

// With pad < kernel every window holds a cell of the input.
std::string checkPads(const PoolAttrs &a) {
  if (a.pad_h < a.kernel_h && a.pad_w < a.kernel_w)
    return std::string();
  return "expected a pad smaller than the kernel, but got pad " + std::to_string(a.pad_h) + "x" +
         std::to_string(a.pad_w) + " for kernel " + std::to_string(a.kernel_h) + "x" +
         std::to_string(a.kernel_w);
}
std::string preparePool(const Call &call, void **) { return checkPads(poolAttrs(call)); }
std::string prepareActPool(const Call &call, void **) { return checkPads(poolAttrs(call, 1)); }

void maxPoolFwd(const Call &call) {
  View<float> x = operandView(call, 0);
  IndexTensor index{call.operand(2)};
  maxPool(
      poolAttrs(call), x, operandView(call, 1), [&](int64_t e, int64_t) { return x.data[e]; },
      [&](int64_t e, int64_t i) {
        if (index.t)
          index.set(e, i);
      });
}

void bnApplyPool(const Call &call) {
  Activation act = activationAttr(call);
  BnInput<float> in = bnInput(call, 0);
  IndexTensor index{call.operand(6)};
  maxPool(
      poolAttrs(call, 1), in.x, operandView(call, 5),
      [&](int64_t e, int64_t c) { return float(activate(act, in.value(e, c))); },
      [&](int64_t e, int64_t i) { index.set(e, i); });
}

void bnInfPool(const Call &call) {
  Activation act = activationAttr(call);
  View<float> x = operandView(call, 0);
  const float *scale = call.operand(1).f32(), *bias = call.operand(2).f32();
  maxPool(
      poolAttrs(call, 1), x, operandView(call, 3),
      [&](int64_t e, int64_t c) {
        return float(activate(act, double(x.data[e]) * scale[c] + bias[c]));
      },
      [](int64_t, int64_t) {});
}

// Visits, for input cell (h, w), every window (oh, ow) that covers it.
template <typename F>
void forCoveringWindows(const PoolAttrs &a, const View<float> &dy, int64_t h, int64_t w, F body) {
  // Between the first cell that the last window reaches and the last of the first one.
  const int64_t bottom = h + a.pad_h, right = w + a.pad_w;
  const int64_t endH = std::min(a.kernel_h, bottom + 1), endW = std::min(a.kernel_w, right + 1);
  for (int64_t kh = std::max(int64_t(0), bottom - (dy.h - 1) * a.stride_h); kh < endH; ++kh)
    for (int64_t kw = std::max(int64_t(0), right - (dy.w - 1) * a.stride_w); kw < endW; ++kw) {
      int64_t sh = bottom - kh, sw = right - kw;
      if (sh % a.stride_h == 0 && sw % a.stride_w == 0)
        body(sh / a.stride_h, sw / a.stride_w, kh * a.kernel_w + kw);
    }
}

void maxPoolBwd(const Call &call) {
  PoolAttrs a = poolAttrs(call);
  View<float> dy = operandView(call, 0), dx = operandView(call, 2);
  IndexTensor index{call.operand(1)};
  forCoords(dx, [&](int64_t n, int64_t h, int64_t w, int64_t c, int64_t element) {
    double sum = 0;
    forCoveringWindows(a, dy, h, w, [&](int64_t oh, int64_t ow, int64_t place) {
      int64_t out = dy.index(n, oh, ow, c);
      if (index.get(out) == place)
        sum += dy.data[out];
    });
    dx.data[element] = float(sum);
  });
}

void avgPoolFwd(const Call &call) {
  avgPool(poolAttrs(call), operandView(call, 0), operandView(call, 1));
}

void avgPoolBwd(const Call &call) {
  PoolAttrs a = poolAttrs(call);
  View<float> dy = operandView(call, 0), dx = operandView(call, 1);
  forCoords(dx, [&](int64_t n, int64_t h, int64_t w, int64_t c, int64_t element) {
    double sum = 0;
    forCoveringWindows(a, dy, h, w, [&](int64_t oh, int64_t ow, int64_t) {
      int64_t cells = 0;
      forWindow(a, dx, n, oh, ow, c, [&](int64_t, int64_t, int64_t) { ++cells; });
      sum += double(dy.data[dy.index(n, oh, ow, c)]) / double(cells);
    });
    dx.data[element] = float(sum);
  });
}

void gapFwd(const Call &call) { globalAvgPool(operandView(call, 0), operandView(call, 1)); }

void gapBwd(const Call &call) {
  const float *dy = call.operand(0).f32();
  View<float> dx = operandView(call, 1);
  double count = double(dx.h * dx.w);
  forCoords(dx, [&](int64_t n, int64_t, int64_t, int64_t c, int64_t element) {
    dx.data[element] = float(double(dy[n * dx.c + c]) / count);
  });
}

} // namespace

void addPoolKernels(KernelTable &table) {
  slot(table, Opcode::maxpool_fwd) = {nullptr, preparePool, maxPoolFwd, nullptr};
  slot(table, Opcode::maxpool_bwd) = {nullptr, preparePool, maxPoolBwd, nullptr};
  slot(table, Opcode::avgpool_fwd) = {nullptr, preparePool, avgPoolFwd, nullptr};
  slot(table, Opcode::avgpool_bwd) = {nullptr, preparePool, avgPoolBwd, nullptr};
  slot(table, Opcode::bn_apply_pool) = {nullptr, prepareActPool, bnApplyPool, nullptr};
  slot(table, Opcode::bn_inf_pool) = {nullptr, prepareActPool, bnInfPool, nullptr};
  slot(table, Opcode::gap_fwd).run = gapFwd;
  slot(table, Opcode::gap_bwd).run = gapBwd;
}

} // namespace trk::reference
