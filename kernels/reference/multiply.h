// SPDX-License-Identifier: Apache-2.0
//
// The product of two operands, each a map or spread over one, as a template over the scalar type.
#ifndef TRK_REFERENCE_MULTIPLY_H
#define TRK_REFERENCE_MULTIPLY_H

#include "reference/view.h"

namespace trk::reference {

// An operand by the pixels of a map. Each of its own holds for `share` of them: for all of a
// sample where it is spread, else for one.
template <typename T> struct Spread {
  View<T> operand;
  int64_t share;

  Spread(const View<T> &of, const View<T> &map) : operand(of), share(map.pixels() / of.pixels()) {}
  T at(int64_t pixel, int64_t channel) const { return operand.at(pixel / share, channel); }
};

template <typename T> void multiply(const View<T> &a, const View<T> &b, const View<T> &y) {
  const Spread<T> one(a, y), other(b, y);
  forEach(y, [&](int64_t p, int64_t c) {
    y.at(p, c) = T(double(one.at(p, c)) * double(other.at(p, c)));
  });
}

} // namespace trk::reference

#endif // TRK_REFERENCE_MULTIPLY_H
