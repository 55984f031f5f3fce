// SPDX-License-Identifier: Apache-2.0
//
// The dialect and every pass for tools that know nothing of this project:
//   mlir-opt --load-dialect-plugin=libTRPlugin.so --load-pass-plugin=libTRPlugin.so ...
#include "renaissance/InitAll.h"

#include "trf/version.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/Compiler.h"

static constexpr const char *kName = "Renaissance";

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, TRF_VERSION,
          [](mlir::DialectRegistry *registry) { tr::registerAllDialects(*registry); }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, TRF_VERSION, [] { tr::registerAllPasses(); }};
}
