// SPDX-License-Identifier: Apache-2.0
//
// From a text to the module of one of its models.
#include "renaissance/Target/Blueprint/BlueprintImporter.h"

#include "Expander.h"
#include "Parser.h"

#include "renaissance/Dialect/TR/IR/BPModel.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlir;

namespace tr {
namespace blueprint {
namespace {

const Model *selectModel(const Source &source, const File &file, StringRef wanted) {
  SmallVector<StringRef> names;
  for (const Model &model : file.models) {
    if (model.name.text == wanted)
      return &model;
    names.push_back(model.name.text);
  }
  if (!wanted.empty()) {
    source.error(file.models.front().name.at)
        << "expected a model '" << wanted << "', but got " << llvm::join(names, ", ")
        << didYouMean(wanted, names);
    return nullptr;
  }
  if (names.size() == 1)
    return &file.models.front();
  source.error(file.models[1].name.at) << "expected --model NAME to choose one of " << names.size()
                                       << " models, but got none: " << llvm::join(names, ", ");
  return nullptr;
}

// The values of the caller in place of the header's.
LogicalResult applyOptions(const Source &source, const BlueprintOptions &options, Model &model) {
  model.input = options.input.value_or(model.input);
  model.classes = options.classes.value_or(model.classes);
  if (!parseImageShape(toString(model.input)))
    return source.error(model.name.at)
           << "expected extents of at least 1 and at most " << std::numeric_limits<int32_t>::max()
           << " elements in input, but got " << toString(model.input);
  if (model.classes < 1 || model.classes > std::numeric_limits<int32_t>::max())
    return source.error(model.name.at)
           << "expected classes in [1, " << std::numeric_limits<int32_t>::max() << "], but got "
           << model.classes;
  return success();
}

OwningOpRef<ModuleOp> importModel(const Source &source, const File &file, const Model &model,
                                  std::optional<int64_t> mostLayers) {
  Location loc = source.locate(model.name.at);
  OwningOpRef<ModuleOp> module = ModuleOp::create(source.locate({1, 1}));
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto op = bp::ModelOp::create(builder, loc, model.name.text,
                                ArrayRef<int64_t>{model.input.h, model.input.w, model.input.c},
                                model.classes);
  Block &body = op.getBody().emplaceBlock();
  if (failed(Expander(source, file, model, mostLayers).expand(&body)))
    return {};
  return failed(bp::verifyModel(op)) ? OwningOpRef<ModuleOp>() : std::move(module);
}
} // namespace
} // namespace blueprint

std::optional<ImageShape> parseImageShape(StringRef text) {
  SmallVector<StringRef, 3> extents;
  text.split(extents, 'x');
  ImageShape shape;
  int64_t *values[] = {&shape.h, &shape.w, &shape.c};
  if (extents.size() != 3)
    return std::nullopt;
  int64_t elements = 1;
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  for (auto [extent, value] : llvm::zip(extents, values)) {
    if (extent.getAsInteger(10, *value) || *value < 1 || *value > kMost / elements)
      return std::nullopt;
    elements *= *value;
  }
  return shape;
}

std::vector<std::string> listBlueprintModels(StringRef text) {
  using blueprint::Token, blueprint::TokenKind;
  blueprint::Source source{{}, text};
  blueprint::Lexer lexer(source);
  std::vector<std::string> names;
  for (Token token = lexer.next(); !token.is(TokenKind::End);) {
    bool isModel = token.is(TokenKind::Model);
    token = lexer.next();
    if (isModel && token.is(TokenKind::Name) && !llvm::is_contained(names, token.text))
      names.push_back(token.text.str());
  }
  return names;
}

OwningOpRef<ModuleOp> importBlueprint(SourceMgr &sources, MLIRContext *context,
                                      const BlueprintOptions &options) {
  context->loadDialect<TRDialect>();
  const MemoryBuffer *buffer = sources.getMemoryBuffer(sources.getMainFileID());
  blueprint::Source source{StringAttr::get(context, buffer->getBufferIdentifier()),
                           buffer->getBuffer()};
  if (source.text.size() > blueprint::kMaxBytes) {
    source.error({}) << "expected a file of at most " << blueprint::kMaxBytes << " bytes, but got "
                     << source.text.size();
    return {};
  }
  FailureOr<blueprint::File> file = blueprint::Parser(source).parse();
  if (failed(file))
    return {};
  const blueprint::Model *found = blueprint::selectModel(source, *file, options.model);
  if (!found)
    return {};
  blueprint::Model model = *found;
  if (failed(blueprint::applyOptions(source, options, model)))
    return {};
  return blueprint::importModel(source, *file, model, options.mostLayers);
}

} // namespace tr
