// SPDX-License-Identifier: Apache-2.0
//
// Language server for .mlir files with this project's dialect: diagnostics while typing, types
// (and with them shapes) on hover, definitions and uses.
#include "renaissance/InitAll.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tr::registerAllDialects(registry);
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
