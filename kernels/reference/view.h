// SPDX-License-Identifier: Apache-2.0
//
// The one index function of the reference kernels: a pixel is a number that all tensors of
// equal height and width share. The scalar type is a template
// parameter so that tests can run the same forward code in double.
#ifndef TRK_REFERENCE_VIEW_H
#define TRK_REFERENCE_VIEW_H

#include "trk/kernel.h"

namespace trk::reference {

template <typename T> struct View {
  T *data = nullptr;
  int64_t n = 0, h = 0, w = 0, c = 0;
  int64_t pitch = 0; // elements from one pixel to the next

  int64_t pixels() const { return n * h * w; }
  int64_t pixel(int64_t in, int64_t ih, int64_t iw) const { return (in * h + ih) * w + iw; }
  T *channels(int64_t pixel) const { return data + pixel * pitch; }
  T &at(int64_t pixel, int64_t channel) const { return channels(pixel)[channel]; }
};

inline View<float> view(const Tensor &t) { return {t.f32(), t.n(), t.h(), t.w(), t.c(), t.pitch}; }

// Applies body(pixel, channel) to every element of `v` in memory order.
template <typename T, typename F> void forEach(const View<T> &v, F body) {
  for (int64_t p = 0, pixels = v.pixels(); p < pixels; ++p)
    for (int64_t c = 0; c < v.c; ++c)
      body(p, c);
}

// Input coordinate that cell k of a window at output o reads; may be outside.
inline int64_t windowCoord(int64_t o, int64_t k, int64_t stride, int64_t dilation, int64_t pad) {
  return o * stride - pad + k * dilation;
}
inline bool inside(int64_t coord, int64_t extent) { return coord >= 0 && coord < extent; }

} // namespace trk::reference

#endif // TRK_REFERENCE_VIEW_H
