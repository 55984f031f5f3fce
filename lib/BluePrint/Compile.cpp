// SPDX-License-Identifier: Apache-2.0
//
// The compiler as a function. Each call has a context of its own.
#include "renaissance/BluePrint/Compile.h"

#include "Import.h"
#include "renaissance/InitAll.h"
#include "renaissance/Target/PlanBinary/PlanTranslation.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tr::dsl {
namespace {

LogicalResult lower(ModuleOp module, const Options &options) {
  PassManager passes(module.getContext());
  CompilePipelineOptions pipeline;
  pipeline.batch = options.batch;
  pipeline.valBatch = options.valBatch;
  pipeline.trainSamples = options.trainSamples;
  pipeline.valSamples = options.valSamples;
  pipeline.dropLast = options.dropLast;
  pipeline.optimizer = options.optimizer;
  pipeline.slices = options.slices;
  pipeline.zeroGamma = options.zeroGamma;
  pipeline.target = options.target;
  pipeline.fuse = options.fuse;
  pipeline.winograd = options.winograd;
  pipeline.reuse = options.reuse;
  buildCompilePipeline(passes, pipeline);
  return passes.run(module);
}

} // namespace

std::string Plan::save(const std::string &path) const {
  // Through a temporary file and a rename: a reader never sees a part of a plan.
  llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os.write(reinterpret_cast<const char *>(data()), size());
    return llvm::Error::success();
  });
  if (!error)
    return std::string();
  return "cannot write '" + path + "': " + llvm::toString(std::move(error));
}

Result<Plan> compile(const BluePrint &network, const Options &options) {
  if (!network.ok())
    return Result<Plan>::failure(network.error());
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false); // the caller wrote no ops
  FaultCollector faults(context, network);
  OwningOpRef<ModuleOp> module = importNetwork(network, context);
  if (!module || failed(lower(*module, options)))
    return Result<Plan>::failure(faults.take());
  FailureOr<graph::ProgramOp> program = findProgram(*module);
  FailureOr<trf::PlanRecords> records =
      failed(program) ? FailureOr<trf::PlanRecords>() : exportPlan(*program);
  if (failed(records))
    return Result<Plan>::failure(faults.take());
  return Plan(trf::writeRecords(*records));
}

} // namespace tr::dsl
