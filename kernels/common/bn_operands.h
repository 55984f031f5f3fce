// SPDX-License-Identifier: Apache-2.0
//
// Groups of operands that several ops of batch normalisation have in common. Each op makes
// them from its own operands by name.
#ifndef TRK_COMMON_BN_OPERANDS_H
#define TRK_COMMON_BN_OPERANDS_H

#include "trk/kernel.h"

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

} // namespace trk

#endif // TRK_COMMON_BN_OPERANDS_H
