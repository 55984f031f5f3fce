// SPDX-License-Identifier: Apache-2.0
//
// Maps of maps that are linear along height and along width: means over a grid, and larger maps.
// Exact integers decide which coordinates meet, in one place for all libraries.
#ifndef TRK_COMMON_AXIS_MAP_H
#define TRK_COMMON_AXIS_MAP_H

#include "trk/kernel.h"

#include <algorithm>

namespace trk {

class AxisMap {
public:
  enum Kind { Mean, Nearest, Linear };
  struct Span {
    int64_t begin, end;
  };

  // Of Nearest and Linear, `outputExtent` is a multiple of `inputExtent`.
  AxisMap(Kind kindOf, int64_t inputExtent, int64_t outputExtent)
      : kind(kindOf), in(inputExtent), out(outputExtent), factor(outputExtent / inputExtent) {}

  int64_t inputExtent() const { return in; }
  int64_t outputExtent() const { return out; }

  // Inputs that output `o` reads, with weights that are not zero.
  Span inputs(int64_t o) const {
    if (kind == Mean)
      return {o * in / out, ((o + 1) * in + out - 1) / out};
    if (kind == Nearest)
      return {o / factor, o / factor + 1};
    const int64_t first = place(o) / (2 * factor);
    return {first, first + 1 + (share(o) > 0)};
  }
  // Outputs that read input `i`.
  Span outputs(int64_t i) const {
    if (kind == Mean)
      return {i * out / in, ((i + 1) * out + in - 1) / in};
    if (kind == Nearest)
      return {i * factor, (i + 1) * factor};
    return {i == 0 ? 0 : ((2 * i - 1) * factor - 1) / 2 + 1,
            i + 1 == in ? out : (2 * i + 3) * factor / 2};
  }
  // Of an input that the output reads.
  double weight(int64_t o, int64_t i) const {
    const Span read = inputs(o);
    if (kind == Mean)
      return 1.0 / double(read.end - read.begin);
    if (kind == Nearest)
      return 1;
    return i == read.begin ? 1 - share(o) : share(o);
  }

private:
  // Twice `factor` times the place of output `o` among the inputs' centres.
  int64_t place(int64_t o) const { return std::max(int64_t(0), 2 * o + 1 - factor); }
  // The weight of the second input; behind the last centre there is none.
  double share(int64_t o) const {
    const int64_t at = place(o);
    return at / (2 * factor) + 1 < in ? double(at % (2 * factor)) / double(2 * factor) : 0.0;
  }

  Kind kind;
  int64_t in, out, factor;
};

// From x, or its gradient, to y.
struct MapAxes {
  AxisMap h, w;
};
inline MapAxes mapAxes(AxisMap::Kind kind, const Tensor &x, const Tensor &y) {
  return {{kind, x.h(), y.h()}, {kind, x.w(), y.w()}};
}

} // namespace trk

#endif // TRK_COMMON_AXIS_MAP_H
