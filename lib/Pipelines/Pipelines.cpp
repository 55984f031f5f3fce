// SPDX-License-Identifier: Apache-2.0
//
// The only file that orders passes. The comment above a pass says what holds
// after it.
#include "renaissance/Pipelines/Pipelines.h"

#include "renaissance/Conversion/Passes.h"
#include "renaissance/Dialect/TR/Transforms/Passes.h"

#include "mlir/Pass/PassRegistry.h"

using namespace tr;

void tr::buildArchPipeline(mlir::OpPassManager &pm, const ArchPipelineOptions &options) {
  ArchExpandTreeOptions expand;
  expand.fuse = options.fuse;
  // 1: the tree is a list of layers. The step checks the contract of tr.bp itself, and
  // a module that holds tr.arch already goes through.
  pm.addPass(createArchExpandTree(expand));
  mlir::OpPassManager &plan = pm.nest<arch::PlanOp>();
  // 2: every normalisation is bn1d or bn2d; before step 5, whose Flattens do not count.
  plan.addPass(createArchRenameBn());
  // 3: one loss, last.
  plan.addPass(createArchNormalizeSoftmaxCe());
  // 4: one layer reads the images, and every branch has a layer.
  plan.addPass(createArchNormalizeIdentity());
  // The images' channels fit the precision.
  plan.addPass(createArchAlignInputChannels({options.precision}));
  // 6: every shape is known.
  plan.addPass(createArchInferShapes());
  // 5: FC layers and the loss read what they can; needs the shapes of step 6.
  plan.addPass(createArchNormalizeFlatten());
  if (options.fuse) {
    // 7: residual and inverted residual blocks are one layer each; before the shorter
    // merges, which would take their convolutions.
    plan.addPass(createArchMergeBlocks());
    // 8: the longest chain first.
    plan.addPass(createArchMergeQuadruple());
    // 9: convolutions with normalisation and activation are one layer.
    plan.addPass(createArchMergeTriple());
    // 10: pooling and classifier are one layer.
    plan.addPass(createArchMergeBinary());
    // Every fused layer has kernels for the precision.
    plan.addPass(createArchCheckKernels({options.precision}));
  }
  // The reader of the images is marked.
  plan.addPass(createArchMarkFirstLayer());
  // The contract with the phases holds.
  plan.addPass(createVerifyArch());
}

void tr::buildGraphPipeline(mlir::OpPassManager &pm, const GraphPipelineOptions &options) {
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
  // Convolutions that have a choice have an algorithm.
  program.addPass(createGraphChooseAlgorithms({options.winograd}));
  // The edges come with the memory plan where there is one.
  program.addPass(createGraphSchedule({/*edges=*/!options.reuse}));
  // Tensors that are not alive at the same time share memory; schedules order them.
  if (options.reuse)
    program.addPass(createGraphPackTransients());
  program.addPass(createVerifyGraph());
}

void tr::buildCompilePipeline(mlir::OpPassManager &pm, const CompilePipelineOptions &options) {
  AttachOptionsOptions attach;
  attach.batch = options.batch;
  attach.valBatch = options.valBatch;
  attach.trainSamples = options.trainSamples;
  attach.valSamples = options.valSamples;
  attach.dropLast = options.dropLast;
  attach.optimizer = options.optimizer;
  attach.slices = options.slices;
  attach.zeroGamma = options.zeroGamma;
  attach.target = options.target;
  // #tr.options is on the module.
  pm.addPass(createAttachOptions(attach));
  ArchPipelineOptions arch;
  arch.fuse = options.fuse;
  buildArchPipeline(pm, arch);
  GraphPipelineOptions graph;
  graph.reuse = options.reuse;
  graph.winograd = options.winograd;
  buildGraphPipeline(pm, graph);
}

void tr::registerPipelines() {
  mlir::PassPipelineRegistration<ArchPipelineOptions>(
      "tr-arch-pipeline", "the ten steps: blueprint to normalised and merged layers",
      buildArchPipeline);
  mlir::PassPipelineRegistration<GraphPipelineOptions>(
      "tr-graph-pipeline", "the five phases: layers to tensors, subgraphs and schedules",
      buildGraphPipeline);
  mlir::PassPipelineRegistration<CompilePipelineOptions>(
      "tr-compile", "options, the ten steps and the five phases", buildCompilePipeline);
}
