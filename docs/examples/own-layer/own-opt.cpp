// SPDX-License-Identifier: Apache-2.0
//
// A pass driver with the passes of Renaissance and the own one.
#include "Own.h"

#include "renaissance/InitAll.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tr::registerAllDialects(registry);
  registry.insert<own::OwnDialect>();
  tr::registerAllPasses();
  own::registerPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "own pass driver\n", registry));
}
