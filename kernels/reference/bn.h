// SPDX-License-Identifier: Apache-2.0
//
// Batch statistics and the normalised value, as templates over the scalar type.
#ifndef TRK_REFERENCE_BN_H
#define TRK_REFERENCE_BN_H

#include "common/bn_operands.h"
#include "reference/view.h"
#include "trk/activation.h"

#include <algorithm>

namespace trk::reference {

// Two passes, so that a large mean cannot cancel the variance. `mean` and `m2`, the sum of
// squared deviations, hold x.c doubles each.
template <typename T> void batchStatistics(const View<T> &x, double *mean, double *m2) {
  double count = double(x.pixels());
  std::fill(mean, mean + x.c, 0.0);
  std::fill(m2, m2 + x.c, 0.0);
  forEach(x, [&](int64_t p, int64_t c) { mean[c] += x.at(p, c); });
  for (int64_t c = 0; c < x.c; ++c)
    mean[c] /= count;
  forEach(x, [&](int64_t p, int64_t c) {
    double d = x.at(p, c) - mean[c];
    m2[c] += d * d;
  });
}

template <typename T> struct BnInput {
  View<T> x;
  const T *mean, *invStd, *gamma, *beta;

  double normalised(int64_t pixel, int64_t c) const {
    return (double(x.at(pixel, c)) - double(mean[c])) * double(invStd[c]);
  }
  // gamma and beta may be absent.
  double factor(int64_t c) const { return gamma ? double(gamma[c]) : 1.0; }
  double value(int64_t pixel, int64_t c) const {
    return factor(c) * normalised(pixel, c) + (beta ? double(beta[c]) : 0.0);
  }
};

inline BnInput<float> bnInput(const BnOperands &in) {
  return {view(in.x), in.mean.f32(), in.invStd.f32(), in.gamma.f32(), in.beta.f32()};
}

} // namespace trk::reference

#endif // TRK_REFERENCE_BN_H
