// SPDX-License-Identifier: Apache-2.0
//
// Weight gradient of depthwise convolutions: channels in the lanes, neighbouring columns of the
// window in registers, so that each gradient of the output is loaded once for all of them.
#include "cpu/loops/simd.h"

namespace trk::cpu::TRK_ISA {
namespace {

// No std:: here (cpu/loops.h).
TRK_INLINE int64_t larger(int64_t a, int64_t b) { return a < b ? b : a; }
TRK_INLINE int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

// One row of the output, one row of the input under row kh of the window; both at a channel.
struct RowPair {
  const float *x, *dy;
  float *dw; // of row kh
};

template <int T, typename L>
TRK_INLINE void addColumns(const DepthwiseGradient &a, const RowPair &row, int64_t k, L l) {
  const float *x[T];
  F sums[T];
  for (int t = 0; t < T; ++t) {
    x[t] = row.x + ((k + t) * a.dilationW - a.padW) * a.x.pitch;
    sums[t] = l.load(row.dw + (k + t) * a.c);
  }
  const int64_t step = a.strideW * a.x.pitch;
  const auto addOne = [&](int t, int64_t ow) {
    sums[t] += l.load(x[t] + ow * step) * l.load(row.dy + ow * a.dy.pitch);
  };
  // Columns further right see the input from earlier outputs on: first and last fall.
  const int64_t begin = a.first[k], end = larger(begin, a.last[k + T - 1]);
  for (int64_t ow = begin; ow < end; ++ow) {
    const F dy = l.load(row.dy + ow * a.dy.pitch);
    for (int t = 0; t < T; ++t)
      sums[t] += l.load(x[t] + ow * step) * dy;
  }
  for (int t = 0; t < T; ++t) {
    const int64_t last = a.last[k + t];
    for (int64_t ow = a.first[k + t]; ow < smaller(begin, last); ++ow)
      addOne(t, ow);
    for (int64_t ow = larger(end, a.first[k + t]); ow < last; ++ow)
      addOne(t, ow);
    l.store(row.dw + (k + t) * a.c, sums[t]);
  }
}

template <typename L> TRK_INLINE void addRow(const DepthwiseGradient &a, const RowPair &row, L l) {
  int64_t k = 0;
  for (; k + 8 <= a.kernelW; k += 8)
    addColumns<8>(a, row, k, l);
  if (k + 4 <= a.kernelW) {
    addColumns<4>(a, row, k, l);
    k += 4;
  }
  for (; k < a.kernelW; ++k)
    addColumns<1>(a, row, k, l);
}

void depthwiseWeightGradient(const DepthwiseGradient &args) {
  const DepthwiseGradient a = args;
  forLanes(a.c, [&](int64_t i, auto l) {
    for (int64_t outRow = 0; outRow < a.images * a.oh; ++outRow) {
      const int64_t image = outRow / a.oh, oh = outRow % a.oh;
      for (int64_t kh = 0; kh < a.kernelH; ++kh) {
        const int64_t ih = oh * a.strideH + kh * a.dilationH - a.padH;
        if (ih >= 0 && ih < a.h)
          addRow(a,
                 {at(a.x, (image * a.h + ih) * a.w, i), at(a.dy, outRow * a.ow, i),
                  a.dw + kh * a.kernelW * a.c + i},
                 l);
      }
    }
  });
}

} // namespace

void fillDepthwiseLoops(Loops &loops) { loops.depthwiseWeightGradient = depthwiseWeightGradient; }

} // namespace trk::cpu::TRK_ISA
