// SPDX-License-Identifier: Apache-2.0
//
// The pass driver: every pass and pipeline of the project on MLIR files.
#include "DebugOnly.h"

#include "renaissance/InitAll.h"

#include "support/UsageExit.h"
#include "support/Version.h"

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
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

namespace {

int reject(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return 2;
}

// The driver with chosen passes talking.
int debug(const std::vector<std::string> &flags, StringRef input, StringRef output,
          DialectRegistry &registry) {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (std::string unknown = tr::findUnknownPass(flags); !unknown.empty())
    return reject("--tr-debug-only: expected flags of passes, but got '" + unknown + "'");
  if (config.shouldEmitRemarks())
    return reject("--tr-debug-only: expected no --remarks-filter beside it");
  config.setPassPipelineSetupFn([plain = config, &flags](PassManager &pm) {
    return failure(failed(plain.setupPassPipeline(pm)) || failed(tr::debugPasses(pm, flags)));
  });
  std::string message;
  auto source = openInputFile(input, &message);
  auto target = source ? openOutputFile(output, &message) : nullptr;
  if (!target) {
    llvm::errs() << "error: " << message << '\n';
    return 1;
  }
  if (failed(MlirOptMain(target->os(), std::move(source), registry, config)))
    return 1;
  target->keep();
  return 0;
}

} // namespace

int main(int argc, char **argv) {
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
  if (!flags.empty())
    return debug(flags, input, output, registry);
  return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
}
