// SPDX-License-Identifier: Apache-2.0
//
// Forward pooling as templates over the scalar type.
#ifndef TRK_REFERENCE_POOL_H
#define TRK_REFERENCE_POOL_H

#include "common/window.h"
#include "reference/view.h"

#include <algorithm>
#include <cmath>

namespace trk::reference {

// The smallest integer that is no less than a / b.
inline int64_t divideUp(int64_t a, int64_t b) { return a > 0 ? (a + b - 1) / b : a / b; }

// Calls body(kh, kw, input pixel) for the cells of a window that lie inside `x`.
template <typename T, typename F>
void forWindow(const Window &a, const View<T> &x, int64_t n, int64_t oh, int64_t ow, F body) {
  // A window may be far larger than the input: visit no cell outside it.
  const int64_t top = oh * a.strideH - a.padH, left = ow * a.strideW - a.padW;
  const int64_t endH = std::min(a.kernelH, divideUp(x.h - top, a.dilationH));
  const int64_t endW = std::min(a.kernelW, divideUp(x.w - left, a.dilationW));
  for (int64_t kh = std::max(int64_t(0), divideUp(-top, a.dilationH)); kh < endH; ++kh)
    for (int64_t kw = std::max(int64_t(0), divideUp(-left, a.dilationW)); kw < endW; ++kw)
      body(kh, kw, x.pixel(n, top + kh * a.dilationH, left + kw * a.dilationW));
}

// What the sum over a window is divided by.
template <typename T> double countCells(const Window &a, const View<T> &x, int64_t oh, int64_t ow) {
  auto along = [&](int64_t start, int64_t kernel, int64_t size, int64_t before, int64_t after) {
    const int64_t first = a.countPad ? -before : 0, end = a.countPad ? size + after : size;
    return double(std::min(start + kernel, end) - std::max(start, first));
  };
  return along(oh * a.strideH - a.padH, a.kernelH, x.h, a.padH, a.padH + a.moreH) *
         along(ow * a.strideW - a.padW, a.kernelW, x.w, a.padW, a.padW + a.moreW);
}

// Calls body(n, h, w, c, pixel) for every element of `v`.
template <typename T, typename F> void forCoords(const View<T> &v, F body) {
  int64_t pixel = 0;
  for (int64_t n = 0; n < v.n; ++n)
    for (int64_t h = 0; h < v.h; ++h)
      for (int64_t w = 0; w < v.w; ++w, ++pixel)
        for (int64_t c = 0; c < v.c; ++c)
          body(n, h, w, c, pixel);
}

// Maximum of value(pixel, channel) over each window; store(pixel, channel, index) gets
// the place of the winner. The first NaN wins and stays.
template <typename T, typename Value, typename Store>
void maxPool(const Window &a, const View<T> &x, const View<T> &y, Value value, Store store) {
  forCoords(y, [&](int64_t n, int64_t oh, int64_t ow, int64_t c, int64_t out) {
    T best = T(0);
    int64_t index = -1;
    forWindow(a, x, n, oh, ow, [&](int64_t kh, int64_t kw, int64_t pixel) {
      T v = value(pixel, c);
      if (index < 0 || v > best || (std::isnan(v) && !std::isnan(best))) {
        best = v;
        index = kh * a.kernelW + kw;
      }
    });
    y.at(out, c) = best;
    store(out, c, index);
  });
}

template <typename T> void avgPool(const Window &a, const View<T> &x, const View<T> &y) {
  forCoords(y, [&](int64_t n, int64_t oh, int64_t ow, int64_t c, int64_t out) {
    double sum = 0;
    forWindow(a, x, n, oh, ow, [&](int64_t, int64_t, int64_t pixel) { sum += x.at(pixel, c); });
    y.at(out, c) = T(sum / countCells(a, x, oh, ow));
  });
}

template <typename T> void globalAvgPool(const View<T> &x, const View<T> &y) {
  for (int64_t n = 0; n < x.n; ++n)
    for (int64_t c = 0; c < x.c; ++c) {
      double sum = 0;
      for (int64_t p = 0; p < x.h * x.w; ++p)
        sum += x.at(n * x.h * x.w + p, c);
      y.at(n, c) = T(sum / double(x.h * x.w));
    }
}

// Maximum over h and w; store(sample, channel, pixel) gets the place of the first one. The first
// NaN wins.
template <typename T, typename Store>
void globalMaxPool(const View<T> &x, const View<T> &y, Store store) {
  const int64_t pixels = x.h * x.w;
  for (int64_t n = 0; n < x.n; ++n)
    for (int64_t c = 0; c < x.c; ++c) {
      T best = x.at(n * pixels, c);
      int64_t index = 0;
      for (int64_t p = 1; p < pixels; ++p) {
        const T v = x.at(n * pixels + p, c);
        if (v > best || (std::isnan(v) && !std::isnan(best))) {
          best = v;
          index = p;
        }
      }
      y.at(n, c) = best;
      store(n, c, index);
    }
}

} // namespace trk::reference

#endif // TRK_REFERENCE_POOL_H
