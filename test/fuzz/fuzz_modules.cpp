// SPDX-License-Identifier: Apache-2.0
//
// Modules of every level, mutated as text and as IR. Whatever verifies goes through passes in an
// order that its bytes draw: a pass works or reports an error, and what it leaves prints and parses
// back. Comments of the form `// --tr-...` fix the first passes.
#include "module_mutations.h"

#include "renaissance/Dialect/TR/IR/BPOps.h"
#include "renaissance/InitAll.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

using namespace mlir;

namespace {

constexpr const char *kPasses[] = {
    "tr-verify-bp",
    "tr-arch-expand-tree",
    "tr-arch-rename-bn",
    "tr-arch-normalize-softmax-ce",
    "tr-arch-normalize-identity",
    "tr-arch-infer-shapes",
    "tr-arch-normalize-flatten",
    "tr-arch-merge-blocks",
    "tr-arch-merge-cbrp",
    "tr-arch-merge-cbr",
    "tr-arch-merge-gap-fc",
    "tr-arch-check-kernels",
    "tr-arch-mark-first-layer",
    "tr-verify-arch",
    "tr-arch-pipeline",
    "tr-arch-to-linalg",
    "tr-attach-options",
    "tr-arch-to-graph",
    "tr-graph-share-variants",
    "tr-graph-choose-algorithms",
    "tr-graph-schedule",
    "tr-graph-place-memory",
    "tr-verify-graph",
    "tr-graph-pipeline",
};
constexpr size_t kSteps = 6;

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out);
  return text;
}

// What takes long because it is large says nothing more.
bool isLarge(ModuleOp module) {
  double visits = 1, elements = 0;
  module.walk([&](Operation *op) {
    if (auto repeat = dyn_cast<tr::bp::RepeatOp>(op))
      visits *= static_cast<double>(repeat.getTimes());
    for (Value result : op->getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType())) {
        double count = 1;
        for (int64_t extent : type.getShape())
          count *= ShapedType::isDynamic(extent) ? 1 : static_cast<double>(extent);
        elements = std::max(elements, count);
      }
  });
  return visits > 200 || elements > 1e6;
}

void checkRoundTrip(ModuleOp module, const char *after) {
  std::string text = print(module);
  OwningOpRef<ModuleOp> back = fuzz::parseModule(text, /*verify=*/true);
  if (!back)
    fuzz::finding("text that parses", (std::string("after ") + after + ":\n" + text).c_str());
  if (print(*back) != text)
    fuzz::finding("the same text again",
                  (std::string("after ") + after + ":\n" + text + print(*back)).c_str());
}

// Passes that the text asks for, then any.
std::vector<std::string> drawPasses(StringRef text) {
  std::vector<std::string> passes;
  for (StringRef rest = text; rest.consume_front("// --");) {
    auto [flag, after] = rest.split('\n');
    if (llvm::is_contained(kPasses, flag))
      passes.push_back(flag.str());
    rest = after;
  }
  fuzz::Random random(static_cast<unsigned>(llvm::hash_value(text)) | 1U);
  while (passes.size() < kSteps)
    passes.push_back(kPasses[random.below(std::size(kPasses))]);
  return passes;
}

void registerPassesOnce() {
  [[maybe_unused]] static const bool done = [] {
    tr::registerAllPasses();
    return true;
  }();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  registerPassesOnce();
  fuzz::renewModuleContext();
  StringRef text(reinterpret_cast<const char *>(data), size);
  MLIRContext &context = fuzz::moduleContext();
  unsigned errors = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return success();
  });
  OwningOpRef<ModuleOp> module = fuzz::parseModule(text, /*verify=*/true);
  if (!module) {
    if (errors == 0)
      fuzz::finding("an error where there is no module", "none");
    return 0;
  }
  if (isLarge(*module))
    return 0;
  checkRoundTrip(*module, "parsing");
  for (const std::string &flag : drawPasses(text)) {
    PassManager pm(&context);
    if (failed(parsePassPipeline(flag, pm)))
      fuzz::finding("a pass", flag.c_str());
    errors = 0;
    if (failed(pm.run(*module))) {
      if (errors == 0)
        fuzz::finding("an error of a pass that fails", flag.c_str());
      return 0;
    }
    checkRoundTrip(*module, flag.c_str());
    if (isLarge(*module))
      return 0;
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  fuzz::Random random(seed | 1U);
  std::string text(reinterpret_cast<const char *>(data), size);
  size_t way = random.below(8);
  if (way == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  ScopedDiagnosticHandler handler(&fuzz::moduleContext(), [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module;
  if (way > 2)
    module = fuzz::parseModule(text, /*verify=*/false);
  if (module) {
    fuzz::mutateModule(*module, random);
    text.clear();
    llvm::raw_string_ostream out(text);
    module->print(out, OpPrintingFlags().printGenericOpForm().assumeVerified());
  } else {
    text = fuzz::mutateText(std::move(text), random);
  }
  size_t given = fuzz::give({text.begin(), text.end()}, data, maxSize);
  return given == 0 ? size : given;
}
