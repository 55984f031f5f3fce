// SPDX-License-Identifier: Apache-2.0
//
// The pass pipelines of the compiler. What to compile for is `#tr.options` of the module.
#ifndef RENAISSANCE_PIPELINES_PIPELINES_H
#define RENAISSANCE_PIPELINES_PIPELINES_H

#include "renaissance/Options/CompileOptions.h"

#include "mlir/Pass/PassManager.h"

namespace tr {

/// `tr.bp` or `tr.arch` -> normalised, shaped, merged `tr.arch`.
void buildArchPipeline(mlir::OpPassManager &pm);

/// Tensors, subgraphs, schedules, memory and the check: `tr.arch` -> `tr.graph`.
void buildGraphPipeline(mlir::OpPassManager &pm);

/// Puts `options` on the module, then both pipelines.
void buildCompilePipeline(mlir::OpPassManager &pm, const CompileOptions &options);

/// The flags of all pipelines, `tr-compile` first.
llvm::ArrayRef<llvm::StringLiteral> getPipelineFlags();

/// Registers every pipeline with `tr-opt` and other pass drivers. `--tr-compile=` takes the rows of
/// CompileOptions.def.
void registerPipelines();

} // namespace tr

#endif // RENAISSANCE_PIPELINES_PIPELINES_H
