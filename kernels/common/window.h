// SPDX-License-Identifier: Apache-2.0
//
// The window of a convolution or a pooling, whichever op's attributes it comes from or goes to.
#ifndef TRK_COMMON_WINDOW_H
#define TRK_COMMON_WINDOW_H

#include <cstdint>

namespace trk {

struct Window {
  int64_t kernelH = 1, kernelW = 1, strideH = 1, strideW = 1, padH = 0, padW = 0;
  int64_t dilationH = 1, dilationW = 1, groups = 1; // a pooling has none of these
  bool ceil = false;                                // a convolution has not this one
};

template <typename Attrs> Window sizedWindow(const Attrs &a) {
  Window w;
  w.kernelH = a.kernel_h;
  w.kernelW = a.kernel_w;
  w.strideH = a.stride_h;
  w.strideW = a.stride_w;
  w.padH = a.pad_h;
  w.padW = a.pad_w;
  return w;
}

template <typename Attrs> Window poolWindow(const Attrs &a) {
  Window w = sizedWindow(a);
  w.ceil = a.ceil != 0;
  return w;
}

template <typename Attrs> Window convWindow(const Attrs &a) {
  Window w = sizedWindow(a);
  w.dilationH = a.dilation_h;
  w.dilationW = a.dilation_w;
  w.groups = a.groups;
  return w;
}

template <typename Attrs> Attrs sizedAttrs(const Window &w) {
  Attrs a{};
  a.kernel_h = w.kernelH;
  a.kernel_w = w.kernelW;
  a.stride_h = w.strideH;
  a.stride_w = w.strideW;
  a.pad_h = w.padH;
  a.pad_w = w.padW;
  return a;
}

template <typename Attrs> Attrs poolAttrs(const Window &w) {
  Attrs a = sizedAttrs<Attrs>(w);
  a.ceil = w.ceil;
  return a;
}

template <typename Attrs> Attrs convAttrs(const Window &w) {
  Attrs a = sizedAttrs<Attrs>(w);
  a.dilation_h = w.dilationH;
  a.dilation_w = w.dilationW;
  a.groups = w.groups;
  return a;
}

} // namespace trk

#endif // TRK_COMMON_WINDOW_H
