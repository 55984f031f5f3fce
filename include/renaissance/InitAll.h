// SPDX-License-Identifier: Apache-2.0
//
// Registers everything of this project with an MLIR tool.
#ifndef RENAISSANCE_INITALL_H
#define RENAISSANCE_INITALL_H

#include "renaissance/Conversion/Passes.h"
#include "renaissance/Dialect/TR/IR/TRDialect.h"
#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Pipelines/Pipelines.h"

namespace tr {

inline void registerAllDialects(mlir::DialectRegistry &registry) { registry.insert<TRDialect>(); }

inline void registerAllPasses() {
  registerOptionsPasses();
  registerArchPasses();
  registerGraphPasses();
  registerConversionPasses();
  registerPipelines();
}

} // namespace tr

#endif // RENAISSANCE_INITALL_H
