// SPDX-License-Identifier: Apache-2.0
//
// The only file that orders passes. The comment above a pass says what holds
// after it.
#include "renaissance/Pipelines/Pipelines.h"

#include "renaissance/Conversion/Passes.h"
#include "renaissance/Dialect/TR/Transforms/Passes.h"

#include "mlir/Pass/PassRegistry.h"

void tr::buildArchPipeline(mlir::OpPassManager &pm, const ArchPipelineOptions &options) {
  (void)pm;
  (void)options;
}

void tr::buildGraphPipeline(mlir::OpPassManager &pm) {
  // Phase 1: each tensor has a shape under every variant; all tables agree.
  pm.addPass(createGraphDeriveShapes());
  // Phases 2 and 3: each tensor has a slot and an offset that serve every variant.
  mlir::OpPassManager &memory = pm.nest<graph::ProgramOp>();
  memory.addPass(createGraphMaxSlots());
  memory.addPass(createGraphPlanMemory());
  // Phase 4: all subgraphs are there; no tr.arch is left.
  pm.addPass(createGraphBuild());
  // Phase 5: equal variants share graphs and captures; then the order of a step.
  mlir::OpPassManager &program = pm.nest<graph::ProgramOp>();
  program.addPass(createGraphShareVariants());
  program.addPass(createGraphSchedule());
  program.addPass(createVerifyGraph());
}

void tr::buildCompilePipeline(mlir::OpPassManager &pm, const CompilePipelineOptions &options) {
  AttachOptionsOptions attach;
  attach.batch = options.batch;
  attach.valBatch = options.valBatch;
  attach.optimizer = options.optimizer;
  attach.slices = options.slices;
  attach.zeroGamma = options.zeroGamma;
  // #tr.options is on the module.
  pm.addPass(createAttachOptions(attach));
  ArchPipelineOptions arch;
  arch.fuse = options.fuse;
  buildArchPipeline(pm, arch);
  buildGraphPipeline(pm);
}

void tr::registerPipelines() {
  mlir::PassPipelineRegistration<ArchPipelineOptions>(
      "tr-arch-pipeline", "the ten steps: blueprint to normalised and merged layers",
      buildArchPipeline);
  mlir::PassPipelineRegistration<>("tr-graph-pipeline",
                                   "the five phases: layers to tensors, subgraphs and schedules",
                                   [](mlir::OpPassManager &pm) { buildGraphPipeline(pm); });
  mlir::PassPipelineRegistration<CompilePipelineOptions>(
      "tr-compile", "options, the ten steps and the five phases", buildCompilePipeline);
}
