// SPDX-License-Identifier: Apache-2.0
//
// tr.graph to plan file and back. The two are inverse: exporting what was imported
// gives the same bytes.
#ifndef RENAISSANCE_TARGET_PLANBINARY_PLANTRANSLATION_H
#define RENAISSANCE_TARGET_PLANBINARY_PLANTRANSLATION_H

#include "renaissance/Dialect/TR/IR/GraphOps.h"

#include "trf/plan.h"
#include "trf/plan_records.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>
#include <string>

namespace tr {

/// The records of `program`, which every reader of plans takes. Reports what a plan cannot hold,
/// such as a program that not all passes have gone over, and what the checks of the format refuse,
/// at the op that it is about.
mlir::FailureOr<trf::PlanRecords> exportPlan(graph::ProgramOp program);

/// The two halves of exportPlan(): the records of a program that verifies, and the checks of the
/// plan format (V10 to V60 of docs/plan-format.md) on the records of `program`.
mlir::FailureOr<trf::PlanRecords> makeRecords(graph::ProgramOp program);
mlir::LogicalResult checkRecords(graph::ProgramOp program, const trf::PlanRecords &records);

/// The op called `name`, or without a name the only one, of `networks`: ops of `module` that have
/// symbol names. Errors list the networks.
mlir::FailureOr<mlir::Operation *> chooseNetwork(mlir::ModuleOp module,
                                                 llvm::ArrayRef<mlir::Operation *> networks,
                                                 llvm::StringRef name);

/// The program of `module` that is called `name`; without a name the only one. What else the
/// module holds does not matter.
mlir::FailureOr<graph::ProgramOp> findProgram(mlir::ModuleOp module, llvm::StringRef name = {});

/// A module with `#tr.options` and one program. The plan was checked when it was read; null after
/// an error where an attribute cannot hold what it says.
mlir::OwningOpRef<mlir::ModuleOp> importPlan(const trf::Plan &plan, mlir::Location loc);

/// Registers --mlir-to-plan and --plan-to-mlir with a translation driver. `getNetwork` says which
/// network of a module to take; empty: the only one.
void registerPlanTranslations(std::function<std::string()> getNetwork = [] { return ""; });

} // namespace tr

#endif // RENAISSANCE_TARGET_PLANBINARY_PLANTRANSLATION_H
