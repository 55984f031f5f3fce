// SPDX-License-Identifier: Apache-2.0
//
// Fully connected layer, forward, as a template over the scalar type.
#ifndef TRK_REFERENCE_FC_H
#define TRK_REFERENCE_FC_H

#include "reference/view.h"

namespace trk::reference {

// x is (n, features), w is (outputs, features), y is (n, outputs).
template <typename T>
void fcForward(const View<T> &x, const View<T> &w, const T *bias, const View<T> &y) {
  int64_t features = x.h * x.w * x.c;
  for (int64_t n = 0; n < x.n; ++n)
    for (int64_t o = 0; o < w.n; ++o) {
      double sum = 0;
      for (int64_t k = 0; k < features; ++k)
        sum += double(x.data[n * features + k]) * double(w.data[o * features + k]);
      y.data[n * w.n + o] = T(sum + (bias ? double(bias[o]) : 0.0));
    }
}

} // namespace trk::reference

#endif // TRK_REFERENCE_FC_H
