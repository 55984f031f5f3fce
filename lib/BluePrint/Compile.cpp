// SPDX-License-Identifier: Apache-2.0
//
// The compiler as a function. Each call has a context of its own.
#include "renaissance/BluePrint/Compile.h"

#include "Import.h"
#include "renaissance/InitAll.h"
#include "renaissance/Options/CheckOptions.h"
#include "renaissance/Target/PlanBinary/PlanTranslation.h"

#include "trs/output_file.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tr::dsl {

std::string Plan::save(const std::string &path) const {
  return trs::writeWholeFile(path, {reinterpret_cast<const char *>(data()), size()});
}

// Of the network and of the options, a line each.
static std::string findFaults(const BluePrint &network, const Options &options) {
  std::string faults = network.error();
  for (const std::string &fault : checkOptions(options))
    faults += (faults.empty() ? "" : "\n") + network.name() + ": error: option " + fault;
  return faults;
}

Result<Plan> compile(const BluePrint &network, const Options &options) {
  if (std::string faults = findFaults(network, options); !faults.empty())
    return Result<Plan>::failure(std::move(faults));
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false); // the caller wrote no ops
  FaultCollector faults(context, network);
  OwningOpRef<ModuleOp> module = importNetwork(network, context);
  PassManager passes(&context);
  buildCompilePipeline(passes, options);
  if (!module || failed(passes.run(*module)))
    return Result<Plan>::failure(faults.take());
  FailureOr<graph::ProgramOp> program = findProgram(*module);
  // The pipeline ends with the checks that exportPlan() would run.
  FailureOr<trf::PlanRecords> records =
      failed(program) ? FailureOr<trf::PlanRecords>() : makeRecords(*program);
  if (failed(records))
    return Result<Plan>::failure(faults.take());
  return Plan(trf::writeRecords(*records));
}

} // namespace tr::dsl
