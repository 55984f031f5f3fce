// SPDX-License-Identifier: Apache-2.0
//
// The only file that orders passes. The comment above a pass says what holds
// after it.
#include "renaissance/Pipelines/Pipelines.h"

#include "renaissance/Conversion/Passes.h"
#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Options/RowOptions.h"

#include "mlir/Pass/PassRegistry.h"

void tr::buildArchPipeline(mlir::OpPassManager &pm) {
  // The tree is a list of layers. The pass checks the contract of tr.bp itself, and
  // a module that holds tr.arch already goes through.
  pm.addPass(createArchExpandTree());
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
  // Residual and inverted residual blocks are one layer each; before the shorter
  // merges, which would take their convolutions.
  network.addPass(createArchMergeBlocks());
  // The longest chain first.
  network.addPass(createArchMergeCbrp());
  // Convolutions with normalisation and activation are one layer.
  network.addPass(createArchMergeCbr());
  // Pooling and classifier are one layer.
  network.addPass(createArchMergeGapFc());
  // Every layer has kernels for the precision.
  network.addPass(createArchCheckKernels());
  // The reader of the images is marked.
  network.addPass(createArchMarkFirstLayer());
  // The contract with --tr-arch-to-graph holds.
  network.addPass(createVerifyArch());
}

void tr::buildGraphPipeline(mlir::OpPassManager &pm) {
  // Every tensor has a shape under every variant, all subgraphs are there; no tr.arch is left.
  pm.addPass(createArchToGraph());
  // Equal variants share graphs and captures.
  mlir::OpPassManager &program = pm.nest<graph::ProgramOp>();
  program.addPass(createGraphShareVariants());
  // Convolutions that have a choice have an algorithm.
  program.addPass(createGraphChooseAlgorithms());
  // Steps have an order, which tells when a tensor is alive.
  program.addPass(createGraphSchedule());
  // Tensors have places, and schedules the edges that follow from them.
  program.addPass(createGraphPlaceMemory());
  // The contract with the plan writer holds.
  program.addPass(createVerifyGraph());
}

void tr::buildCompilePipeline(mlir::OpPassManager &pm, const CompileOptions &options) {
  // #tr.options is on the module.
  pm.addPass(createAttachOptions(options));
  buildArchPipeline(pm);
  buildGraphPipeline(pm);
}

namespace {
constexpr llvm::StringLiteral kCompile = "tr-compile", kArch = "tr-arch-pipeline",
                              kGraph = "tr-graph-pipeline";
constexpr llvm::StringLiteral kFlags[] = {kCompile, kArch, kGraph};

// One that is given all the same is an error with a message.
struct NoOptions : mlir::PassPipelineOptions<NoOptions> {};

struct CompilePipelineOptions : mlir::PassPipelineOptions<CompilePipelineOptions> {
  tr::RowOptions<Option> rows{*this};
};
} // namespace

llvm::ArrayRef<llvm::StringLiteral> tr::getPipelineFlags() { return kFlags; }

void tr::registerPipelines() {
  mlir::PassPipelineRegistration<NoOptions>(
      kArch, "layer trees to normalised, shaped and merged layers",
      [](mlir::OpPassManager &pm, const NoOptions &) { buildArchPipeline(pm); });
  mlir::PassPipelineRegistration<NoOptions>(
      kGraph, "layers to tensors, subgraphs and schedules",
      [](mlir::OpPassManager &pm, const NoOptions &) { buildGraphPipeline(pm); });
  mlir::PassPipelineRegistration<CompilePipelineOptions>(
      kCompile, "options, --tr-arch-pipeline and --tr-graph-pipeline",
      [](mlir::OpPassManager &pm, const CompilePipelineOptions &options) {
        std::string fault;
        buildCompilePipeline(pm, options.rows.get(fault));
        assert(fault.empty() && "the parser of the options takes no such text");
      });
}
