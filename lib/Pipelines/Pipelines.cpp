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
  // The tree is a list of layers. The step checks the contract of tr.bp itself, and
  // a module that holds tr.arch already goes through.
  pm.addPass(createArchExpandTree(expand));
  mlir::OpPassManager &network = pm.nest<arch::NetworkOp>();
  // Every normalisation is bn1d or bn2d; before flattens are put, which do not count.
  network.addPass(createArchRenameBn());
  // One loss, last.
  network.addPass(createArchNormalizeSoftmaxCe());
  // One layer reads the images, and every branch has a layer.
  network.addPass(createArchNormalizeIdentity());
  // Every shape is known.
  network.addPass(createArchInferShapes());
  // FC layers and the loss read what they can; needs shapes.
  network.addPass(createArchNormalizeFlatten());
  if (options.fuse) {
    // Residual and inverted residual blocks are one layer each; before the shorter
    // merges, which would take their convolutions.
    network.addPass(createArchMergeBlocks());
    // The longest chain first.
    network.addPass(createArchMergeQuadruple());
    // Convolutions with normalisation and activation are one layer.
    network.addPass(createArchMergeTriple());
    // Pooling and classifier are one layer.
    network.addPass(createArchMergeBinary());
    // Every fused layer has kernels for the precision.
    network.addPass(createArchCheckKernels({options.precision}));
  }
  // The reader of the images is marked.
  network.addPass(createArchMarkFirstLayer());
  // The contract with --tr-arch-to-graph holds.
  network.addPass(createVerifyArch());
}

void tr::buildGraphPipeline(mlir::OpPassManager &pm, const GraphPipelineOptions &options) {
  // Every tensor has a shape under every variant, all subgraphs are there; no tr.arch is left.
  pm.addPass(createArchToGraph());
  // Equal variants share graphs and captures.
  mlir::OpPassManager &program = pm.nest<graph::ProgramOp>();
  program.addPass(createGraphShareVariants());
  // Convolutions that have a choice have an algorithm.
  program.addPass(createGraphChooseAlgorithms({options.winograd}));
  // Steps have an order, which tells when a tensor is alive.
  program.addPass(createGraphSchedule());
  // Tensors have places, and schedules the edges that follow from them.
  program.addPass(createGraphPlaceMemory({options.reuse}));
  // The contract with the plan writer holds.
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
      "tr-arch-pipeline", "layer trees to normalised, shaped and merged layers", buildArchPipeline);
  mlir::PassPipelineRegistration<GraphPipelineOptions>(
      "tr-graph-pipeline", "layers to tensors, subgraphs and schedules", buildGraphPipeline);
  mlir::PassPipelineRegistration<CompilePipelineOptions>(
      "tr-compile", "options, --tr-arch-pipeline and --tr-graph-pipeline", buildCompilePipeline);
}
