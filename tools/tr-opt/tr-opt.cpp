// SPDX-License-Identifier: Apache-2.0
//
// The pass driver: every pass and pipeline of the project on MLIR files.
#include "DebugOnly.h"

#include "renaissance/InitAll.h"

#include "support/Output.h"
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

int reject(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return 2;
}

// Reads and writes as upstream's driver, through a checked file.
LogicalResult process(StringRef input, const std::string &output, DialectRegistry &registry,
                      const MlirOptMainConfig &config) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> source = openInputFile(input, &message);
  if (!source) {
    llvm::errs() << "error: " << message << '\n';
    return failure();
  }
  if (std::string fault = trs::checkDistinct({{"input", input.str()}}, {{"-o", output}});
      !fault.empty()) {
    llvm::errs() << "error: " << fault << '\n';
    return failure();
  }
  tr::FileStream target(output);
  if (target.good() && failed(MlirOptMain(target, std::move(source), registry, config)))
    return failure();
  return target.finish();
}

// Lets chosen passes talk.
std::optional<int> addDebugging(MlirOptMainConfig &config, const std::vector<std::string> &flags) {
  if (std::string unknown = tr::findUnknownPass(flags); !unknown.empty())
    return reject("--tr-debug-only: expected flags of passes, but got '" + unknown + "'");
  if (config.shouldEmitRemarks())
    return reject("--tr-debug-only: expected no --remarks-filter beside it");
  config.setPassPipelineSetupFn([plain = config, &flags](PassManager &pm) {
    return failure(failed(plain.setupPassPipeline(pm)) || failed(tr::debugPasses(pm, flags)));
  });
  return std::nullopt;
}

} // namespace

int main(int argc, char **argv) {
  trs::prepareProcess();
  tr::guardOutput();
  tr::UsageExit usageExit;
  tr::setVersion("tr-opt");
  DialectRegistry registry;
  tr::registerAllDialects(registry);
  // What --tr-arch-to-linalg makes can be read again.
  registry.insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                  tensor::TensorDialect>();
  tr::registerAllPasses();
  registerTransformsPasses();

  std::vector<std::string> flags;
  llvm::cl::list<std::string, std::vector<std::string>> debugOnly(
      "tr-debug-only", llvm::cl::CommaSeparated, llvm::cl::location(flags),
      llvm::cl::value_desc("flag,..."),
      llvm::cl::desc("Print what the passes with these flags work on, decide and change"));
  auto [input, output] =
      registerAndParseCLIOptions(argc, argv, "Renaissance pass driver\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return tr::finishOutput(asMainReturnCode(MlirOptMain(argc, argv, input, output, registry)));
  if (!flags.empty())
    if (std::optional<int> code = addDebugging(config, flags))
      return *code;
  return tr::finishOutput(asMainReturnCode(process(input, output, registry, config)));
}
