// SPDX-License-Identifier: Apache-2.0
//
// Bytes as BluePrint text: imported, and where there is a module, verified. An import
// either succeeds without an error message or fails with one that has a place.
#include "fuzz.h"

#include "renaissance/Target/Blueprint/BlueprintImporter.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <string>

namespace {

// Names and locations stay in a context for its life, so it is renewed now and then.
mlir::MLIRContext &currentContext() {
  static std::unique_ptr<mlir::MLIRContext> context;
  static unsigned uses = 0;
  if (uses++ % 10000 == 0) {
    context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
    context->loadDialect<tr::TRDialect>();
  }
  return *context;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext &context = currentContext();
  unsigned errors = 0;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
      return mlir::success();
    ++errors;
    const std::string text = diagnostic.str();
    if (!diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>())
      fuzz::finding("an error with line and column", text.c_str());
    if (text.empty() || text.find('\n') != std::string::npos)
      fuzz::finding("one line", text.c_str());
    return mlir::success();
  });
  llvm::SourceMgr sources;
  const llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "input.bp"), {});
  const mlir::OwningOpRef<mlir::ModuleOp> module = tr::importBlueprint(sources, &context);
  if (module && errors != 0)
    fuzz::finding("no error beside a module", "one");
  if (!module && errors == 0)
    fuzz::finding("an error where there is no module", "none");
  if (module && mlir::failed(mlir::verify(*module)))
    fuzz::finding("a module that the verifier accepts", "another");
  return 0;
}
