// SPDX-License-Identifier: Apache-2.0
//
// Translates between the project's file formats and MLIR. Upstream's driver writes its output as it
// goes, so that a failure leaves half a file; this one has the same flags and a checked output.
#include "Translations.h"

#include "renaissance/Target/PlanBinary/PlanTranslation.h"
#include "renaissance/Target/Yaml/YamlTranslation.h"
#include "support/Diagnostics.h"
#include "support/ForeignOptions.h"
#include "support/Output.h"
#include "support/UsageExit.h"
#include "support/Version.h"

#include "trs/process.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/ToolUtilities.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace {

// Flags of this run; upstream's drivers have the same.
struct Flags {
  llvm::cl::opt<std::string> input{llvm::cl::Positional, llvm::cl::desc("<input file>"),
                                   llvm::cl::init("-")};
  llvm::cl::opt<std::string> output{"o", llvm::cl::desc("Output file"),
                                    llvm::cl::value_desc("file"), llvm::cl::init("-")};
  llvm::cl::opt<bool> allowUnregistered{"allow-unregistered-dialect",
                                        llvm::cl::desc("Take ops of dialects that are not known")};
  llvm::cl::opt<bool> split{"split-input-file",
                            llvm::cl::desc("Translate the parts between lines '// -----' alone")};
  llvm::cl::opt<bool> verify{"verify-diagnostics",
                             llvm::cl::desc("Check diagnostics against expected-* comments")};
  llvm::cl::opt<std::string> network{
      "network", llvm::cl::desc("Network for --mlir-to-plan to take when the module holds several"),
      llvm::cl::value_desc("name")};
  llvm::cl::opt<const Translation *, false, TranslationParser> translation{
      "", llvm::cl::desc("Translations to perform"), llvm::cl::Required};
};

class Driver {
public:
  explicit Driver(const Flags &flags) : flags(flags) {}

  LogicalResult run();

private:
  LogicalResult translate(std::unique_ptr<llvm::MemoryBuffer> part, llvm::raw_ostream &os) const;

  const Flags &flags;
};

LogicalResult fail(const std::string &message) {
  llvm::errs() << "error: " << message << '\n';
  return failure();
}

LogicalResult Driver::translate(std::unique_ptr<llvm::MemoryBuffer> part,
                                llvm::raw_ostream &os) const {
  // What the modules of other compilers hold beside our networks.
  DialectRegistry upstream;
  registerAllDialects(upstream);
  MLIRContext context(upstream);
  context.allowUnregisteredDialects(flags.allowUnregistered);
  context.printOpOnDiagnostic(!flags.verify);
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(part), llvm::SMLoc());
  const Translation &translation = *flags.translation;
  if (!flags.verify) {
    tr::showWindows(*sources);
    SourceMgrDiagnosticHandler handler(*sources, &context);
    return translation(sources, os, &context);
  }
  // Whether it failed is for the comments to say.
  SourceMgrDiagnosticVerifierHandler handler(*sources, &context);
  (void)translation(sources, os, &context);
  return handler.verify();
}

LogicalResult Driver::run() {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> source =
      flags.translation->getInputAlignment()
          ? openInputFile(flags.input, *flags.translation->getInputAlignment(), &message)
          : openInputFile(flags.input, &message);
  if (!source)
    return fail(message);
  if (std::string fault = trs::checkDistinct({{"input", flags.input}}, {{"-o", flags.output}});
      !fault.empty())
    return fail(fault);
  tr::FileStream output(flags.output);
  if (!output.good())
    return output.finish();
  auto process = [&](std::unique_ptr<llvm::MemoryBuffer> part, llvm::raw_ostream &os) {
    return translate(std::move(part), os);
  };
  if (failed(splitAndProcessBuffer(std::move(source), process, output,
                                   flags.split ? kDefaultSplitMarker : "")))
    return failure();
  return output.finish();
}

} // namespace

int main(int argc, char **argv) {
  trs::prepareProcess();
  tr::guardOutput();
  tr::UsageExit usageExit;
  tr::setVersion("tr-translate");
  tr::hideForeignOptions(argc, argv);
  tr::registerBlueprintTranslations();
  tr::registerDotTranslation();
  const Flags *parsed = nullptr;
  tr::registerPlanTranslations([&parsed] { return parsed->network.getValue(); });
  tr::registerTableReference();
  tr::registerYamlTranslations();
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerTranslationCLOptions();
  Flags flags;
  parsed = &flags;
  llvm::cl::ParseCommandLineOptions(argc, argv, "Renaissance translation driver\n");
  return tr::finishOutput(failed(Driver(flags).run()));
}
