// SPDX-License-Identifier: Apache-2.0
//
// The pass driver: every pass and pipeline of the project on MLIR files.
#include "DebugOnly.h"
#include "Help.h"

#include "renaissance/InitAll.h"

#include "support/ForeignOptions.h"
#include "support/Output.h"
#include "support/StatisticsReport.h"
#include "support/UsageExit.h"
#include "support/Version.h"

#include "trs/process.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"

#include <optional>

using namespace mlir;

namespace {

// What this driver has beside the flags of upstream's.
struct OwnFlags {
  std::vector<std::string> debugged;
  tr::StatisticsReport report;
  llvm::cl::list<std::string, std::vector<std::string>> debugOnly{
      "tr-debug-only", llvm::cl::CommaSeparated, llvm::cl::location(debugged),
      llvm::cl::value_desc("flag,..."),
      llvm::cl::desc("Print what the passes with these flags work on, decide and change")};
  llvm::cl::opt<std::string> statistics{"tr-statistics", llvm::cl::ValueOptional,
                                        llvm::cl::value_desc("text or json"),
                                        llvm::cl::desc("Print what passes have counted")};
  llvm::cl::opt<std::string, true> statisticsOutput{
      "tr-statistics-output", llvm::cl::location(report.file), llvm::cl::value_desc("file"),
      llvm::cl::desc("Write what passes have counted to a file instead of standard error")};

  // After the command line was read. An exit code where a value is none.
  std::optional<int> finish();
};

class Driver {
public:
  Driver(const OwnFlags &flags, MlirOptMainConfig config)
      : flags(flags), config(std::move(config)) {}

  // An exit code where flags do not go together.
  std::optional<int> prepare();
  LogicalResult run(StringRef input, const std::string &output, DialectRegistry &registry);

private:
  LogicalResult process(StringRef input, const std::string &output, DialectRegistry &registry);
  LogicalResult listen(PassManager &pm);

  const OwnFlags &flags;
  MlirOptMainConfig config;
  tr::Statistics statistics;
};

int reject(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return 2;
}

LogicalResult fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return failure();
}

std::optional<int> OwnFlags::finish() {
  if (statistics.getNumOccurrences() == 0)
    return std::nullopt;
  report.format = tr::parseStatisticsFormat(statistics.empty() ? "text" : statistics.c_str());
  if (!report.format)
    return reject("--tr-statistics: expected text or json, but got '" + statistics + "'");
  return std::nullopt;
}

std::optional<int> Driver::prepare() {
  bool debugs = !flags.debugged.empty();
  if (!debugs && !flags.report.isWanted())
    return std::nullopt;
  if (std::string unknown = tr::findUnknownPass(flags.debugged); !unknown.empty())
    return reject("--tr-debug-only: expected flags of passes, but got '" + unknown + "'");
  if (config.shouldEmitRemarks())
    return reject(Twine(debugs ? "--tr-debug-only" : "--tr-statistics") +
                  ": expected no --remarks-filter beside it");
  config.setPassPipelineSetupFn([this, plain = config](PassManager &pm) {
    return failure(failed(plain.setupPassPipeline(pm)) || failed(listen(pm)));
  });
  return std::nullopt;
}

// To what passes say of their work; each part of the input has a context of its own.
LogicalResult Driver::listen(PassManager &pm) {
  std::vector<tr::RemarkListener> listeners;
  pm.getContext()->disableMultithreading();
  if (!flags.debugged.empty())
    listeners.push_back(tr::debugPasses(pm, flags.debugged));
  if (flags.report.isWanted())
    listeners.push_back(statistics.listen());
  return tr::listenToRemarks(*pm.getContext(), std::move(listeners));
}

// Reads and writes as upstream's driver, through a checked file.
LogicalResult Driver::process(StringRef input, const std::string &output,
                              DialectRegistry &registry) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> source = openInputFile(input, &message);
  if (!source)
    return fail(message);
  std::vector<trs::NamedPath> outputs = {{"-o", output}};
  if (!flags.report.file.empty())
    outputs.push_back({"--tr-statistics-output", flags.report.file});
  if (std::string fault = trs::checkDistinct({{"input", input.str()}}, outputs); !fault.empty())
    return fail(fault);
  if (!flags.report.file.empty())
    if (std::string fault = trs::checkWritable(flags.report.file); !fault.empty())
      return fail(fault);
  tr::FileStream target(output);
  if (target.good() && failed(MlirOptMain(target, std::move(source), registry, config)))
    return failure();
  return target.finish();
}

// Counts are told after an error too.
LogicalResult Driver::run(StringRef input, const std::string &output, DialectRegistry &registry) {
  LogicalResult done = process(input, output, registry);
  return success(succeeded(flags.report.write(statistics)) && succeeded(done));
}

} // namespace

int main(int argc, char **argv) {
  trs::prepareProcess();
  tr::guardOutput();
  tr::UsageExit usageExit;
  tr::setVersion("tr-opt");
  tr::hideForeignOptions(argc, argv);
  DialectRegistry registry;
  tr::registerAllDialects(registry);
  // What --tr-arch-to-linalg makes can be read again.
  registry.insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                  tensor::TensorDialect>();
  tr::registerAllPasses();
  OwnFlags flags;
  bool help = tr::wantsHelp(argc, argv);
  if (help)
    tr::printPasses();
  registerTransformsPasses();
  std::string header = registerCLIOptions("Renaissance pass driver\n", registry);
  if (help) {
    parseCLIOptions(1, argv, header); // which registers the rest
    tr::printOptions();
    return tr::finishOutput(0);
  }
  auto [input, output] = parseCLIOptions(argc, argv, header);
  if (std::optional<int> code = flags.finish())
    return *code;
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return tr::finishOutput(asMainReturnCode(MlirOptMain(argc, argv, input, output, registry)));
  Driver driver(flags, config);
  if (std::optional<int> code = driver.prepare())
    return *code;
  return tr::finishOutput(asMainReturnCode(driver.run(input, output, registry)));
}
