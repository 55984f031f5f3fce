// SPDX-License-Identifier: Apache-2.0
//
// The dialect `own` with its layer, and the pass that uses it.
#ifndef OWN_H
#define OWN_H

#include "renaissance/Dialect/TR/IR/TRInterfaces.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

#include "OwnDialect.h.inc"
#define GET_OP_CLASSES
#include "OwnOps.h.inc"

namespace own {

/// Puts a residual unit in the place of each activation that is a relu.
std::unique_ptr<mlir::Pass> createReplaceReluPass();
void registerPasses();

} // namespace own

#endif // OWN_H
