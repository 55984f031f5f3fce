// SPDX-License-Identifier: Apache-2.0
//
// What a convolution costs by each algorithm, from the table of measured speeds.
#ifndef RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_GRAPH_CONVCOSTS_H
#define RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_GRAPH_CONVCOSTS_H

#include "renaissance/Dialect/TR/IR/TRDialect.h"

namespace tr {

/// Inference keeps packed weights, so it is faster than forward by the same algorithm.
enum class ConvDirection { Forward, BackwardData, BackwardWeight, Inference };

/// A convolution of one group: 3x3 of stride 1, or 1x1 of any stride. Height and width are its
/// input's.
struct ConvShape {
  int64_t kernel, stride, batch, height, width, in, out;
};

/// The algorithm that was faster for the nearest measured shape of the same kernel. Rows of
/// another target stand in where there are none of `target`: all algorithms gain about
/// as much from wider vectors.
trf::ConvAlgorithm chooseAlgorithm(trf::Target target, ConvDirection direction,
                                   const ConvShape &shape);

} // namespace tr

#endif // RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_GRAPH_CONVCOSTS_H
