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
  const int64_t endH = std::min(a.kernelH, bottom / a.dilationH + 1);
  const int64_t endW = std::min(a.kernelW, right / a.dilationW + 1);
  const int64_t firstH = divideUp(bottom - (dy.h - 1) * a.strideH, a.dilationH);
  const int64_t firstW = divideUp(right - (dy.w - 1) * a.strideW, a.dilationW);
  for (int64_t kh = std::max(int64_t(0), firstH); kh < endH; ++kh) {
    const int64_t sh = bottom - kh * a.dilationH;
    if (sh % a.strideH != 0)
      continue;
    for (int64_t kw = std::max(int64_t(0), firstW); kw < endW; ++kw)
      if (const int64_t sw = right - kw * a.dilationW; sw % a.strideW == 0)
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
      sum += double(dy.at(dy.pixel(n, oh, ow), c)) / countCells(a, dx, oh, ow);
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

void globalMaxFwd(const Call &call) {
  namespace op = ops::global_maxpool_fwd;
  const Tensor &index = call[op::index];
  globalMaxPool(view(call[op::x]), view(call[op::y]), [&](int64_t n, int64_t c, int64_t pixel) {
    if (index)
      index.i32()[n * index.c() + c] = int32_t(pixel);
  });
}

void globalMaxBwd(const Call &call) {
  namespace op = ops::global_maxpool_bwd;
  const float *dy = call[op::dy].f32();
  const int32_t *index = call[op::index].i32();
  View<float> dx = view(call[op::dx]);
  const int64_t pixels = dx.h * dx.w;
  forCoords(dx, [&](int64_t n, int64_t, int64_t, int64_t c, int64_t pixel) {
    const int64_t at = n * dx.c + c;
    dx.at(pixel, c) = index[at] == pixel - n * pixels ? dy[at] : 0.0f;
  });
}

} // namespace

void addPoolKernels(const Registrar &kernels) {
  kernels.add(Opcode::maxpool_fwd,
              pooling<ops::maxpool_fwd::Attrs, ops::maxpool_fwd::x>(maxPoolFwd));
  kernels.add(Opcode::maxpool_bwd,
              pooling<ops::maxpool_bwd::Attrs, ops::maxpool_bwd::dx>(maxPoolBwd));
  kernels.add(Opcode::avgpool_fwd,
              pooling<ops::avgpool_fwd::Attrs, ops::avgpool_fwd::x>(avgPoolFwd));
  kernels.add(Opcode::avgpool_bwd,
              pooling<ops::avgpool_bwd::Attrs, ops::avgpool_bwd::dx>(avgPoolBwd));
  kernels.add(Opcode::bn_apply_pool,
              pooling<ops::bn_apply_pool::Attrs, ops::bn_apply_pool::x>(bnApplyPool));
  kernels.add(Opcode::bn_inf_pool,
              pooling<ops::bn_inf_pool::Attrs, ops::bn_inf_pool::x>(bnInfPool));
  kernels.add(Opcode::global_maxpool_fwd, globalMaxFwd);
  kernels.add(Opcode::global_maxpool_bwd, globalMaxBwd);
  kernels.add(Opcode::gap_fwd, gapFwd);
  kernels.add(Opcode::gap_bwd, gapBwd);
}

} // namespace trk::reference
