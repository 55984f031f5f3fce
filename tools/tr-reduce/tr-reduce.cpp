// SPDX-License-Identifier: Apache-2.0
//
// Makes a module smaller that a test script finds interesting, such as one that fails a pass:
//   tr-reduce x.mlir --reduction-tree='traversal-mode=0 test=script.sh'
#include "renaissance/InitAll.h"

#include "support/Output.h"
#include "support/Version.h"

#include "trs/process.h"

#include "mlir/Reducer/Passes.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  trs::prepareProcess();
  tr::guardOutput();
  tr::setVersion("tr-reduce");
  tr::registerAllPasses();
  mlir::registerReducerPasses();
  mlir::DialectRegistry registry;
  tr::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  return tr::finishOutput(failed(mlir::mlirReduceMain(argc, argv, context)));
}
