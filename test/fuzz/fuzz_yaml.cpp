// SPDX-License-Identifier: Apache-2.0
//
// Bytes as YAML of tr.arch: read, and where there is a module, written and read again. Reading
// either succeeds without an error message or fails with one that has a place.
#include "fuzz.h"

#include "renaissance/Dialect/TR/IR/TRDialect.h"
#include "renaissance/Target/Yaml/YamlTranslation.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <string>

namespace {

// Names and locations stay in a context for its life, so it is renewed now and then.
mlir::MLIRContext &currentContext() {
  static std::unique_ptr<mlir::MLIRContext> context;
  static unsigned uses = 0;
  if (uses++ % 10000 == 0)
    context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
  return *context;
}

mlir::OwningOpRef<mlir::ModuleOp> read(llvm::StringRef text, unsigned &errors) {
  mlir::MLIRContext &context = currentContext();
  context.printOpOnDiagnostic(false);
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
      return mlir::success();
    ++errors;
    if (!llvm::isa<mlir::FileLineColLoc>(diagnostic.getLocation()))
      fuzz::finding("an error with line and column", diagnostic.str().c_str());
    return mlir::success();
  });
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "input.yaml"), {});
  mlir::OwningOpRef<mlir::ModuleOp> module = tr::yamlToArch(sources, &context);
  if (module && errors != 0)
    fuzz::finding("no error beside a module", "one");
  if (!module && errors == 0)
    fuzz::finding("an error where there is no module", "none");
  return module;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned errors = 0;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      read(llvm::StringRef(reinterpret_cast<const char *>(data), size), errors);
  if (!module)
    return 0;
  std::string text, again;
  llvm::raw_string_ostream first(text), second(again);
  if (mlir::failed(tr::archToYaml(*module, first)))
    fuzz::finding("a module that can be written", "another");
  mlir::OwningOpRef<mlir::ModuleOp> back = read(text, errors);
  if (!back || mlir::failed(tr::archToYaml(*back, second)) || text != again)
    fuzz::finding("the same text", again.c_str());
  return 0;
}
