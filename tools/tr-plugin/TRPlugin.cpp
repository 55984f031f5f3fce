// SPDX-License-Identifier: Apache-2.0
//
// The dialect and every pass for tools that know nothing of this project:
//   mlir-opt --load-dialect-plugin=libTRPlugin.so --load-pass-plugin=libTRPlugin.so ...
// A tool that has them already gets an error: MLIR itself would abort on the second dialect or pass
// of a name, and its plugin interface has no way to hand an error back.
#include "renaissance/InitAll.h"

#include "trf/version.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

static constexpr const char *kName = "Renaissance";

// Before anything of the tool runs.
[[noreturn]] static void refuse(llvm::StringRef what, llvm::StringRef flag) {
  llvm::errs() << "error: libTRPlugin.so: expected a tool without " << what
               << ", but got one that has it; leave out " << flag << '\n';
  std::exit(1);
}

static void addDialects(mlir::DialectRegistry *registry) {
  const llvm::StringRef name = tr::TRDialect::getDialectNamespace();
  if (llvm::is_contained(registry->getDialectNames(), name))
    refuse("the dialect 'tr'", "--load-dialect-plugin");
  tr::registerAllDialects(*registry);
}

static void addPasses() {
  const llvm::StringRef pass = "tr-attach-options"; // as good as any: they come together
  if (mlir::PassInfo::lookup(pass))
    refuse("the pass 'tr-attach-options'", "--load-pass-plugin");
  tr::registerAllPasses();
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, TRF_VERSION, addDialects};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, TRF_VERSION, addPasses};
}
