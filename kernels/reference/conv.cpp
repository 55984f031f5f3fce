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

void forward(const Call &call, int result) {
  ConvAttrs a = convAttrs(call);
  View<float> x = operandView(call, 0), w = operandView(call, 1), y = operandView(call, result);
  const float *bias = call.operand(2).f32();
  call.parallel->each(int(y.n * y.h),
                      [&](int row) { convRow(a, x, w, bias, y, row / y.h, row % y.h); });
}

void convFwd(const Call &call) { forward(call, 3); }

void convInf(const Call &call) {
  ConvAttrs a = convAttrs(call);
  View<float> x = operandView(call, 0), w = operandView(call, 1), y = operandView(call, 7);
  const float *bias = call.operand(2).f32(), *scale = call.operand(3).f32();
  const float *shift = call.operand(4).f32(), *shortcut = call.operand(5).f32();
  Activation act = static_cast<Activation>(call.attrs[kConvAttrCount].i);
  call.parallel->each(int(y.n * y.h), [&](int row) {
    int64_t n = row / y.h, oh = row % y.h;
    for (int64_t ow = 0; ow < y.w; ++ow)
      for (int64_t o = 0; o < y.c; ++o) {
        double sum = convAt(a, x, w, n, oh, ow, o, y.c) + (bias ? double(bias[o]) : 0.0);
        int64_t at = y.index(n, oh, ow, o);
        double value = sum * double(scale[o]) + double(shift[o]);
        y.data[at] = float(activate(act, value + (shortcut ? double(shortcut[at]) : 0.0)));
      }
  });
}

int64_t convStatsScratch(const Call &call) { return bnStatsScratch(call.operand(5).c()); }

void convStatsFwd(const Call &call) {
  forward(call, 5);
  runBnStats(call, call.operand(5), 3, 6, call.attrs[kConvAttrCount].f,
             call.attrs[kConvAttrCount + 1].f);
}

// Output coordinate whose window cell k reads input coordinate i, or -1.
int64_t outputCoord(int64_t i, int64_t k, int64_t stride, int64_t dilation, int64_t pad,
                    int64_t extent) {
  int64_t scaled = i + pad - k * dilation;
  if (scaled < 0 || scaled % stride != 0 || scaled / stride >= extent)
    return -1;
  return scaled / stride;
}

// A row of input channels in double for each sample or for each output channel.
int64_t rowsScratch(const Call &call) {
  const Tensor &result = call.operand(2);
  return result.n() * result.c() * static_cast<int64_t>(sizeof(double));
}

// Adds dy[o] * w[o, kh, kw, :] of one output pixel to the sums of one input pixel.
void gatherPixel(const ConvAttrs &a, const float *dy, const View<float> &w, int64_t kh, int64_t kw,
                 double *sums) {
  int64_t perGroup = w.n / a.groups;
  for (int64_t o = 0; o < w.n; ++o) {
    double *group = sums + o / perGroup * w.c;
    const float *weight = w.pixel(o, kh, kw);
    for (int64_t i = 0; i < w.c; ++i)
      group[i] += double(dy[o]) * double(weight[i]);
  }
}

void dataPixel(const ConvAttrs &a, const View<float> &dy, const View<float> &w,
               const View<float> &dx, int64_t n, int64_t h, int64_t x, double *sums) {
  std::fill(sums, sums + dx.c, 0.0);
  for (int64_t kh = 0; kh < a.kernel_h; ++kh) {
    int64_t oh = outputCoord(h, kh, a.stride_h, a.dilation_h, a.pad_h, dy.h);
    if (oh < 0)
      continue;
    for (int64_t kw = 0; kw < a.kernel_w; ++kw) {
      int64_t ow = outputCoord(x, kw, a.stride_w, a.dilation_w, a.pad_w, dy.w);
      if (ow >= 0)
        gatherPixel(a, dy.pixel(n, oh, ow), w, kh, kw, sums);
    }
  }
  std::copy(sums, sums + dx.c, dx.pixel(n, h, x));
}

void convBwdData(const Call &call) {
  ConvAttrs a = convAttrs(call);
  View<float> dy = operandView(call, 0), w = operandView(call, 1), dx = operandView(call, 2);
  call.parallel->each(int(dx.n), [&](int n) {
    double *sums = static_cast<double *>(call.scratch) + n * dx.c;
    for (int64_t h = 0; h < dx.h; ++h)
      for (int64_t x = 0; x < dx.w; ++x)
        dataPixel(a, dy, w, dx, n, h, x, sums);
  });
}

// Sums over the batch and the output map for one row dw[o, kh, kw, :].
void weightRow(const ConvAttrs &a, const View<float> &x, const View<float> &dy,
               const View<float> &dw, int64_t o, int64_t kh, int64_t kw, double *sums) {
  int64_t first = o / (dy.c / a.groups) * dw.c;
  std::fill(sums, sums + dw.c, 0.0);
  for (int64_t n = 0; n < dy.n; ++n)
    for (int64_t oh = 0; oh < dy.h; ++oh) {
      int64_t ih = windowCoord(oh, kh, a.stride_h, a.dilation_h, a.pad_h);
      if (!inside(ih, x.h))
        continue;
      for (int64_t ow = 0; ow < dy.w; ++ow) {
        int64_t iw = windowCoord(ow, kw, a.stride_w, a.dilation_w, a.pad_w);
        if (!inside(iw, x.w))
          continue;
        double gradient = dy.pixel(n, oh, ow)[o];
        const float *in = x.pixel(n, ih, iw) + first;
        for (int64_t i = 0; i < dw.c; ++i)
          sums[i] += gradient * double(in[i]);
      }
    }
  std::copy(sums, sums + dw.c, dw.pixel(o, kh, kw));
}

void convBwdWeight(const Call &call) {
  ConvAttrs a = convAttrs(call);
  View<float> x = operandView(call, 0), dy = operandView(call, 1), dw = operandView(call, 2);
  call.parallel->each(int(dw.n), [&](int o) {
    double *sums = static_cast<double *>(call.scratch) + o * dw.c;
    for (int64_t kh = 0; kh < a.kernel_h; ++kh)
      for (int64_t kw = 0; kw < a.kernel_w; ++kw)
        weightRow(a, x, dy, dw, o, kh, kw, sums);
  });

  const Tensor &dbias = call.operand(3);
  for (int64_t o = 0; dbias && o < dy.c; ++o) {
    double sum = 0;
    for (int64_t p = 0; p < dy.pixels(); ++p)
      sum += dy.data[p * dy.c + o];
    dbias.f32()[o] = static_cast<float>(sum);
  }
}

} // namespace

void addConvKernels(KernelTable &table) {
  slot(table, Opcode::conv_fwd).run = convFwd;
  slot(table, Opcode::conv_inf).run = convInf;
  slot(table, Opcode::conv_stats_fwd) = {convStatsScratch, nullptr, convStatsFwd, nullptr};
  slot(table, Opcode::conv_bwd_data) = {rowsScratch, nullptr, convBwdData, nullptr};
  slot(table, Opcode::conv_bwd_weight) = {rowsScratch, nullptr, convBwdWeight, nullptr};
}

} // namespace trk::reference
