// SPDX-License-Identifier: Apache-2.0
//
// Lines are "place: [flag] text".
#include "DebugOnly.h"

#include "renaissance/Dialect/TR/Transforms/Counts.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tr {
namespace {

void printLine(Location loc, StringRef flag, const Twine &text) {
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    llvm::errs() << file.getFilename().getValue() << ':' << file.getLine() << ':'
                 << file.getColumn() << ": ";
  llvm::errs() << '[' << flag << "] " << text << '\n';
}

StringRef prefixOf(const remark::detail::Remark &remark) {
  switch (remark.getRemarkType()) {
  case llvm::remarks::Type::Passed:
    return "done: ";
  case llvm::remarks::Type::Missed:
    return "missed: ";
  case llvm::remarks::Type::Failure:
    return "failed: ";
  default:
    return "";
  }
}

void printRemark(const remark::detail::Remark &remark) {
  bool isCount = remark.getRemarkName() == kCountRemark;
  std::string text;
  for (const remark::detail::Remark::Arg &arg : remark.getArgs()) {
    if (isCount && arg.val == "0")
      return; // says nothing that the other lines do not
    bool plain = arg.key == "Trace" || arg.key == "Reason" || arg.key == "Remark";
    text += (text.empty() ? "" : ", ") + (plain ? arg.val : arg.key + " = " + arg.val);
  }
  printLine(remark.getLocation(), remark.getCategoryName(), prefixOf(remark) + text);
}

class Instrumentation final : public PassInstrumentation {
public:
  explicit Instrumentation(const std::vector<std::string> &flags) : flags(flags) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (!isChosen(pass))
      return;
    before.emplace(op);
    printLine(op->getLoc(), pass->getArgument(), "begins on " + describe(op));
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    if (!isChosen(pass))
      return;
    bool changed = *before != OperationFingerPrint(op);
    printLine(op->getLoc(), pass->getArgument(),
              (changed ? "has changed " : "has not changed ") + describe(op));
  }
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    if (isChosen(pass))
      printLine(op->getLoc(), pass->getArgument(), "has failed on " + describe(op));
  }

private:
  bool isChosen(Pass *pass) const { return llvm::is_contained(flags, pass->getArgument()); }
  static std::string describe(Operation *op) {
    std::string text = op->getName().getStringRef().str();
    if (auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      text += " @" + name.str();
    size_t inside = 0;
    op->walk([&](Operation *) { ++inside; });
    return text + ", " + std::to_string(inside - 1) + " ops inside";
  }

  std::vector<std::string> flags;
  std::optional<OperationFingerPrint> before; // of the op that the running pass works on
};

} // namespace

std::string findUnknownPass(ArrayRef<std::string> flags) {
  auto unknown = llvm::find_if(flags, [](StringRef flag) { return !PassInfo::lookup(flag); });
  return unknown == flags.end() ? "" : *unknown;
}

RemarkListener debugPasses(PassManager &pm, const std::vector<std::string> &flags) {
  pm.addInstrumentation(std::make_unique<Instrumentation>(flags));
  RemarkListener listener;
  remark::RemarkCategories &chosen = listener.categories;
  chosen.passed = chosen.missed = chosen.analysis = chosen.failed = llvm::join(flags, "|");
  listener.hear = printRemark;
  return listener;
}

} // namespace tr
