// SPDX-License-Identifier: Apache-2.0
//
// Makes a module smaller that a test script finds interesting, such as one that fails a pass:
//   tr-reduce x.mlir --reduction-tree='traversal-mode=0 test=script.sh'
// Upstream's driver with a checked output.
#include "renaissance/InitAll.h"

#include "support/ForeignOptions.h"
#include "support/Output.h"
#include "support/UsageExit.h"
#include "support/Version.h"

#include "trs/process.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Reducer/Passes.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace {

LogicalResult fail(const std::string &message) {
  llvm::errs() << "error: " << message << '\n';
  return failure();
}

LogicalResult reduceFile(const std::string &input, const std::string &outputPath,
                         const PassPipelineCLParser &passes, MLIRContext &context) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> source = openInputFile(input, &message);
  if (!source)
    return fail(message);
  if (std::string fault = trs::checkDistinct({{"input", input}}, {{"-o", outputPath}});
      !fault.empty())
    return fail(fault);
  tr::FileStream output(outputPath);
  if (!output.good())
    return output.finish();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(source), llvm::SMLoc());
  OwningOpRef<ModuleOp> module;
  {
    SourceMgrDiagnosticHandler handler(sources, &context);
    module = parseSourceFile<ModuleOp>(sources, &context);
  }
  if (!module)
    return failure();
  // Candidates fail on purpose; their errors are for the test script to see.
  PassManager manager(&context);
  auto report = [](const Twine &fault) { return fail(fault.str()); };
  if (failed(passes.addToPipeline(manager, report)) || failed(manager.run(*module)))
    return failure();
  module->print(output);
  return output.finish();
}

} // namespace

int main(int argc, char **argv) {
  trs::prepareProcess();
  tr::guardOutput();
  tr::UsageExit usageExit;
  tr::setVersion("tr-reduce");
  tr::hideForeignOptions(argc, argv);
  tr::registerAllPasses();
  registerReducerPasses();
  DialectRegistry registry;
  tr::registerAllDialects(registry);
  MLIRContext context(registry);
  llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::desc("<input file>"),
                                   llvm::cl::init("-"));
  llvm::cl::opt<std::string> output("o", llvm::cl::desc("Output file"),
                                    llvm::cl::value_desc("file"), llvm::cl::init("-"));
  PassPipelineCLParser passes("", "Reduction passes to run");
  llvm::cl::ParseCommandLineOptions(argc, argv, "Renaissance reduction of MLIR files\n");
  return tr::finishOutput(failed(reduceFile(input, output, passes, context)));
}
