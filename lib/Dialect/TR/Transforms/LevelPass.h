// SPDX-License-Identifier: Apache-2.0
//
// Passes over networks or programs: on one of them, as pipelines run them, or on a module. There a
// pass runs on each, and finding none is an error: nobody asks for a pass that does nothing.
#ifndef RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_LEVELPASS_H
#define RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_LEVELPASS_H

#include "renaissance/Dialect/TR/IR/Levels.h"

#include "mlir/Pass/Pass.h"

namespace tr {

template <typename Base, typename OpT> struct LevelPass : Base {
  bool canScheduleOn(mlir::RegisteredOperationName name) const final {
    return name.getTypeID() == mlir::TypeID::get<OpT>() ||
           name.getTypeID() == mlir::TypeID::get<mlir::ModuleOp>();
  }

  void runOnOperation() final {
    if (auto op = llvm::dyn_cast<OpT>(this->getOperation()))
      return run(op);
    mlir::ModuleOp module = llvm::cast<mlir::ModuleOp>(this->getOperation());
    auto found = llvm::to_vector(module.getOps<OpT>());
    if (failed(requireAtTop(module, OpT::getOperationName())) ||
        (found.empty() && failed(reportNoneOf(module, OpT::getOperationName()))))
      return this->signalPassFailure();
    for (OpT op : found)
      run(op);
  }

  /// Works on one of them; a network has layers only.
  virtual llvm::LogicalResult runOn(OpT op) = 0;

private:
  void run(OpT op) {
    if constexpr (std::is_same_v<OpT, arch::NetworkOp>)
      if (failed(requireOnlyLayers(op)))
        return this->signalPassFailure();
    if (failed(runOn(op)))
      this->signalPassFailure();
  }
};

} // namespace tr

#endif // RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_LEVELPASS_H
