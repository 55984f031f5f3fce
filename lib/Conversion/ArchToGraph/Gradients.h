// SPDX-License-Identifier: Apache-2.0
//
// Where gradients of values come from. A value with one reader takes the gradient
// that the reader writes; with several, theirs are summed. An add2 hands the
// gradient of its sum to both branches without a copy, so a value may have the
// gradient tensor of another one.
#ifndef RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_GRADIENTS_H
#define RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_GRADIENTS_H

#include "Network.h"

namespace tr {

/// One of the gradient tensors that a value owns.
struct GradientRef {
  int32_t value = -1;
  int32_t part = 0;
};

struct ValueGradient {
  int32_t ownCount = 0;                    ///< gradient tensors of the value's shape
  llvm::SmallVector<GradientRef, 1> parts; ///< one for each reader
  GradientRef total;
  /// Pairs whose sums go to `total`, in order.
  llvm::SmallVector<std::pair<GradientRef, GradientRef>, 1> sums;
};

struct GradientRoutes {
  std::vector<ValueGradient> values;
  std::vector<GradientRef> inputs; ///< where a layer writes the gradient of its input
};

/// Nothing is routed to a value that needs no gradient.
GradientRoutes routeGradients(const Network &network, const std::vector<bool> &needsGrad);

} // namespace tr

#endif // RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_GRADIENTS_H
