// SPDX-License-Identifier: Apache-2.0
//
// Language server: for .mlir files with this project's dialect and upstream's (diagnostics while
// typing, types and with them shapes on hover, definitions and uses), with --bp for BluePrints.
#include "BlueprintServer.h"

#include "renaissance/InitAll.h"

#include "support/ForeignOptions.h"
#include "support/Output.h"
#include "support/Version.h"

#include "trs/process.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"

int main(int argc, char **argv) {
  trs::prepareProcess();
  tr::guardOutput();
  tr::setVersion("tr-lsp-server");
  tr::hideForeignOptions(argc, argv);
  // Looked at by hand, because MLIR's main parses the command line; declared for --help.
  llvm::cl::opt<bool> bp("bp", llvm::cl::desc("Serve BluePrint files (.bp) instead of .mlir"));
  auto has = [&](llvm::StringRef flag) {
    return llvm::is_contained(llvm::ArrayRef(argv + 1, argv + argc), flag);
  };
  if (has("--bp") && !has("--help"))
    return tr::runBlueprintServer(/*test=*/has("--lit-test"));
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry); // modules may hold what ours becomes, or comes from
  mlir::registerAllExtensions(registry);
  tr::registerAllDialects(registry);
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
