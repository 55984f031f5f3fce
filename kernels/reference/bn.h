// SPDX-License-Identifier: Apache-2.0
//
// Batch statistics and the normalised value, as templates over the scalar type.
#ifndef TRK_REFERENCE_BN_H
#define TRK_REFERENCE_BN_H

#include "reference/view.h"
#include "trk/activation.h"

#include <algorithm>

namespace trk::reference {

// Two passes, so that a large mean cannot cancel the variance. `mean` and `var`
// (biased) hold x.c doubles each.
template <typename T> void batchStatistics(const View<T> &x, double *mean, double *var) {
  double count = double(x.pixels());
  std::fill(mean, mean + x.c, 0.0);
  std::fill(var, var + x.c, 0.0);
  forEach(x, [&](int64_t e, int64_t c) { mean[c] += x.data[e]; });
  for (int64_t c = 0; c < x.c; ++c)
    mean[c] /= count;
  forEach(x, [&](int64_t e, int64_t c) {
    double d = x.data[e] - mean[c];
    var[c] += d * d;
  });
  for (int64_t c = 0; c < x.c; ++c)
    var[c] /= count;
}

// One normalised operand group: x, mean, inv_std, gamma, beta.
template <typename T> struct BnInput {
  View<T> x;
  const T *mean, *inv_std, *gamma, *beta;

  double normalised(int64_t element, int64_t c) const {
    return (double(x.data[element]) - double(mean[c])) * double(inv_std[c]);
  }
  double value(int64_t element, int64_t c) const {
    return double(gamma[c]) * normalised(element, c) + double(beta[c]);
  }
};

inline BnInput<float> bnInput(const Call &call, int first) {
  return {operandView(call, first), call.operand(first + 1).f32(), call.operand(first + 2).f32(),
          call.operand(first + 3).f32(), call.operand(first + 4).f32()};
}

} // namespace trk::reference

#endif // TRK_REFERENCE_BN_H
