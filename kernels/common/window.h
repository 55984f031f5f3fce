// SPDX-License-Identifier: Apache-2.0
//
// The window of a convolution or a pooling, whichever op's attributes it comes from or goes to.
#ifndef TRK_COMMON_WINDOW_H
#define TRK_COMMON_WINDOW_H

#include <cstdint>
#include <type_traits>
#include <utility>

namespace trk {

struct Window {
  int64_t kernelH = 1, kernelW = 1, strideH = 1, strideW = 1, padH = 0, padW = 0;
  int64_t dilationH = 1, dilationW = 1, groups = 1; // a pooling has no groups, an average one each
  bool ceil = false;                                // of a pooling
  int64_t moreH = 0, moreW = 0;                     // pads at the ends beyond those before
  bool countPad = false;                            // of an average

  // Cells that a window spans.
  int64_t spanH() const { return dilationH * (kernelH - 1) + 1; }
  int64_t spanW() const { return dilationW * (kernelW - 1) + 1; }
};

// Whether a window of these attributes may be dilated.
template <typename Attrs, typename = void> struct HasDilation : std::false_type {};
template <typename Attrs>
struct HasDilation<Attrs, std::void_t<decltype(std::declval<Attrs>().dilation_h)>>
    : std::true_type {};
// Whether they may count the pad.
template <typename Attrs, typename = void> struct HasCountPad : std::false_type {};
template <typename Attrs>
struct HasCountPad<Attrs, std::void_t<decltype(std::declval<Attrs>().count_pad)>> : std::true_type {
};

template <typename Attrs> Window sizedWindow(const Attrs &a) {
  Window w;
  w.kernelH = a.kernel_h;
  w.kernelW = a.kernel_w;
  w.strideH = a.stride_h;
  w.strideW = a.stride_w;
  w.padH = a.pad_h;
  w.padW = a.pad_w;
  w.moreH = a.pad_more_h;
  w.moreW = a.pad_more_w;
  if constexpr (HasDilation<Attrs>::value) {
    w.dilationH = a.dilation_h;
    w.dilationW = a.dilation_w;
  }
  return w;
}

template <typename Attrs> Window poolWindow(const Attrs &a) {
  Window w = sizedWindow(a);
  w.ceil = a.ceil != 0;
  if constexpr (HasCountPad<Attrs>::value)
    w.countPad = a.count_pad != 0;
  return w;
}

template <typename Attrs> Window convWindow(const Attrs &a) {
  Window w = sizedWindow(a);
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
  a.pad_more_h = w.moreH;
  a.pad_more_w = w.moreW;
  if constexpr (HasDilation<Attrs>::value) {
    a.dilation_h = w.dilationH;
    a.dilation_w = w.dilationW;
  }
  return a;
}

template <typename Attrs> Attrs poolAttrs(const Window &w) {
  Attrs a = sizedAttrs<Attrs>(w);
  a.ceil = w.ceil;
  if constexpr (HasCountPad<Attrs>::value)
    a.count_pad = w.countPad;
  return a;
}

template <typename Attrs> Attrs convAttrs(const Window &w) {
  Attrs a = sizedAttrs<Attrs>(w);
  a.groups = w.groups;
  return a;
}

} // namespace trk

#endif // TRK_COMMON_WINDOW_H
