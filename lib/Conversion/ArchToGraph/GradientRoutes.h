// SPDX-License-Identifier: Apache-2.0
//
// Where gradients of values come from. A value with one reader takes the gradient
// that the reader writes; with several, theirs are summed. A layer that passes its gradient on,
// as a sum does, hands that of its output to its inputs without a copy, so a value may
// have the gradient tensor of another one.
#ifndef RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_GRADIENTROUTES_H
#define RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_GRADIENTROUTES_H

#include "Network.h"

#include "renaissance/Dialect/TR/IR/LayerDescription.h"

namespace tr {

/// One of the gradient tensors that a value owns.
struct GradientRef {
  ValueId value = ValueId::None;
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
  IdVector<ValueId, ValueGradient> values;
  /// Where a layer writes the gradient of each input.
  IdVector<LayerId, llvm::SmallVector<GradientRef, 2>> inputs;
};

/// Nothing is routed to a value that needs no gradient.
GradientRoutes routeGradients(const Network &network,
                              const IdVector<LayerId, LayerDescription> &descriptions,
                              const IdVector<ValueId, char> &needsGrad);

} // namespace tr

#endif // RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_GRADIENTROUTES_H
