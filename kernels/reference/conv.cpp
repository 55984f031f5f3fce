// SPDX-License-Identifier: Apache-2.0
//
// Convolution: forward, forward with batch statistics, and both gradients. The
// gradients gather, so each result element is one sum in double.
#include "reference/conv.h"
#include "reference/reference.h"
#include "trk/activation.h"

#include <algorithm>

namespace trk::reference {
namespace {

void forward(const Call &call, const Window &window, const View<float> &x, const View<float> &w,
             const float *bias, const View<float> &y) {
  call.parallel->each(int(y.n * y.h),
                      [&](int row) { convRow(window, x, w, bias, y, row / y.h, row % y.h); });
}

void convFwd(const Call &call) {
  namespace op = ops::conv_fwd;
  forward(call, convWindow(call.attrs<op::Attrs>()), view(call[op::x]), view(call[op::w]),
          call[op::bias].f32(), view(call[op::y]));
}

void convInf(const Call &call) {
  namespace op = ops::conv_inf;
  const op::Attrs attrs = call.attrs<op::Attrs>();
  Window window = convWindow(attrs);
  View<float> x = view(call[op::x]), w = view(call[op::w]), y = view(call[op::y]);
  const float *bias = call[op::bias].f32(), *scale = call[op::scale].f32();
  const float *shift = call[op::shift].f32();
  const View<float> shortcut = view(call[op::shortcut]);
  call.parallel->each(int(y.n * y.h), [&](int row) {
    int64_t n = row / y.h, oh = row % y.h;
    for (int64_t ow = 0; ow < y.w; ++ow)
      for (int64_t o = 0; o < y.c; ++o) {
        double sum = convAt(window, x, w, n, oh, ow, o, y.c) + (bias ? double(bias[o]) : 0.0);
        int64_t pixel = y.pixel(n, oh, ow);
        double value = sum * (scale ? double(scale[o]) : 1.0) + (shift ? double(shift[o]) : 0.0);
        double other = shortcut.data ? double(shortcut.at(pixel, o)) : 0.0;
        y.at(pixel, o) = float(activate(attrs.act, value + other));
      }
  });
}

int64_t convStatsScratch(const Call &call) {
  return bnStatsScratch(call[ops::conv_stats_fwd::y].c());
}

void convStatsFwd(const Call &call) {
  namespace op = ops::conv_stats_fwd;
  forward(call, convWindow(call.attrs<op::Attrs>()), view(call[op::x]), view(call[op::w]),
          call[op::bias].f32(), view(call[op::y]));
  runBnStats(call, call[op::y], statisticsOfConvStats(call));
}

// Output coordinate whose window cell k reads input coordinate i, or -1.
int64_t outputCoord(int64_t i, int64_t k, int64_t stride, int64_t dilation, int64_t pad,
                    int64_t extent) {
  int64_t scaled = i + pad - k * dilation;
  if (scaled < 0 || scaled % stride != 0 || scaled / stride >= extent)
    return -1;
  return scaled / stride;
}

// A row of input channels in double for each sample of dx or each output channel of dw.
template <int Result> int64_t rowsScratch(const Call &call) {
  const Tensor &result = call[Result];
  return result.n() * result.c() * static_cast<int64_t>(sizeof(double));
}

// Adds dy[o] * w[o, kh, kw, :] of one output pixel to the sums of one input pixel.
void gatherPixel(const Window &a, const float *dy, const View<float> &w, int64_t kh, int64_t kw,
                 double *sums) {
  int64_t perGroup = w.n / a.groups;
  for (int64_t o = 0; o < w.n; ++o) {
    double *group = sums + o / perGroup * w.c;
    const float *weight = w.channels(w.pixel(o, kh, kw));
    for (int64_t i = 0; i < w.c; ++i)
      group[i] += double(dy[o]) * double(weight[i]);
  }
}

void dataPixel(const Window &a, const View<float> &dy, const View<float> &w, const View<float> &dx,
               int64_t n, int64_t h, int64_t x, double *sums) {
  std::fill(sums, sums + dx.c, 0.0);
  for (int64_t kh = 0; kh < a.kernelH; ++kh) {
    int64_t oh = outputCoord(h, kh, a.strideH, a.dilationH, a.padH, dy.h);
    if (oh < 0)
      continue;
    for (int64_t kw = 0; kw < a.kernelW; ++kw) {
      int64_t ow = outputCoord(x, kw, a.strideW, a.dilationW, a.padW, dy.w);
      if (ow >= 0)
        gatherPixel(a, dy.channels(dy.pixel(n, oh, ow)), w, kh, kw, sums);
    }
  }
  std::copy(sums, sums + dx.c, dx.channels(dx.pixel(n, h, x)));
}

void convBwdData(const Call &call) {
  namespace op = ops::conv_bwd_data;
  Window a = convWindow(call.attrs<op::Attrs>());
  View<float> dy = view(call[op::dy]), w = view(call[op::w]), dx = view(call[op::dx]);
  call.parallel->each(int(dx.n), [&](int n) {
    double *sums = static_cast<double *>(call.scratch) + n * dx.c;
    for (int64_t h = 0; h < dx.h; ++h)
      for (int64_t x = 0; x < dx.w; ++x)
        dataPixel(a, dy, w, dx, n, h, x, sums);
  });
}

// Sums over the batch and the output map for one row dw[o, kh, kw, :].
void weightRow(const Window &a, const View<float> &x, const View<float> &dy, const View<float> &dw,
               int64_t o, int64_t kh, int64_t kw, double *sums) {
  int64_t first = o / (dy.c / a.groups) * dw.c;
  std::fill(sums, sums + dw.c, 0.0);
  for (int64_t n = 0; n < dy.n; ++n)
    for (int64_t oh = 0; oh < dy.h; ++oh) {
      int64_t ih = windowCoord(oh, kh, a.strideH, a.dilationH, a.padH);
      if (!inside(ih, x.h))
        continue;
      for (int64_t ow = 0; ow < dy.w; ++ow) {
        int64_t iw = windowCoord(ow, kw, a.strideW, a.dilationW, a.padW);
        if (!inside(iw, x.w))
          continue;
        double gradient = dy.at(dy.pixel(n, oh, ow), o);
        const float *in = x.channels(x.pixel(n, ih, iw)) + first;
        for (int64_t i = 0; i < dw.c; ++i)
          sums[i] += gradient * double(in[i]);
      }
    }
  std::copy(sums, sums + dw.c, dw.channels(dw.pixel(o, kh, kw)));
}

void convBwdWeight(const Call &call) {
  namespace op = ops::conv_bwd_weight;
  Window a = convWindow(call.attrs<op::Attrs>());
  View<float> x = view(call[op::x]), dy = view(call[op::dy]), dw = view(call[op::dw]);
  call.parallel->each(int(dw.n), [&](int o) {
    double *sums = static_cast<double *>(call.scratch) + o * dw.c;
    for (int64_t kh = 0; kh < a.kernelH; ++kh)
      for (int64_t kw = 0; kw < a.kernelW; ++kw)
        weightRow(a, x, dy, dw, o, kh, kw, sums);
  });

  const Tensor &dbias = call[op::dbias];
  for (int64_t o = 0; dbias && o < dy.c; ++o) {
    double sum = 0;
    for (int64_t p = 0; p < dy.pixels(); ++p)
      sum += dy.at(p, o);
    dbias.f32()[o] = static_cast<float>(sum);
  }
}

} // namespace

void addConvKernels(const Registrar &kernels) {
  kernels.add(Opcode::conv_fwd, convFwd);
  kernels.add(Opcode::conv_inf, convInf);
  kernels.add(Opcode::conv_stats_fwd, {convStatsScratch, nullptr, convStatsFwd});
  kernels.add(Opcode::conv_bwd_data, {rowsScratch<ops::conv_bwd_data::dx>, nullptr, convBwdData});
  kernels.add(Opcode::conv_bwd_weight,
              {rowsScratch<ops::conv_bwd_weight::dw>, nullptr, convBwdWeight});
}

} // namespace trk::reference
