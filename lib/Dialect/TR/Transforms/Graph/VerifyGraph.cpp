// SPDX-License-Identifier: Apache-2.0
//
// --tr-verify-graph: what holds for a program before it becomes a plan. The rules are those of the
// plan format, on the records that the exporter makes, so that what passes here is what a runtime
// loads.
#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Target/PlanBinary/PlanTranslation.h"

namespace tr {
#define GEN_PASS_DEF_VERIFYGRAPH
#include "renaissance/Dialect/TR/Transforms/GraphPasses.h.inc"
} // namespace tr

using namespace mlir;

namespace {

struct VerifyGraphPass : tr::impl::VerifyGraphBase<VerifyGraphPass> {
  void runOnOperation() override {
    if (failed(tr::exportPlan(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
