// SPDX-License-Identifier: Apache-2.0
//
// The contract of the blueprint level.
#include "renaissance/Dialect/TR/IR/BPModel.h"
#include "renaissance/Dialect/TR/IR/Levels.h"
#include "renaissance/Dialect/TR/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tr {
#define GEN_PASS_DEF_VERIFYBP
#include "renaissance/Dialect/TR/Transforms/ArchPasses.h.inc"

namespace {
struct VerifyBpPass : impl::VerifyBpBase<VerifyBpPass> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(requireAtTop(getOperation(), bp::ModelOp::getOperationName())))
      return signalPassFailure();
    if (getOperation().getOps<bp::ModelOp>().empty())
      reportNothingToDo(getOperation(), getArgumentName(), "the module has no tr.bp.model");
    for (Operation &op : *getOperation().getBody()) {
      auto model = dyn_cast<bp::ModelOp>(op);
      if (bp::isLayer(&op))
        emitError(op.getLoc(), "expected a tr.bp.model around ") << op.getName();
      if (bp::isLayer(&op) || (model && failed(bp::verifyModel(model))))
        return signalPassFailure();
    }
  }
};
} // namespace
} // namespace tr
