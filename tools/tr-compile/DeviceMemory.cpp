// SPDX-License-Identifier: Apache-2.0
//
// The arena grows with the batch, so doubling and bisection find the largest one. Each
// trial plans the memory in earnest: an estimate could be wrong by a slot.
#include "DeviceMemory.h"

#include "renaissance/Dialect/TR/Transforms/MemoryUse.h"
#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Pipelines/Pipelines.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tr {
namespace {

constexpr int64_t kMostSamples = int64_t(1) << 30;

bool fits(ModuleOp arch, const CommandLine &line, int64_t batch) {
  // A batch that no plan can be made for does not fit; the reason is not the user's concern.
  ScopedDiagnosticHandler silence(arch.getContext(), [](Diagnostic &) { return success(); });
  CompileOptions options = line.options;
  options.batch = batch;
  OwningOpRef<ModuleOp> trial(arch.clone());
  PassManager pm(arch.getContext());
  pm.enableVerifier(false);
  pm.addPass(createAttachOptions(options));
  buildGraphPipeline(pm);
  if (failed(pm.run(*trial)))
    return false;
  for (auto program : trial->getOps<graph::ProgramOp>()) {
    FailureOr<MemoryUse> use = measureMemory(program);
    if (failed(use) || use->arenaBytes > line.deviceMemory)
      return false;
  }
  return true;
}

} // namespace

int64_t findLargestBatch(ModuleOp arch, const CommandLine &line) {
  int64_t good = 0, bad = 1;
  while (bad <= kMostSamples && fits(arch, line, bad)) {
    good = bad;
    bad *= 2;
  }
  while (bad - good > 1) {
    int64_t middle = good + (bad - good) / 2;
    (fits(arch, line, middle) ? good : bad) = middle;
  }
  return good;
}

} // namespace tr
