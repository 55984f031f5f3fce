// SPDX-License-Identifier: Apache-2.0
//
// Softmax cross-entropy of one sample, as templates over the scalar type.
#ifndef TRK_REFERENCE_LOSS_H
#define TRK_REFERENCE_LOSS_H

#include "trk/arg_max.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace trk::reference {

// log(sum exp(x - max)); never below 0, so nothing overflows.
template <typename T> double logSumExp(const T *x, int64_t count, double max) {
  double sum = 0;
  for (int64_t k = 0; k < count; ++k)
    sum += std::exp(double(x[k]) - max);
  return std::log(sum);
}

// Cross-entropy against (1-e)*onehot + e/K. A label outside the classes gives NaN.
template <typename T>
double crossEntropy(const T *x, int64_t count, int64_t label, double smoothing) {
  if (label < 0 || label >= count)
    return std::numeric_limits<double>::quiet_NaN();
  double max = double(x[argMax(x, count)]);
  double log = logSumExp(x, count, max);
  double loss = (1.0 - smoothing) * (max - double(x[label]) + log);
  if (smoothing == 0.0) // 0 * infinity for a class with logit -infinity
    return loss;
  double sum = 0;
  for (int64_t k = 0; k < count; ++k)
    sum += max - double(x[k]) + log;
  return loss + smoothing / double(count) * sum;
}

// How many other classes are at least as likely as the label; a class whose logit
// is NaN counts, and all classes count when the label's own logit is NaN.
template <typename T> int64_t rankOfLabel(const T *x, int64_t count, int64_t label) {
  if (label < 0 || label >= count || std::isnan(x[label]))
    return std::numeric_limits<int64_t>::max();
  int64_t rank = 0;
  for (int64_t k = 0; k < count; ++k)
    rank += k != label && !(x[k] < x[label]);
  return rank;
}

} // namespace trk::reference

#endif // TRK_REFERENCE_LOSS_H
