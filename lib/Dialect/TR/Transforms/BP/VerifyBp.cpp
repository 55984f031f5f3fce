// SPDX-License-Identifier: Apache-2.0
//
// The contract of the blueprint level.
#include "renaissance/Dialect/TR/IR/BPModel.h"
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
    ModuleOp module = getOperation();
    for (Operation &op : *module.getBody()) {
      auto model = dyn_cast<bp::ModelOp>(op);
      if (!model)
        emitError(op.getLoc(), "expected tr.bp.model, but got ") << op.getName();
      if (!model || failed(bp::verifyModel(model)))
        return signalPassFailure();
    }
    if (module.getBody()->empty()) {
      emitError(module.getLoc(), "expected at least one tr.bp.model, but got none");
      signalPassFailure();
    }
  }
};
} // namespace
} // namespace tr
