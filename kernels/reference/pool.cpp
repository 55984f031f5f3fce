// SPDX-License-Identifier: Apache-2.0
//
// Max, average and global pooling, both directions, and max pooling of a normalised input.
#include "reference/pool.h"
#include "common/requirements.h"
#include "reference/bn.h"
#include "reference/reference.h"

namespace trk::reference {
namespace {

// Pooling indices are bytes where the window is small enough, else int32.
struct IndexTensor {
  const Tensor &t;
  void set(int64_t pixel, int64_t channel, int64_t index) const {
    const int64_t element = pixel * t.c() + channel;
    if (t.dtype == DType::U8)
      t.u8()[element] = uint8_t(index);
    else
      t.i32()[element] = int32_t(index);
  }
  int64_t get(int64_t pixel, int64_t channel) const {
    const int64_t element = pixel * t.c() + channel;
    return t.dtype == DType::U8 ? t.u8()[element] : t.i32()[element];
  }
};

void maxPoolFwd(const Call &call) {
  namespace op = ops::maxpool_fwd;
  View<float> x = view(call[op::x]);
  IndexTensor index{call[op::index]};
  maxPool(
      poolWindow(call.attrs<op::Attrs>()), x, view(call[op::y]),
      [&](int64_t p, int64_t c) { return x.at(p, c); },
      [&](int64_t p, int64_t c, int64_t i) {
        if (index.t)
          index.set(p, c, i);
      });
}

void bnApplyPool(const Call &call) {
  namespace op = ops::bn_apply_pool;
  const op::Attrs attrs = call.attrs<op::Attrs>();
  BnInput<float> in =
      bnInput({call[op::x], call[op::mean], call[op::inv_std], call[op::gamma], call[op::beta]});
  IndexTensor index{call[op::index]};
  maxPool(
      poolWindow(attrs), in.x, view(call[op::y]),
      [&](int64_t p, int64_t c) { return float(activate(attrs.act, in.value(p, c))); },
      [&](int64_t p, int64_t c, int64_t i) { index.set(p, c, i); });
}

void bnInfPool(const Call &call) {
  namespace op = ops::bn_inf_pool;
  const op::Attrs attrs = call.attrs<op::Attrs>();
  View<float> x = view(call[op::x]);
  const float *scale = call[op::scale].f32(), *bias = call[op::bias].f32();
  maxPool(
      poolWindow(attrs), x, view(call[op::y]),
      [&](int64_t p, int64_t c) {
        return float(activate(attrs.act, double(x.at(p, c)) * scale[c] + bias[c]));
      },
      [](int64_t, int64_t, int64_t) {});
}

// Visits, for input cell (h, w), every window (oh, ow) that covers it.
template <typename F>
void forCoveringWindows(const Window &a, const View<float> &dy, int64_t h, int64_t w, F body) {
  // Between the first cell that the last window reaches and the last of the first one.
  const int64_t bottom = h + a.padH, right = w + a.padW;
  const int64_t endH = std::min(a.kernelH, bottom + 1), endW = std::min(a.kernelW, right + 1);
  for (int64_t kh = std::max(int64_t(0), bottom - (dy.h - 1) * a.strideH); kh < endH; ++kh) {
    const int64_t sh = bottom - kh;
    if (sh % a.strideH != 0)
      continue;
    for (int64_t kw = std::max(int64_t(0), right - (dy.w - 1) * a.strideW); kw < endW; ++kw)
      if (const int64_t sw = right - kw; sw % a.strideW == 0)
        body(sh / a.strideH, sw / a.strideW, kh * a.kernelW + kw);
  }
}

void maxPoolBwd(const Call &call) {
  namespace op = ops::maxpool_bwd;
  Window a = poolWindow(call.attrs<op::Attrs>());
  View<float> dy = view(call[op::dy]), dx = view(call[op::dx]);
  IndexTensor index{call[op::index]};
  forCoords(dx, [&](int64_t n, int64_t h, int64_t w, int64_t c, int64_t pixel) {
    double sum = 0;
    forCoveringWindows(a, dy, h, w, [&](int64_t oh, int64_t ow, int64_t place) {
      int64_t out = dy.pixel(n, oh, ow);
      if (index.get(out, c) == place)
        sum += dy.at(out, c);
    });
    dx.at(pixel, c) = float(sum);
  });
}

void avgPoolFwd(const Call &call) {
  namespace op = ops::avgpool_fwd;
  avgPool(poolWindow(call.attrs<op::Attrs>()), view(call[op::x]), view(call[op::y]));
}

void avgPoolBwd(const Call &call) {
  namespace op = ops::avgpool_bwd;
  Window a = poolWindow(call.attrs<op::Attrs>());
  View<float> dy = view(call[op::dy]), dx = view(call[op::dx]);
  forCoords(dx, [&](int64_t n, int64_t h, int64_t w, int64_t c, int64_t pixel) {
    double sum = 0;
    forCoveringWindows(a, dy, h, w, [&](int64_t oh, int64_t ow, int64_t) {
      int64_t cells = 0;
      forWindow(a, dx, n, oh, ow, [&](int64_t, int64_t, int64_t) { ++cells; });
      sum += double(dy.at(dy.pixel(n, oh, ow), c)) / double(cells);
    });
    dx.at(pixel, c) = float(sum);
  });
}

void gapFwd(const Call &call) {
  namespace op = ops::gap_fwd;
  globalAvgPool(view(call[op::x]), view(call[op::y]));
}

void gapBwd(const Call &call) {
  namespace op = ops::gap_bwd;
  const float *dy = call[op::dy].f32();
  View<float> dx = view(call[op::dx]);
  double count = double(dx.h * dx.w);
  forCoords(dx, [&](int64_t n, int64_t, int64_t, int64_t c, int64_t pixel) {
    dx.at(pixel, c) = float(double(dy[n * dx.c + c]) / count);
  });
}

// An op of pooling, whose windows all hold a cell of the input.
template <typename Attrs> Kernel pooling(void (*run)(const Call &)) {
  return {nullptr, requirePads<Attrs>, run};
}

} // namespace

void addPoolKernels(const Registrar &kernels) {
  kernels.add(Opcode::maxpool_fwd, pooling<ops::maxpool_fwd::Attrs>(maxPoolFwd));
  kernels.add(Opcode::maxpool_bwd, pooling<ops::maxpool_bwd::Attrs>(maxPoolBwd));
  kernels.add(Opcode::avgpool_fwd, pooling<ops::avgpool_fwd::Attrs>(avgPoolFwd));
  kernels.add(Opcode::avgpool_bwd, pooling<ops::avgpool_bwd::Attrs>(avgPoolBwd));
  kernels.add(Opcode::bn_apply_pool, pooling<ops::bn_apply_pool::Attrs>(bnApplyPool));
  kernels.add(Opcode::bn_inf_pool, pooling<ops::bn_inf_pool::Attrs>(bnInfPool));
  kernels.add(Opcode::gap_fwd, gapFwd);
  kernels.add(Opcode::gap_bwd, gapBwd);
}

} // namespace trk::reference
