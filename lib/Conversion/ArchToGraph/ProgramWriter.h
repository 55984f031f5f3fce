// SPDX-License-Identifier: Apache-2.0
//
// A lowered network as a `tr.graph.program`.
#ifndef RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_PROGRAMWRITER_H
#define RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_PROGRAMWRITER_H

#include "LoweredNetwork.h"

#include "renaissance/Dialect/TR/IR/GraphOps.h"

#include "mlir/IR/Builders.h"

namespace tr {

/// A variant with the position of its table; variants that coincide share one.
struct VariantTable {
  Variant variant;
  size_t table;
};

/// Makes the program after the network, with everything but subgraphs.
graph::ProgramOp writeProgram(const Network &network, llvm::ArrayRef<VariantTable> variants,
                              llvm::ArrayRef<LoweredNetwork> tables);

/// Adds all subgraphs: kernel ops of the layers, and of the options. One that stays empty says
/// why. `lowered` is any of the tables: kernel ops hold no shapes.
void writeSubgraphs(const Network &network, const LoweredNetwork &lowered, OptionsAttr options,
                    graph::ProgramOp program);

} // namespace tr

#endif // RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_PROGRAMWRITER_H
