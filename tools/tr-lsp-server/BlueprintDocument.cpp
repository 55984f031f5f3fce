// SPDX-License-Identifier: Apache-2.0
//
// Imports each model and runs the passes of --tr-arch-pipeline without fusion, so that each call
// keeps its layers.
#include "BlueprintDocument.h"

#include "renaissance/Dialect/TR/IR/ArchOps.h"
#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Pipelines/Pipelines.h"
#include "renaissance/Target/Blueprint/BlueprintImporter.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace tr {
namespace {

TextPlace placeOf(Location loc) {
  auto file = loc->findInstanceOf<FileLineColLoc>();
  return file ? TextPlace{file.getLine(), file.getColumn()} : TextPlace{};
}

// Where the function that has the place is used, and what uses that.
std::string describeCallers(Location loc) {
  std::string notes;
  for (auto site = dyn_cast<CallSiteLoc>(loc); site; site = dyn_cast<CallSiteLoc>(site.getCaller()))
    notes += "\nnote: line " + std::to_string(placeOf(site.getCaller()).line) + ": used here";
  return notes;
}

// A model of so many layers, and a text of so many in all its models, are looked at. 10,000 layers
// of tr.arch take less than a tenth of a second, and a layer of tr.bp becomes up to ten.
constexpr int64_t kMostLayers = 1000, kMostWork = 10000;
// The text is read once for each model: what reading takes, in bytes that equal a layer.
constexpr int64_t kBytesPerLayer = 100;

} // namespace

BlueprintDocument::BlueprintDocument(std::string content) : text(std::move(content)), index(text) {
  std::vector<std::string> models = listBlueprintModels(text);
  if (models.empty()) // the importer says what is missing
    models.push_back("");
  for (const std::string &model : models)
    analyse(model);
}

// A fault of the text is found for each of its models.
void BlueprintDocument::addFault(TextFault fault) {
  if (!llvm::is_contained(faults, fault))
    faults.push_back(std::move(fault));
}

void BlueprintDocument::analyse(const std::string &model) {
  if (work > kMostWork) {
    for (const BlueprintSymbol &symbol : index.getSymbols())
      if (symbol.kind == BlueprintSymbol::Model && symbol.name == model)
        addFault({symbol.at,
                  "the models before this one have many layers: this one is not looked at",
                  /*isError=*/false});
    return;
  }
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<TRDialect>();
  context.printOpOnDiagnostic(false); // the user wrote no ops
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    std::string message = diagnostic.str() + describeCallers(diagnostic.getLocation());
    for (Diagnostic &note : diagnostic.getNotes())
      message +=
          "\nnote: line " + std::to_string(placeOf(note.getLocation()).line) + ": " + note.str();
    addFault({placeOf(diagnostic.getLocation()), std::move(message),
              diagnostic.getSeverity() == DiagnosticSeverity::Error});
    return success();
  });
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, "text"), llvm::SMLoc());
  BlueprintOptions options;
  options.model = model;
  options.mostLayers = kMostLayers;
  work += static_cast<int64_t>(text.size()) / kBytesPerLayer;
  OwningOpRef<ModuleOp> module = importBlueprint(sources, &context, options);
  if (!module)
    return;
  PassManager steps(&context);
  CompileOptions unfused;
  unfused.fuse = false;
  steps.addPass(createAttachOptions(unfused));
  buildArchPipeline(steps);
  bool isWhole = succeeded(steps.run(*module));
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    ++work;
    if (!isWhole || !isa<LayerOpInterface, arch::Add2Op>(op))
      return;
    auto [call, isNew] = calls.try_emplace(placeOf(op->getLoc()));
    if (isNew)
      call->second.input = toString(getImageShape(op->getOperand(0).getType()));
    call->second.output = toString(getImageShape(op->getResult(0).getType()));
  });
}

StringRef BlueprintDocument::lineOf(unsigned line) const {
  StringRef rest = text;
  while (--line > 0 && !rest.empty())
    rest = rest.split('\n').second;
  return rest.split('\n').first;
}

std::pair<TextPlace, StringRef> BlueprintDocument::findName(TextPlace place) const {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  StringRef line = lineOf(place.line);
  size_t begin = std::min<size_t>(place.column - 1, line.size()), end = begin;
  while (begin > 0 && isPart(line[begin - 1]))
    --begin;
  while (end < line.size() && isPart(line[end]))
    ++end;
  return {{place.line, static_cast<unsigned>(begin + 1)}, line.slice(begin, end)};
}

TextPlace BlueprintDocument::findEnd(TextPlace place) const {
  StringRef rest = text;
  for (unsigned line = 1; line < place.line; ++line)
    rest = rest.split('\n').second;
  rest = rest.drop_front(std::min<size_t>(place.column - 1, rest.size()));
  unsigned depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < rest.size(); ++i) {
    char c = rest[i];
    ++place.column;
    if (c == '\n')
      place = {place.line + 1, 1};
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && rest.substr(i).starts_with("//"))
      i = std::min(rest.find('\n', i), rest.size()) - 1;
    else if (!quoted && c == '(')
      ++depth;
    else if (!quoted && c == ')' && --depth == 0)
      break;
  }
  return place;
}

} // namespace tr
