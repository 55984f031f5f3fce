// SPDX-License-Identifier: Apache-2.0
//
// The pass pipelines of the compiler. Options are plain structures, so that a
// program can build a pipeline without a command line.
#ifndef RENAISSANCE_PIPELINES_PIPELINES_H
#define RENAISSANCE_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace tr {

/// Options of `--tr-arch-pipeline`.
struct ArchPipelineOptions : mlir::PassPipelineOptions<ArchPipelineOptions> {
  Option<bool> fuse{*this, "fuse", llvm::cl::desc("merge layers into fused ones (default true)"),
                    llvm::cl::init(true)};
};

/// The ten steps: `tr.bp` or `tr.arch` -> normalised, shaped, merged `tr.arch`.
void buildArchPipeline(mlir::OpPassManager &pm, const ArchPipelineOptions &options);

/// Registers every pipeline with `tr-opt` and other pass drivers.
void registerPipelines();

} // namespace tr

#endif // RENAISSANCE_PIPELINES_PIPELINES_H
