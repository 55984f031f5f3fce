// SPDX-License-Identifier: Apache-2.0
//
// The dialect `vision` and the pass that makes networks of Renaissance of it.
#ifndef VISION_H
#define VISION_H

#include "renaissance/Dialect/TR/IR/TRInterfaces.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

#include "VisionDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "VisionTypes.h.inc"
#define GET_OP_CLASSES
#include "VisionOps.h.inc"

namespace vision {

/// Each classifier of a module becomes a `tr.arch.network` of the same name. With `plain`, sums are
/// layers of Renaissance instead of `vision.sum_relu`.
std::unique_ptr<mlir::Pass> createToNetworkPass(bool plain);

} // namespace vision

#endif // VISION_H
