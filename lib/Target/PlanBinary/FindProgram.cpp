// SPDX-License-Identifier: Apache-2.0
//
// The program that is asked for, in a module that may hold other things.
#include "renaissance/Target/PlanBinary/PlanTranslation.h"

#include "trf/nearest.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tr {

FailureOr<Operation *> chooseNetwork(ModuleOp module, ArrayRef<Operation *> networks,
                                     StringRef name) {
  if (name.empty() && networks.size() == 1)
    return networks.front();
  std::vector<std::string_view> names;
  for (Operation *network : networks) {
    StringRef found = SymbolTable::getSymbolName(network).getValue();
    if (!name.empty() && found == name)
      return network;
    names.push_back(toView(found));
  }
  // At the location, not by the op, which would print the whole module.
  std::string list = llvm::join(llvm::map_range(names, toRef), ", ");
  if (name.empty())
    return emitError(module.getLoc(), "expected --network NAME to choose one of ")
           << names.size() << " networks, but got none: " << list;
  std::string_view nearest = trf::findNearest(toView(name), names);
  return emitError(module.getLoc(), "expected a network '")
         << name << "', but got " << (names.empty() ? "none" : list)
         << (nearest.empty() ? "" : "; did you mean '" + std::string(nearest) + "'?");
}

FailureOr<graph::ProgramOp> findProgram(ModuleOp module, StringRef name) {
  SmallVector<Operation *> programs;
  for (auto program : module.getOps<graph::ProgramOp>())
    programs.push_back(program);
  if (programs.empty()) {
    InFlightDiagnostic diagnostic =
        emitError(module.getLoc(), "expected one tr.graph.program, but got 0");
    diagnostic.attachNote() << "--tr-compile of tr-opt makes one from a blueprint";
    return failure();
  }
  FailureOr<Operation *> chosen = chooseNetwork(module, programs, name);
  return failed(chosen) ? FailureOr<graph::ProgramOp>() : cast<graph::ProgramOp>(*chosen);
}

} // namespace tr
