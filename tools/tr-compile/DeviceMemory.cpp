// SPDX-License-Identifier: Apache-2.0
//
// The arena grows with the batch, so doubling and bisection find the largest one. Each
// trial plans the memory in earnest: an estimate could be wrong by a slot.
#include "DeviceMemory.h"

#include "renaissance/Dialect/TR/Transforms/MemoryUse.h"
#include "renaissance/Pipelines/Pipelines.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tr {
namespace {

constexpr int64_t kMostSamples = int64_t(1) << 30;

bool fits(ModuleOp arch, CompileOptions options, int64_t batch) {
  // A batch that no plan can be made for does not fit; the reason is not the user's concern.
  ScopedDiagnosticHandler silence(arch.getContext(), [](Diagnostic &) { return success(); });
  options.variants.batch = batch;
  OwningOpRef<ModuleOp> trial(arch.clone());
  if (failed(attachOptions(*trial, options)))
    return false;
  PassManager pm(arch.getContext());
  pm.enableVerifier(false);
  GraphPipelineOptions pipeline;
  pipeline.reuse = options.reuse;
  buildGraphPipeline(pm, pipeline);
  if (failed(pm.run(*trial)))
    return false;
  for (auto program : trial->getOps<graph::ProgramOp>()) {
    FailureOr<MemoryUse> use = measureMemory(program);
    if (failed(use) || use->arenaBytes > options.deviceMemory)
      return false;
  }
  return true;
}

} // namespace

LogicalResult attachOptions(ModuleOp module, const CompileOptions &options) {
  auto emitError = [&] { return module.emitError(); };
  OptionsAttr attr = getOptionsAttr(module.getContext(), options.optimizer, options.slices,
                                    options.zeroGamma, options.target, options.variants, emitError);
  if (!attr)
    return failure();
  module->setAttr(TRDialect::getOptionsAttrName(), attr);
  return success();
}

int64_t findLargestBatch(ModuleOp arch, const CompileOptions &options) {
  int64_t good = 0, bad = 1;
  while (bad <= kMostSamples && fits(arch, options, bad)) {
    good = bad;
    bad *= 2;
  }
  while (bad - good > 1) {
    int64_t middle = good + (bad - good) / 2;
    (fits(arch, options, middle) ? good : bad) = middle;
  }
  return good;
}

} // namespace tr
