// SPDX-License-Identifier: Apache-2.0
//
// The pass pipelines of the compiler. Options are plain structures, so that a
// program can build a pipeline without a command line.
#ifndef RENAISSANCE_PIPELINES_PIPELINES_H
#define RENAISSANCE_PIPELINES_PIPELINES_H

#include "renaissance/Dialect/TR/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace tr {

/// Options of `--tr-arch-pipeline`.
struct ArchPipelineOptions : mlir::PassPipelineOptions<ArchPipelineOptions> {
  Option<bool> fuse{*this, "fuse", llvm::cl::desc("merge layers into fused ones (default true)"),
                    llvm::cl::init(true)};
  Option<Precision> precision{
      *this, "precision", llvm::cl::desc("what activations are stored in (default fp32)"),
      llvm::cl::init(Precision::FP32),
      llvm::cl::values(
          clEnumValN(Precision::FP32, "fp32", "32 bits"),
          clEnumValN(Precision::AmpFP16, "amp_fp16", "16 bits, FP32 accumulation"),
          clEnumValN(Precision::AmpBF16, "amp_bf16", "16 bits of bfloat, FP32 accumulation"))};
};

/// `tr.bp` or `tr.arch` -> normalised, shaped, merged `tr.arch`.
void buildArchPipeline(mlir::OpPassManager &pm, const ArchPipelineOptions &options);

/// Options of `--tr-graph-pipeline`.
struct GraphPipelineOptions : mlir::PassPipelineOptions<GraphPipelineOptions> {
  Option<bool> winograd{*this, "winograd",
                        llvm::cl::desc("take Winograd where it is faster (default true)"),
                        llvm::cl::init(true)};
  Option<bool> reuse{*this, "reuse",
                     llvm::cl::desc("let tensors share memory over time (default true)"),
                     llvm::cl::init(true)};
};

/// Tensors, subgraphs, schedules, memory and the check: `tr.arch` -> `tr.graph`. What to compile
/// for is `#tr.options` of the module.
void buildGraphPipeline(mlir::OpPassManager &pm, const GraphPipelineOptions &options);

/// Options of `--tr-compile`.
struct CompilePipelineOptions : mlir::PassPipelineOptions<CompilePipelineOptions> {
  Option<int64_t> batch{*this, "batch", llvm::cl::desc("samples of a training step"),
                        llvm::cl::init(32)};
  Option<int64_t> valBatch{*this, "val-batch",
                           llvm::cl::desc("samples of a validation step (default: as training)"),
                           llvm::cl::init(0)};
  Option<std::string> optimizer{*this, "optimizer", llvm::cl::desc("sgd or adamw"),
                                llvm::cl::init("sgd")};
  Option<bool> fuse{*this, "fuse", llvm::cl::desc("merge layers into fused ones (default true)"),
                    llvm::cl::init(true)};
  Option<int64_t> slices{*this, "slices",
                         llvm::cl::desc("batch slices that every sum is split into"),
                         llvm::cl::init(2)};
  Option<int64_t> trainSamples{*this, "train-samples",
                               llvm::cl::desc("training samples (default: any number)"),
                               llvm::cl::init(0)};
  Option<int64_t> valSamples{*this, "val-samples",
                             llvm::cl::desc("validation samples (default: any number)"),
                             llvm::cl::init(0)};
  Option<bool> dropLast{*this, "drop-last", llvm::cl::desc("training leaves out a partial batch"),
                        llvm::cl::init(false)};
  Option<bool> reuse{*this, "reuse",
                     llvm::cl::desc("let tensors share memory over time (default true)"),
                     llvm::cl::init(true)};
  Option<bool> winograd{*this, "winograd",
                        llvm::cl::desc("take Winograd where it is faster (default true)"),
                        llvm::cl::init(true)};
  Option<bool> zeroGamma{*this, "zero-gamma", llvm::cl::desc("residual branches start as zero"),
                         llvm::cl::init(false)};
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("what the CPU must have: any, x86-64-v3 or x86-64-v4"),
                             llvm::cl::init("any")};
};

/// Options, then both pipelines.
void buildCompilePipeline(mlir::OpPassManager &pm, const CompilePipelineOptions &options);

/// Registers every pipeline with `tr-opt` and other pass drivers.
void registerPipelines();

} // namespace tr

#endif // RENAISSANCE_PIPELINES_PIPELINES_H
