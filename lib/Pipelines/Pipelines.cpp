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

void tr::registerPipelines() {
  mlir::PassPipelineRegistration<ArchPipelineOptions>(
      "tr-arch-pipeline", "the ten steps: blueprint to normalised and merged layers",
      buildArchPipeline);
}
