// SPDX-License-Identifier: Apache-2.0
//
// What passes require, and what they say of input that they are not for.
#include "renaissance/Dialect/TR/IR/Levels.h"

#include "renaissance/Dialect/TR/IR/BPOps.h"
#include "renaissance/Dialect/TR/IR/GraphOps.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace tr;

namespace {

bool isLevel(Operation *op) { return isa<bp::ModelOp, arch::NetworkOp, graph::ProgramOp>(op); }

int getLevel(StringRef opName) {
  if (opName == bp::ModelOp::getOperationName())
    return 0;
  return opName == arch::NetworkOp::getOperationName() ? 1 : 2;
}

} // namespace

LogicalResult tr::requireOnlyLayers(arch::NetworkOp network) {
  WalkResult result = network.getBody().walk<WalkOrder::PreOrder>([](Operation *op) {
    if (isa<LayerOpInterface, arch::YieldOp>(op))
      return WalkResult::advance();
    op->emitError("expected layers only in a network, but got '")
        << op->getName() << "'; lower this op first";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult tr::requireAtTop(ModuleOp module, StringRef opName) {
  WalkResult result = module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isLevel(op))
      return WalkResult::advance();
    if (op->getParentOp() == module || op->getName().getStringRef() != opName)
      return WalkResult::skip();
    op->emitError("expected every ")
        << opName << " directly in the module that the pass runs on, but got one inside of '"
        << op->getParentOp()->getName() << "'; run the pass on that";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult tr::reportNoneOf(ModuleOp module, StringRef opName) {
  InFlightDiagnostic error = module.emitError("expected a ") << opName << ", but got none";
  for (Operation &op : *module.getBody()) {
    if (!isLevel(&op))
      continue;
    bool later = getLevel(op.getName().getStringRef()) > getLevel(opName);
    error.attachNote(op.getLoc())
        << "this " << op.getName()
        << (later ? " is past this pass: it is compiled already"
                  : " is not so far yet: run the pipeline that comes before");
    break;
  }
  return error;
}

void tr::reportNothingToDo(Operation *where, StringRef flag, StringRef reason) {
  remark::missed(where->getLoc(), remark::RemarkOpts::name("nothing-to-do").category(flag))
      << remark::metric("Reason", reason);
}
