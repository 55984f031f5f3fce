// SPDX-License-Identifier: Apache-2.0
//
// What passes say while they work, in every build of LLVM: lines go out as analysis remarks, which
// `tr-opt --tr-debug-only=<flag>` prints.
#ifndef RENAISSANCE_DIALECT_TR_TRANSFORMS_TRACE_H
#define RENAISSANCE_DIALECT_TR_TRANSFORMS_TRACE_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

namespace tr {

/// A line of the pass with this flag about `where`. `text` is only called where somebody listens.
inline void trace(mlir::Location where, llvm::StringRef flag,
                  llvm::function_ref<std::string()> text) {
  if (!where->getContext()->getRemarkEngine())
    return;
  mlir::remark::analysis(where, mlir::remark::RemarkOpts::name("Trace").category(flag))
      << mlir::remark::metric("Trace", text());
}

/// Traces what patterns do and why they do not match; passes everything on to `next`.
class TraceListener : public mlir::RewriterBase::ForwardingListener {
public:
  explicit TraceListener(llvm::StringRef flag, mlir::OpBuilder::Listener *next = nullptr)
      : ForwardingListener(next), flag(flag) {}

  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint previous) override {
    say(op, "new: ");
    ForwardingListener::notifyOperationInserted(op, previous);
  }
  void notifyOperationErased(mlir::Operation *op) override {
    say(op, "erased: ");
    ForwardingListener::notifyOperationErased(op);
  }
  void notifyMatchFailure(mlir::Location loc,
                          llvm::function_ref<void(mlir::Diagnostic &)> describe) override {
    trace(loc, flag, [&] {
      mlir::Diagnostic reason(loc, mlir::DiagnosticSeverity::Remark);
      describe(reason);
      return "no match: " + reason.str();
    });
    ForwardingListener::notifyMatchFailure(loc, describe);
  }

private:
  void say(mlir::Operation *op, llvm::StringRef what) {
    trace(op->getLoc(), flag, [&] { return (what + op->getName().getStringRef()).str(); });
  }
  llvm::StringRef flag;
};

} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_TRANSFORMS_TRACE_H
