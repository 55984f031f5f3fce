// SPDX-License-Identifier: Apache-2.0
//
// Forward pooling as templates over the scalar type.
#ifndef TRK_REFERENCE_POOL_H
#define TRK_REFERENCE_POOL_H

#include "reference/view.h"

#include <cmath>

namespace trk::reference {

// Calls body(kh, kw, input element) for the cells of a window that lie inside `x`.
template <typename T, typename F>
void forWindow(const PoolAttrs &a, const View<T> &x, int64_t n, int64_t oh, int64_t ow, int64_t c,
               F body) {
  for (int64_t kh = 0; kh < a.kernel_h; ++kh) {
    int64_t ih = windowCoord(oh, kh, a.stride_h, 1, a.pad_h);
    if (!inside(ih, x.h))
      continue;
    for (int64_t kw = 0; kw < a.kernel_w; ++kw) {
      int64_t iw = windowCoord(ow, kw, a.stride_w, 1, a.pad_w);
      if (inside(iw, x.w))
        body(kh, kw, x.index(n, ih, iw, c));
    }
  }
}

// Calls body(n, h, w, c, element) for every element of `v`.
template <typename T, typename F> void forCoords(const View<T> &v, F body) {
  int64_t element = 0;
  for (int64_t n = 0; n < v.n; ++n)
    for (int64_t h = 0; h < v.h; ++h)
      for (int64_t w = 0; w < v.w; ++w)
        for (int64_t c = 0; c < v.c; ++c)
          body(n, h, w, c, element++);
}

// Maximum of value(element, channel) over each window; store(element, index) gets
// the place of the winner. The first NaN wins and stays.
template <typename T, typename Value, typename Store>
void maxPool(const PoolAttrs &a, const View<T> &x, const View<T> &y, Value value, Store store) {
  forCoords(y, [&](int64_t n, int64_t oh, int64_t ow, int64_t c, int64_t out) {
    T best = T(0);
    int64_t index = -1;
    forWindow(a, x, n, oh, ow, c, [&](int64_t kh, int64_t kw, int64_t element) {
      T v = value(element, c);
      if (index < 0 || v > best || (std::isnan(v) && !std::isnan(best))) {
        best = v;
        index = kh * a.kernel_w + kw;
      }
    });
    y.data[out] = best;
    store(out, index);
  });
}

template <typename T> void avgPool(const PoolAttrs &a, const View<T> &x, const View<T> &y) {
  forCoords(y, [&](int64_t n, int64_t oh, int64_t ow, int64_t c, int64_t out) {
    double sum = 0;
    int64_t cells = 0;
    forWindow(a, x, n, oh, ow, c, [&](int64_t, int64_t, int64_t element) {
      sum += x.data[element];
      ++cells;
    });
    y.data[out] = T(sum / double(cells));
  });
}

template <typename T> void globalAvgPool(const View<T> &x, const View<T> &y) {
  for (int64_t n = 0; n < x.n; ++n)
    for (int64_t c = 0; c < x.c; ++c) {
      double sum = 0;
      for (int64_t p = 0; p < x.h * x.w; ++p)
        sum += x.data[(n * x.h * x.w + p) * x.c + c];
      y.data[n * x.c + c] = T(sum / double(x.h * x.w));
    }
}

} // namespace trk::reference

#endif // TRK_REFERENCE_POOL_H
