// SPDX-License-Identifier: Apache-2.0
//
// Groups of operands that several ops of batch normalisation have in common. Each op makes
// them from its own operands by name.
#ifndef TRK_COMMON_BN_OPERANDS_H
#define TRK_COMMON_BN_OPERANDS_H

#include "trk/kernel.h"

#include <cmath>
#include <limits>

namespace trk {

// One normalised input: BN_INPUT of kernel_ops.def.
struct BnOperands {
  const Tensor &x, &mean, &invStd, &gamma, &beta;
};

// One normalised input of which backward knows the sums (BN_SLOPES), and its gradient.
struct BnSlopes {
  const Tensor &x, &mean, &invStd, &gamma, &dgamma, &dbeta, &dx;
};

// The running and the new statistics of bn_stats and conv_stats_fwd.
struct BnStatistics {
  const Tensor &prevMean, &prevVar, &mean, &invStd, &nextMean, &nextVar;
  double eps, momentum;
};

inline BnStatistics statisticsOfBnStats(const Call &call) {
  namespace op = ops::bn_stats;
  const op::Attrs attrs = call.attrs<op::Attrs>();
  return {call[op::prev_mean], call[op::prev_var], call[op::mean], call[op::inv_std],
          call[op::next_mean], call[op::next_var], attrs.eps,      attrs.momentum};
}

inline BnStatistics statisticsOfConvStats(const Call &call) {
  namespace op = ops::conv_stats_fwd;
  const op::Attrs attrs = call.attrs<op::Attrs>();
  return {call[op::prev_mean], call[op::prev_var], call[op::mean], call[op::inv_std],
          call[op::next_mean], call[op::next_var], attrs.eps,      attrs.momentum};
}

// Writes the results of channel c from its mean and the sum of squared deviations from it over
// `count` values. A running statistic that FP32 cannot hold makes the deviation NaN, and by that
// the gradients, so that the step is skipped and nothing of it is committed.
inline void writeStatistics(const BnStatistics &to, int64_t c, double mean, double m2,
                            double count) {
  const double previous = to.prevVar.f32()[c];
  const float nextMean =
      float((1.0 - to.momentum) * double(to.prevMean.f32()[c]) + to.momentum * mean);
  // One value has no unbiased variance.
  const float nextVar = count > 1
                            ? float((1.0 - to.momentum) * previous + to.momentum * m2 / (count - 1))
                            : float(previous);
  const bool held = std::isfinite(nextMean) && std::isfinite(nextVar);
  to.mean.f32()[c] = float(mean);
  to.invStd.f32()[c] =
      held ? float(1.0 / std::sqrt(m2 / count + to.eps)) : std::numeric_limits<float>::quiet_NaN();
  to.nextMean.f32()[c] = nextMean;
  to.nextVar.f32()[c] = nextVar;
}

// bn_cumulate, a few vectors whatever the library.
inline void cumulateStatistics(const Call &call) {
  namespace op = ops::bn_cumulate;
  const float count = call[op::prev_count].f32()[0] + 1;
  const auto towards = [&](const Tensor &prev, const Tensor &next) {
    for (int64_t c = 0; c < prev.c(); ++c) {
      const double before = prev.f32()[c];
      next.f32()[c] = float(before + (double(next.f32()[c]) - before) / double(count));
    }
  };
  towards(call[op::prev_mean], call[op::next_mean]);
  towards(call[op::prev_var], call[op::next_var]);
  call[op::next_count].f32()[0] = count;
}

} // namespace trk

#endif // TRK_COMMON_BN_OPERANDS_H
