// SPDX-License-Identifier: Apache-2.0
//
// What a convolution costs by each algorithm, from the table of measured speeds.
#ifndef LIB_DIALECT_TR_TRANSFORMS_GRAPH_CONVCOSTS_H
#define LIB_DIALECT_TR_TRANSFORMS_GRAPH_CONVCOSTS_H

#include "renaissance/Dialect/TR/IR/TRDialect.h"
#include "renaissance/Target/PlanTables.h"

namespace tr {

enum class ConvDirection { Forward, BackwardData, BackwardWeight };

/// Extents of a 3x3 convolution of stride 1 and one group; height and width of its input.
struct ConvShape {
  int64_t batch, height, width, in, out;
};

/// The algorithm that was faster for the nearest measured shape; the direct one where the
/// table has no row for the instruction set.
plan::ConvAlgorithm chooseAlgorithm(Isa isa, ConvDirection direction, const ConvShape &shape);

} // namespace tr

#endif // LIB_DIALECT_TR_TRANSFORMS_GRAPH_CONVCOSTS_H
