// SPDX-License-Identifier: Apache-2.0
//
// `--dump-dir D`: the IR after each pass that changed it, and a page that shows the changes.
#ifndef RENAISSANCE_TOOLS_TR_COMPILE_DUMPDIR_H
#define RENAISSANCE_TOOLS_TR_COMPILE_DUMPDIR_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassInstrumentation.h"

#include <string>
#include <vector>

namespace tr {

/// One step of the pipeline that changed the module.
struct DumpStep {
  std::string name, file, text; // of the pass, in the folder, the IR after it
};

/// Collects steps while passes run. Files are written by `write`.
class DumpRecorder {
public:
  explicit DumpRecorder(mlir::ModuleOp module) : module(module) { record("input"); }

  /// To be added to a pass manager.
  std::unique_ptr<mlir::PassInstrumentation> createInstrumentation();
  void record(llvm::StringRef name);
  /// NN-pass.mlir and index.html in `folder`, which is made. Returns an empty string or what
  /// failed.
  std::string write(const std::string &folder) const;

private:
  mlir::ModuleOp module;
  std::vector<DumpStep> steps;
};

/// A page of its own: each step beside the one before, long unchanged parts left out.
std::string renderSteps(llvm::ArrayRef<DumpStep> steps);

} // namespace tr

#endif // RENAISSANCE_TOOLS_TR_COMPILE_DUMPDIR_H
