// SPDX-License-Identifier: Apache-2.0
//
// `--blueprint-to-mlir` with the options that replace a model's header, and
// `--blueprint-reference`.
#include "Translations.h"

#include "renaissance/Target/Blueprint/BlueprintImporter.h"

#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

namespace cl = llvm::cl;
using namespace mlir;

namespace tr {
namespace {
class ImageShapeParser : public cl::parser<ImageShape> {
public:
  using parser::parser;
  bool parse(cl::Option &option, StringRef, StringRef text, ImageShape &shape) {
    std::optional<ImageShape> parsed = parseImageShape(text);
    if (!parsed)
      return option.error("expected HEIGHTxWIDTHxCHANNELS, but got '" + text + "'");
    shape = *parsed;
    return false;
  }
};

// LLVM's own parser of integers takes 010 for 8.
struct ClassCount {
  int64_t value = 0;
};
class ClassCountParser : public cl::parser<ClassCount> {
public:
  using parser::parser;
  bool parse(cl::Option &option, StringRef, StringRef text, ClassCount &classes) {
    if (!text.getAsInteger(10, classes.value) && classes.value >= 1 && classes.value <= kMostExtent)
      return false;
    return option.error("expected a decimal integer in [1, " + Twine(kMostExtent) + "], but got '" +
                        text + "'");
  }
};

struct BlueprintFlags {
  cl::OptionCategory category{"BluePrint options"};
  cl::opt<std::string> model{"model", cl::desc("Model to import when the file holds several"),
                             cl::value_desc("name"), cl::cat(category)};
  cl::opt<ImageShape, false, ImageShapeParser> input{
      "input", cl::desc("Replaces the input of the model's header"), cl::value_desc("HxWxC"),
      cl::cat(category)};
  cl::opt<ClassCount, false, ClassCountParser> classes{
      "classes", cl::desc("Replaces the classes of the model's header"), cl::value_desc("count"),
      cl::cat(category)};

  BlueprintOptions get() const {
    BlueprintOptions options;
    options.model = model;
    if (input.getNumOccurrences())
      options.input = input.getValue();
    if (classes.getNumOccurrences())
      options.classes = classes.getValue().value;
    return options;
  }
};
} // namespace

void registerBlueprintTranslations() {
  static BlueprintFlags flags; // lives until the command line is parsed
  TranslateToMLIRRegistration toMlir(
      "blueprint-to-mlir", "BluePrint text (.bp) to tr.bp",
      [](llvm::SourceMgr &sources, MLIRContext *context) -> OwningOpRef<Operation *> {
        return importBlueprint(sources, context, flags.get());
      },
      [](DialectRegistry &registry) { registry.insert<TRDialect>(); });
  TranslateRegistration reference(
      "blueprint-reference", "print the table of all BluePrint calls; reads no input",
      [](const std::shared_ptr<llvm::SourceMgr> &, raw_ostream &output, MLIRContext *) {
        printBlueprintReference(output);
        return success();
      });
  TranslateRegistration calls(
      "blueprint-cpp-calls", "print all BluePrint calls as a C++ header; reads no input",
      [](const std::shared_ptr<llvm::SourceMgr> &, raw_ostream &output, MLIRContext *) {
        printBlueprintCalls(output);
        return success();
      });
}

} // namespace tr
