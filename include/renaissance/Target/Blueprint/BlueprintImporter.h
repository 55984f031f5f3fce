// SPDX-License-Identifier: Apache-2.0
//
// BluePrint text (`.bp`) to `tr.bp`. The language is described in
// docs/blueprint.md.
#ifndef RENAISSANCE_TARGET_BLUEPRINT_BLUEPRINTIMPORTER_H
#define RENAISSANCE_TARGET_BLUEPRINT_BLUEPRINTIMPORTER_H

#include "renaissance/Dialect/TR/IR/Signature.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class SourceMgr;
class raw_ostream;
} // namespace llvm

namespace tr {

/// What a caller may set besides the text.
struct BlueprintOptions {
  /// The model to import; may be empty when the file holds one model.
  std::string model;
  /// Replace the values of the model's header, before its calls are expanded.
  std::optional<ImageShape> input;
  std::optional<int64_t> classes;
  /// For callers in a hurry, such as editors: a model of more layers, those of repeats counted, is
  /// checked but not imported, and a warning instead of an error says where it passes the number.
  std::optional<int64_t> mostLayers;
};

/// Imports one model of the main buffer of `sources` as a module with one
/// `tr.bp.model`. Reports all errors of the text, else the first one of the model, through the
/// context's diagnostic engine, each at its place, and returns null.
mlir::OwningOpRef<mlir::ModuleOp> importBlueprint(llvm::SourceMgr &sources,
                                                  mlir::MLIRContext *context,
                                                  const BlueprintOptions &options = {});

/// Names of the models of a text in its order, each once; of a text with faults those that can be
/// told. Reports nothing.
std::vector<std::string> listBlueprintModels(llvm::StringRef text);

/// Reads "28x28x1"; none when the text is anything else or an extent is out of range.
std::optional<ImageShape> parseImageShape(llvm::StringRef text);

/// Signatures and summaries of the forms of a call as Markdown; empty where there is no such call.
std::string describeBlueprintCall(llvm::StringRef name);

/// What an activation or a style of block is, as Markdown; empty for other names.
std::string describeBlueprintActivation(llvm::StringRef name);
std::string describeBlueprintStyle(llvm::StringRef name);

/// The names that an argument of this kind may have; none for numbers and layers.
llvm::SmallVector<llvm::StringRef> getBlueprintValues(const Param &param);

/// Prints the table of all calls as Markdown: the reference in docs/blueprint.md.
void printBlueprintReference(llvm::raw_ostream &os);

/// Prints all calls as C++: include/renaissance/BluePrint/Calls.h.
void printBlueprintCalls(llvm::raw_ostream &os);

} // namespace tr

#endif // RENAISSANCE_TARGET_BLUEPRINT_BLUEPRINTIMPORTER_H
