// SPDX-License-Identifier: Apache-2.0
//
// Forward convolution as a template over the scalar type.
#ifndef TRK_REFERENCE_CONV_H
#define TRK_REFERENCE_CONV_H

#include "common/window.h"
#include "reference/view.h"

namespace trk::reference {

// Sum over the window of output (n, oh, ow, o); w is (o, kh, kw, i).
template <typename T>
double convAt(const Window &a, const View<T> &x, const View<T> &w, int64_t n, int64_t oh,
              int64_t ow, int64_t o, int64_t outputs) {
  int64_t first = o / (outputs / a.groups) * w.c; // first input channel of the group
  double sum = 0;
  for (int64_t kh = 0; kh < a.kernelH; ++kh) {
    int64_t ih = windowCoord(oh, kh, a.strideH, a.dilationH, a.padH);
    if (!inside(ih, x.h))
      continue;
    for (int64_t kw = 0; kw < a.kernelW; ++kw) {
      int64_t iw = windowCoord(ow, kw, a.strideW, a.dilationW, a.padW);
      if (!inside(iw, x.w))
        continue;
      const T *in = x.channels(x.pixel(n, ih, iw)) + first;
      const T *weight = w.channels(w.pixel(o, kh, kw));
      for (int64_t i = 0; i < w.c; ++i)
        sum += double(in[i]) * double(weight[i]);
    }
  }
  return sum;
}

// One output row; rows are independent.
template <typename T>
void convRow(const Window &a, const View<T> &x, const View<T> &w, const T *bias, const View<T> &y,
             int64_t n, int64_t oh) {
  for (int64_t ow = 0; ow < y.w; ++ow) {
    T *out = y.channels(y.pixel(n, oh, ow));
    for (int64_t o = 0; o < y.c; ++o)
      out[o] = T(convAt(a, x, w, n, oh, ow, o, y.c) + (bias ? double(bias[o]) : 0.0));
  }
}

template <typename T>
void convForward(const Window &a, const View<T> &x, const View<T> &w, const T *bias,
                 const View<T> &y) {
  for (int64_t n = 0; n < y.n; ++n)
    for (int64_t oh = 0; oh < y.h; ++oh)
      convRow(a, x, w, bias, y, n, oh);
}

} // namespace trk::reference

#endif // TRK_REFERENCE_CONV_H
