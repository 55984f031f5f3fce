// SPDX-License-Identifier: Apache-2.0
//
// Learned slopes below 0 and learned factors of channels, as templates over the scalar type.
#ifndef TRK_REFERENCE_FACTORS_H
#define TRK_REFERENCE_FACTORS_H

#include "reference/view.h"

namespace trk::reference {

// A slope for each channel, or one for all.
template <typename T> struct Slopes {
  const T *values;
  int64_t count;
  int64_t at(int64_t c) const { return count == 1 ? 0 : c; }
  double operator[](int64_t c) const { return double(values[at(c)]); }
};

template <typename T>
void preluForward(const View<T> &x, const Slopes<T> &slopes, const View<T> &y) {
  forEach(y, [&](int64_t p, int64_t c) {
    const double value = x.at(p, c);
    y.at(p, c) = T(value <= 0 ? slopes[c] * value : value);
  });
}

template <typename T> void scaleForward(const View<T> &x, const T *factor, const View<T> &y) {
  forEach(y, [&](int64_t p, int64_t c) { y.at(p, c) = T(double(x.at(p, c)) * double(factor[c])); });
}

} // namespace trk::reference

#endif // TRK_REFERENCE_FACTORS_H
