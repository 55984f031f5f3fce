// SPDX-License-Identifier: Apache-2.0
//
// The pass driver: every pass and pipeline of the project on MLIR files.
#include "renaissance/InitAll.h"

#include "support/UsageExit.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  tr::UsageExit usageExit;
  mlir::DialectRegistry registry;
  tr::registerAllDialects(registry);
  tr::registerAllPasses();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Renaissance pass driver\n", registry));
}
