// SPDX-License-Identifier: Apache-2.0
//
// The pass driver: every pass and pipeline of the project on MLIR files.
#include "renaissance/InitAll.h"

#include "support/UsageExit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  tr::UsageExit usageExit;
  mlir::DialectRegistry registry;
  tr::registerAllDialects(registry);
  // What --tr-arch-to-linalg makes can be read again.
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                  mlir::math::MathDialect, mlir::tensor::TensorDialect>();
  tr::registerAllPasses();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Renaissance pass driver\n", registry));
}
