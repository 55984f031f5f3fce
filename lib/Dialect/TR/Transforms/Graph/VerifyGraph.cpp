// SPDX-License-Identifier: Apache-2.0
//
// --tr-verify-graph: what holds for a program before it becomes a plan. The rules are those of the
// plan format, on the records that the exporter makes, so that what passes here is what a runtime
// loads.
#include "../LevelPass.h"

#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Target/PlanBinary/PlanTranslation.h"

namespace tr {
#define GEN_PASS_DEF_VERIFYGRAPH
#include "renaissance/Dialect/TR/Transforms/GraphPasses.h.inc"
} // namespace tr

using namespace mlir;

namespace {

struct VerifyGraphPass
    : tr::LevelPass<tr::impl::VerifyGraphBase<VerifyGraphPass>, tr::graph::ProgramOp> {
  LogicalResult runOn(tr::graph::ProgramOp program) override {
    markAllAnalysesPreserved();
    return tr::exportPlan(program);
  }
};

} // namespace
