// SPDX-License-Identifier: Apache-2.0
//
// Every pass on every level, twice: networks of the zoo after each pass of the pipelines, and each
// pass on each of these. The second run leaves what the first one left, or is an error that says
// what was expected.
#include "renaissance/InitAll.h"
#include "renaissance/Target/Blueprint/BlueprintImporter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

// In the order of the pipelines.
constexpr const char *kPipeline[] = {"tr-attach-options",          "tr-arch-expand-tree",
                                     "tr-arch-rename-bn",          "tr-arch-normalize-softmax-ce",
                                     "tr-arch-normalize-identity", "tr-arch-infer-shapes",
                                     "tr-arch-normalize-flatten",  "tr-arch-merge-blocks",
                                     "tr-arch-merge-cbrp",         "tr-arch-merge-cbr",
                                     "tr-arch-merge-gap-fc",       "tr-arch-check-kernels",
                                     "tr-arch-mark-first-layer",   "tr-verify-arch",
                                     "tr-arch-to-graph",           "tr-graph-share-variants",
                                     "tr-graph-choose-algorithms", "tr-graph-schedule",
                                     "tr-graph-place-memory",      "tr-verify-graph"};
// What else there is.
constexpr const char *kOthers[] = {"tr-verify-bp", "tr-arch-to-linalg", "tr-arch-pipeline",
                                   "tr-graph-pipeline", "tr-compile"};

class PassesTwice : public testing::TestWithParam<const char *> {
protected:
  PassesTwice() : context(registry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  static DialectRegistry registry() {
    DialectRegistry dialects;
    tr::registerAllDialects(dialects);
    return dialects;
  }

  OwningOpRef<ModuleOp> read() {
    std::string path = std::string(TR_MODELS_PATH) + "/" + GetParam() + ".bp";
    auto file = llvm::MemoryBuffer::getFile(path);
    if (!file)
      return {};
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(std::move(*file), {});
    return tr::importBlueprint(sources, &context);
  }

  // Empty where the pass works, else its first error.
  std::string run(ModuleOp module, StringRef flag) {
    std::string error;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (error.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
        error = diagnostic.str();
      return success();
    });
    PassManager pm(&context);
    EXPECT_TRUE(succeeded(parsePassPipeline(flag, pm)));
    bool works = succeeded(pm.run(module));
    EXPECT_EQ(works, error.empty()) << flag.str() << ": " << error;
    return works ? "" : error.empty() ? "no message" : error;
  }

  static std::string print(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream out(text);
    module.print(out);
    return text;
  }

  void runTwice(ModuleOp stage, StringRef after, StringRef flag) {
    OwningOpRef<ModuleOp> module = stage.clone();
    std::string what = (flag + " after " + after).str();
    for (bool again : {false, true}) {
      std::string before = print(*module);
      std::string error = run(*module, flag);
      if (!error.empty()) {
        EXPECT_NE(error.find("expected"), std::string::npos) << what << ": " << error;
        return;
      }
      EXPECT_TRUE(!again || before == print(*module)) << what << ": the second run changes more";
    }
  }

  MLIRContext context;
};

TEST_P(PassesTwice, ChangesNothingOrIsAnError) {
  [[maybe_unused]] static const bool registered = [] {
    tr::registerAllPasses();
    return true;
  }();
  OwningOpRef<ModuleOp> module = read();
  ASSERT_TRUE(module);
  StringRef after = "reading";
  for (const char *next : kPipeline) {
    for (const char *flag : kPipeline)
      runTwice(*module, after, flag);
    for (const char *flag : kOthers)
      runTwice(*module, after, flag);
    ASSERT_EQ(run(*module, next), "") << next;
    after = next;
  }
}

INSTANTIATE_TEST_SUITE_P(Zoo, PassesTwice, testing::Values("mlp_small", "lenet", "fashion_resnet"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
