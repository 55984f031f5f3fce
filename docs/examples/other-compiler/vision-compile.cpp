// SPDX-License-Identifier: Apache-2.0
//
// A compiler of its own: reads the dialect `vision`, runs its pass and the pipeline of Renaissance
// in one PassManager, and writes a plan. MLIR's own flags (--mlir-print-ir-after-all, ...) work.
#include "Vision.h"

#include "renaissance/InitAll.h"
#include "renaissance/Target/PlanBinary/PlanTranslation.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

namespace {
struct Flags {
  llvm::cl::opt<std::string> input{llvm::cl::Positional, llvm::cl::Required,
                                   llvm::cl::desc("INPUT")};
  llvm::cl::opt<std::string> output{"o", llvm::cl::Required, llvm::cl::desc("the plan")};
  llvm::cl::opt<unsigned> batch{"batch", llvm::cl::init(24), llvm::cl::desc("samples of a step")};
  llvm::cl::opt<bool> plain{"plain", llvm::cl::desc("no layer of our own")};
};
} // namespace

// The plan of the only program; null: it could not be parsed.
static FailureOr<std::vector<uint8_t>> compile(ModuleOp module, const Flags &flags) {
  if (!module)
    return failure();
  PassManager passes(module.getContext());
  if (failed(applyPassManagerCLOptions(passes)))
    return failure();
  tr::CompileOptions options; // the flags of tr-compile are its members
  options.batch = flags.batch;
  passes.addPass(vision::createToNetworkPass(flags.plain));
  tr::buildCompilePipeline(passes, options);
  if (failed(passes.run(module)))
    return failure();
  FailureOr<tr::graph::ProgramOp> program = tr::findProgram(module);
  if (failed(program))
    return failure();
  FailureOr<trf::PlanRecords> records = tr::exportPlan(*program);
  if (failed(records))
    return failure();
  return trf::writeRecords(*records);
}

int main(int argc, char **argv) {
  Flags flags;
  registerPassManagerCLOptions();
  llvm::cl::ParseCommandLineOptions(argc, argv, "compiler of classifiers\n");

  DialectRegistry registry;
  registry.insert<vision::VisionDialect>();
  tr::registerAllDialects(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false); // the user wrote no layers
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler errors(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(flags.input, sources, &context);
  FailureOr<std::vector<uint8_t>> plan = compile(*module, flags);
  if (failed(plan))
    return 1;

  std::string fault;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(flags.output, &fault);
  if (!file) {
    llvm::errs() << "error: " << fault << '\n';
    return 1;
  }
  file->os().write(reinterpret_cast<const char *>(plan->data()), plan->size());
  file->keep();
  return 0;
}
