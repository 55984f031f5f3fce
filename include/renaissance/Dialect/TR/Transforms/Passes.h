// SPDX-License-Identifier: Apache-2.0
//
// Declarations of the passes within one family: `create...`, option structs and
// registration, generated from the .td files.
#ifndef RENAISSANCE_DIALECT_TR_TRANSFORMS_PASSES_H
#define RENAISSANCE_DIALECT_TR_TRANSFORMS_PASSES_H

#include "renaissance/Dialect/TR/IR/ArchOps.h"
#include "renaissance/Dialect/TR/IR/BPOps.h"
#include "renaissance/Dialect/TR/IR/GraphOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tr {
#define GEN_PASS_DECL
#include "renaissance/Dialect/TR/Transforms/OptionsPasses.h.inc"
#define GEN_PASS_DECL
#include "renaissance/Dialect/TR/Transforms/ArchPasses.h.inc"
#define GEN_PASS_DECL
#include "renaissance/Dialect/TR/Transforms/GraphPasses.h.inc"

/// `--tr-attach-options` with these values.
std::unique_ptr<mlir::Pass> createAttachOptions(const CompileOptions &options);

#define GEN_PASS_REGISTRATION
#include "renaissance/Dialect/TR/Transforms/OptionsPasses.h.inc"
#define GEN_PASS_REGISTRATION
#include "renaissance/Dialect/TR/Transforms/ArchPasses.h.inc"
#define GEN_PASS_REGISTRATION
#include "renaissance/Dialect/TR/Transforms/GraphPasses.h.inc"
} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_TRANSFORMS_PASSES_H
