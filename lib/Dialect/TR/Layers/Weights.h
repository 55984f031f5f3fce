// SPDX-License-Identifier: Apache-2.0
//
// Weights of maps that are linear along an axis, for the lowering to tensors: a witness of the
// kernels, with which it shares no code.
#ifndef RENAISSANCE_LIB_DIALECT_TR_LAYERS_WEIGHTS_H
#define RENAISSANCE_LIB_DIALECT_TR_LAYERS_WEIGHTS_H

#include "renaissance/Dialect/TR/IR/TensorBuilder.h"

namespace tr::weights {

/// Means of inputs floor(o * in / out) to ceil((o + 1) * in / out) - 1.
AxisWeights mean(int64_t in, int64_t out);
/// Each input several times.
AxisWeights nearest(int64_t in, int64_t out);
/// Between the centres of inputs, and the outer ones beyond them.
AxisWeights linear(int64_t in, int64_t out);

} // namespace tr::weights

#endif // RENAISSANCE_LIB_DIALECT_TR_LAYERS_WEIGHTS_H
