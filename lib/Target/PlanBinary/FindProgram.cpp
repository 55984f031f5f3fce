// SPDX-License-Identifier: Apache-2.0
//
// The program that is asked for, in a module that may hold other things.
#include "renaissance/Target/PlanBinary/PlanTranslation.h"

using namespace mlir;

namespace tr {

FailureOr<graph::ProgramOp> findProgram(ModuleOp module) {
  auto programs = llvm::to_vector(module.getOps<graph::ProgramOp>());
  if (programs.size() == 1)
    return programs.front();
  InFlightDiagnostic diagnostic = module.emitError("expected one tr.graph.program, but got ")
                                  << programs.size();
  if (programs.empty())
    diagnostic.attachNote() << "--tr-compile of tr-opt makes one from a blueprint";
  return failure();
}

} // namespace tr
