// SPDX-License-Identifier: Apache-2.0
//
// Which class a row of logits predicts: the one rule of kernels and tools.
#ifndef TRK_ARG_MAX_H
#define TRK_ARG_MAX_H

#include <cmath>
#include <cstdint>

namespace trk {

// Place of the first maximum; the first NaN wins.
template <typename T> int64_t argMax(const T *x, int64_t count) {
  int64_t best = 0;
  for (int64_t k = 1; k < count && !std::isnan(x[best]); ++k)
    if (x[k] > x[best] || std::isnan(x[k]))
      best = k;
  return best;
}

} // namespace trk

#endif // TRK_ARG_MAX_H
