// SPDX-License-Identifier: Apache-2.0
//
// Everything prints itself, as in LLVM's help; only the order is ours.
#include "Help.h"

#include "renaissance/Pipelines/Pipelines.h"

#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace tr {

bool wantsHelp(int argc, char **argv) {
  for (int i = 1; i < argc && llvm::StringRef(argv[i]) != "--"; ++i)
    if (llvm::is_contained({"--help", "-help", "--h", "-h"}, llvm::StringRef(argv[i])))
      return true;
  return false;
}

static void printPipelines() {
  size_t width = 0;
  for (llvm::StringRef flag : getPipelineFlags())
    width = std::max(width, mlir::PassPipelineInfo::lookup(flag)->getOptionWidth() + 4);
  llvm::outs() << "Pass Pipelines:\n";
  for (llvm::StringRef flag : getPipelineFlags())
    mlir::PassPipelineInfo::lookup(flag)->printHelpStr(/*indent=*/2, width);
}

void printPasses() {
  llvm::outs() << "OVERVIEW: Renaissance pass driver\n\n"
                  "USAGE: tr-opt [options] <input file>\n\n";
  printPipelines();
  llvm::outs() << '\n';
  mlir::printRegisteredPasses();
  llvm::outs() << "\nMLIR's own passes: --list-passes. Pipelines in text: --pass-pipeline.\n";
}

void printOptions() {
  std::vector<const llvm::cl::Option *> options;
  size_t width = 0;
  for (auto &entry : llvm::cl::getRegisteredOptions()) {
    const llvm::cl::Option *option = entry.second;
    if (option->getOptionHiddenFlag() != llvm::cl::NotHidden || !option->hasArgStr())
      continue;
    options.push_back(option);
    width = std::max(width, option->getOptionWidth());
  }
  auto nameOf = [](const llvm::cl::Option *option) { return option->ArgStr; };
  llvm::sort(options, [&](auto *a, auto *b) { return nameOf(a) < nameOf(b); });
  options.erase(std::unique(options.begin(), options.end()), options.end()); // of several names
  llvm::outs() << "\nOptions, without those of LLVM's code generators, which --help-all shows:\n";
  for (const llvm::cl::Option *option : options)
    option->printOptionInfo(width);
}

} // namespace tr
