// SPDX-License-Identifier: Apache-2.0
//
// --yaml-to-arch: the tree of the text to ops. Every node is looked at; what is not known is an
// error at its place, and what the ops do not allow is their verifiers' error there.
#include "Format.h"
#include "Tree.h"

#include "renaissance/Dialect/TR/IR/ArchOps.h"
#include "renaissance/Target/Yaml/YamlTranslation.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/ADT/DenseMap.h"

#include <cmath>

using namespace mlir;
using namespace tr;
using yaml::Node;

namespace {

class Reader {
public:
  Reader(llvm::SourceMgr &sources, MLIRContext *context)
      : document(sources, context), builder(context) {}

  OwningOpRef<ModuleOp> read();

private:
  // Fields of a mapping; asks that no other is there.
  LogicalResult expectKeys(const Node &node, ArrayRef<StringRef> required,
                           ArrayRef<StringRef> optional = {});
  const Node *find(const Node &node, StringRef key) const {
    for (auto [name, item] : llvm::zip_equal(node.keys, node.items))
      if (name == key)
        return &item;
    return nullptr;
  }
  const Node &get(const Node &node, StringRef key) const { return *find(node, key); }

  FailureOr<StringRef> readText(const Node &node, StringRef what);
  FailureOr<int64_t> readInt(const Node &node, StringRef what);
  FailureOr<bool> readBool(const Node &node, StringRef what);
  FailureOr<double> readReal(const Node &node, StringRef what);
  FailureOr<Dims2> readPair(const Node &node, StringRef what);
  FailureOr<Dims2> readPairOr(const Node &node, StringRef key, Dims2 missing) {
    const Node *item = find(node, key);
    return item ? readPair(*item, key) : missing;
  }
  FailureOr<RankedTensorType> readShape(const Node &node);
  FailureOr<Attribute> readField(const LayerField &field, const Node &node);
  FailureOr<Attribute> readConv(const Node &node);
  FailureOr<Attribute> readPool(const Node &node);
  FailureOr<Attribute> readBlockShape(const Node &node);
  template <typename E> FailureOr<E> readWord(const Node &node, StringRef what);
  LogicalResult readOptions(const Node &node, ModuleOp module);
  LogicalResult readNetwork(const Node &node);
  LogicalResult readBlock(const Node &node, Region &region, RankedTensorType argument);
  FailureOr<RegisteredOperationName> readKind(const Node &node);
  LogicalResult readLayer(const Node &node);
  LogicalResult define(const Node &node, Value value);
  FailureOr<Value> lookup(const Node &node);

  yaml::Document document;
  OpBuilder builder;
  llvm::DenseMap<int64_t, Value> values; // of the network
};

LogicalResult Reader::expectKeys(const Node &node, ArrayRef<StringRef> required,
                                 ArrayRef<StringRef> optional) {
  if (node.kind != Node::Mapping)
    return document.error(node.loc) << "expected a mapping with '" << required.front() << "'";
  for (auto [key, item] : llvm::zip_equal(node.keys, node.items))
    if (!llvm::is_contained(required, key) && !llvm::is_contained(optional, key))
      return document.error(item.loc) << "expected no field '" << key << "' here";
  for (StringRef key : required)
    if (!find(node, key))
      return document.error(node.loc) << "expected a field '" << key << "', but got none";
  return success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

FailureOr<StringRef> Reader::readText(const Node &node, StringRef what) {
  if (node.kind != Node::Scalar)
    return document.error(node.loc) << "expected " << what << ", but got a list or a mapping";
  return StringRef(node.text);
}

FailureOr<int64_t> Reader::readInt(const Node &node, StringRef what) {
  FailureOr<StringRef> text = readText(node, what);
  if (failed(text))
    return failure();
  int64_t value = 0;
  if (node.quoted || text->starts_with("+") || text->getAsInteger(10, value))
    return document.error(node.loc)
           << "expected " << what << ", but got '" << text->take_front(80) << "'";
  return value;
}

// YAML 1.1 takes `no` and `on` for truth values; here they are mistakes.
FailureOr<bool> Reader::readBool(const Node &node, StringRef what) {
  FailureOr<StringRef> text = readText(node, what);
  if (failed(text))
    return failure();
  if (node.quoted || (*text != "true" && *text != "false"))
    return document.error(node.loc)
           << "expected true or false for " << what << ", but got '" << text->take_front(80) << "'";
  return *text == "true";
}

FailureOr<double> Reader::readReal(const Node &node, StringRef what) {
  FailureOr<StringRef> text = readText(node, what);
  if (failed(text))
    return failure();
  double value = 0;
  bool plain = text->find_first_not_of("0123456789+-.eE") == StringRef::npos;
  if (node.quoted || !plain || text->getAsDouble(value) || !std::isfinite(value))
    return document.error(node.loc)
           << "expected a number for " << what << ", but got '" << text->take_front(80) << "'";
  return value;
}

FailureOr<Dims2> Reader::readPair(const Node &node, StringRef what) {
  if (node.kind != Node::Sequence || node.items.size() != 2)
    return document.error(node.loc) << "expected [height, width] for " << what;
  FailureOr<int64_t> h = readInt(node.items[0], what), w = readInt(node.items[1], what);
  if (failed(h) || failed(w))
    return failure();
  return Dims2{*h, *w};
}

// [-1, h, w, c]; -1 is not known.
FailureOr<RankedTensorType> Reader::readShape(const Node &node) {
  if (node.kind != Node::Sequence || node.items.size() != 4)
    return document.error(node.loc) << "expected a shape of four extents";
  SmallVector<int64_t, 4> shape;
  for (const Node &item : node.items) {
    FailureOr<int64_t> extent = readInt(item, "an extent");
    if (failed(extent))
      return failure();
    if (*extent != -1 && (*extent < 0 || *extent > kMostExtent))
      return document.error(item.loc)
             << "expected an extent of 0 to " << kMostExtent << ", or -1, but got " << *extent;
    shape.push_back(*extent == -1 ? ShapedType::kDynamic : *extent);
  }
  return RankedTensorType::get(shape, builder.getF32Type());
}

FailureOr<Attribute> Reader::readConv(const Node &node) {
  if (failed(expectKeys(node, {"out", "kernel", "stride", "pad", "dilation", "groups", "bias"},
                        {"more"})))
    return failure();
  FailureOr<int64_t> out = readInt(get(node, "out"), "out");
  FailureOr<int64_t> groups = readInt(get(node, "groups"), "groups");
  FailureOr<bool> bias = readBool(get(node, "bias"), "bias");
  SmallVector<FailureOr<Dims2>, 4> dims;
  for (StringRef key : {"kernel", "stride", "pad", "dilation"})
    dims.push_back(readPair(get(node, key), key));
  dims.push_back(readPairOr(node, "more", {0, 0}));
  if (failed(out) || failed(groups) || failed(bias) ||
      llvm::any_of(dims, [](const auto &each) { return failed(each); }))
    return failure();
  Attribute attr =
      ConvAttr::getChecked([&] { return document.error(node.loc); }, builder.getContext(), *out,
                           *dims[0], *dims[1], *dims[2], *dims[3], *groups, *bias, *dims[4]);
  return attr ? FailureOr<Attribute>(attr) : FailureOr<Attribute>(failure());
}

FailureOr<Attribute> Reader::readPool(const Node &node) {
  if (failed(
          expectKeys(node, {"kernel", "stride", "pad", "ceil"}, {"more", "dilation", "count_pad"})))
    return failure();
  FailureOr<Dims2> kernel = readPair(get(node, "kernel"), "kernel"),
                   stride = readPair(get(node, "stride"), "stride"),
                   pad = readPair(get(node, "pad"), "pad");
  FailureOr<bool> ceil = readBool(get(node, "ceil"), "ceil"), countPad = false;
  FailureOr<Dims2> more = readPairOr(node, "more", {0, 0}),
                   dilation = readPairOr(node, "dilation", {1, 1});
  if (const Node *given = find(node, "count_pad"))
    countPad = readBool(*given, "count_pad");
  if (failed(more) || failed(dilation) || failed(countPad))
    return failure();
  if (failed(kernel) || failed(stride) || failed(pad) || failed(ceil))
    return failure();
  Attribute attr =
      PoolAttr::getChecked([&] { return document.error(node.loc); }, builder.getContext(), *kernel,
                           *stride, *pad, *ceil, *more, *dilation, *countPad);
  return attr ? FailureOr<Attribute>(attr) : FailureOr<Attribute>(failure());
}

template <typename E> FailureOr<E> Reader::readWord(const Node &node, StringRef what) {
  FailureOr<StringRef> text = readText(node, what);
  if (failed(text))
    return failure();
  if (std::optional<E> value = Spelling<E>::find(*text))
    return *value;
  return document.error(node.loc) << "expected " << what << ", but got '" << text->take_front(80)
                                  << "'";
}

FailureOr<Attribute> Reader::readBlockShape(const Node &node) {
  StringRef numbers[] = {"inner", "out", "stride", "groups"};
  if (failed(expectKeys(node, {"family", "inner", "out", "stride", "groups", "shortcut", "act"})))
    return failure();
  FailureOr<BlockFamily> family = readWord<BlockFamily>(get(node, "family"), "a family of blocks");
  FailureOr<BlockShortcut> shortcut = readWord<BlockShortcut>(get(node, "shortcut"), "a shortcut");
  FailureOr<Act> act = readWord<Act>(get(node, "act"), "an activation");
  if (failed(family) || failed(shortcut) || failed(act))
    return failure();
  SmallVector<int64_t, 4> values;
  for (StringRef key : numbers) {
    FailureOr<int64_t> value = readInt(get(node, key), key);
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  Attribute attr =
      BlockAttr::getChecked([&] { return document.error(node.loc); }, builder.getContext(), *family,
                            values[0], values[1], values[2], values[3], *shortcut, *act);
  return attr ? FailureOr<Attribute>(attr) : FailureOr<Attribute>(failure());
}

FailureOr<Attribute> Reader::readField(const LayerField &field, const Node &node) {
  auto wrap = [](auto value, auto make) -> FailureOr<Attribute> {
    if (failed(value))
      return failure();
    return Attribute(make(*value));
  };
  switch (field.kind) {
  case FieldKind::Int:
    return wrap(readInt(node, "an integer"),
                [&](int64_t value) { return builder.getI64IntegerAttr(value); });
  case FieldKind::Real:
    return wrap(readReal(node, field.name),
                [&](double value) { return builder.getF64FloatAttr(value); });
  case FieldKind::Bool:
    return wrap(readBool(node, field.name), [&](bool value) { return builder.getBoolAttr(value); });
  case FieldKind::Unit: {
    FailureOr<bool> value = readBool(node, field.name);
    if (failed(value))
      return failure();
    if (!*value)
      return document.error(node.loc)
             << "expected no field '" << field.name << "' rather than false";
    return Attribute(builder.getUnitAttr());
  }
  case FieldKind::Act:
    return wrap(readWord<Act>(node, "an activation"),
                [&](Act value) { return ActivationAttr::get(builder.getContext(), value); });
  case FieldKind::Strings: {
    if (node.kind != Node::Sequence)
      return document.error(node.loc) << "expected a list of texts for " << field.name;
    SmallVector<StringRef> parts;
    for (const Node &item : node.items) {
      FailureOr<StringRef> part = readText(item, "a text");
      if (failed(part))
        return failure();
      parts.push_back(*part);
    }
    return Attribute(builder.getStrArrayAttr(parts));
  }
  case FieldKind::Conv:
    return readConv(node);
  case FieldKind::Pool:
    return readPool(node);
  case FieldKind::Block:
    return readBlockShape(node);
  case FieldKind::Ints:
  case FieldKind::Style:
    llvm_unreachable("layers of tr.arch have no such fields");
  }
  llvm_unreachable("all kinds are handled");
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult Reader::define(const Node &node, Value value) {
  FailureOr<int64_t> number = readInt(node, "the number of a value");
  if (failed(number))
    return failure();
  if (*number < 0 || *number > kMostExtent || !values.try_emplace(*number, value).second)
    return document.error(node.loc) << "expected a new number for a value, but got " << *number;
  return success();
}

FailureOr<Value> Reader::lookup(const Node &node) {
  FailureOr<int64_t> number = readInt(node, "the number of a value");
  if (failed(number))
    return failure();
  auto found = *number < 0 || *number > kMostExtent ? values.end() : values.find(*number);
  if (found == values.end())
    return document.error(node.loc)
           << "expected the number of a value defined above, but got " << *number;
  return found->second;
}

FailureOr<RegisteredOperationName> Reader::readKind(const Node &node) {
  if (node.kind != Node::Mapping || !find(node, "layer"))
    return document.error(node.loc) << "expected a mapping with 'layer'";
  FailureOr<StringRef> kind = readText(get(node, "layer"), "the kind of a layer");
  if (failed(kind))
    return failure();
  std::optional<RegisteredOperationName> info =
      RegisteredOperationName::lookup(("tr.arch." + *kind).str(), builder.getContext());
  if (info && info->hasInterface<LayerOpInterface>())
    return *info;
  return document.error(get(node, "layer").loc)
         << "expected a layer of tr.arch, but got '" << kind->take_front(80) << "'";
}

LogicalResult Reader::readLayer(const Node &node) {
  FailureOr<RegisteredOperationName> info = readKind(node);
  if (failed(info))
    return failure();
  ArrayRef<LayerField> fields = info->getInterface<LayerOpInterface>()->getFields();
  SmallVector<StringRef> optional;
  for (const LayerField &field : fields)
    optional.push_back(field.name);
  SmallVector<StringRef> required = {"layer", "input", "result", "output"};
  if (info->hasInterface<JoinOpInterface>())
    required.push_back(yaml::kBranches);
  if (failed(expectKeys(node, required, optional)))
    return failure();
  FailureOr<Value> input = lookup(get(node, "input"));
  FailureOr<RankedTensorType> type = readShape(get(node, "output"));
  if (failed(input) || failed(type))
    return failure();
  OperationState state(document.locationOf(node.loc), *info);
  state.addOperands(*input);
  state.addTypes(*type);
  for (const LayerField &field : fields) {
    const Node *item = find(node, field.name);
    FailureOr<Attribute> attr = item ? readField(field, *item) : Attribute();
    if (failed(attr))
      return failure();
    if (item)
      state.addAttribute(field.name, *attr);
  }
  const Node *branches = find(node, yaml::kBranches);
  if (branches && branches->kind != Node::Sequence)
    return document.error(branches->loc) << "expected a list of branches";
  for (size_t i = 0; branches && i < branches->items.size(); ++i)
    state.addRegion();
  Operation *op = builder.create(state);
  for (unsigned i = 0; i < op->getNumRegions(); ++i) {
    OpBuilder::InsertionGuard guard(builder);
    if (failed(readBlock(branches->items[i], op->getRegion(i),
                         cast<RankedTensorType>(input->getType()))))
      return failure();
  }
  return define(get(node, "result"), op->getResult(0));
}

LogicalResult Reader::readBlock(const Node &node, Region &region, RankedTensorType argument) {
  if (failed(expectKeys(node, {"argument", "yield"}, {"layers", "name", "classes", "input"})))
    return failure();
  Block &block = region.emplaceBlock();
  Location loc = document.locationOf(node.loc);
  if (failed(define(get(node, "argument"), block.addArgument(argument, loc))))
    return failure();
  builder.setInsertionPointToEnd(&block);
  const Node *layers = find(node, "layers");
  if (layers && layers->kind != Node::Sequence)
    return document.error(layers->loc) << "expected a list of layers";
  for (const Node &layer : layers ? ArrayRef<Node>(layers->items) : ArrayRef<Node>())
    if (failed(readLayer(layer)))
      return failure();
  FailureOr<Value> yielded = lookup(get(node, "yield"));
  if (failed(yielded))
    return failure();
  arch::YieldOp::create(builder, document.locationOf(get(node, "yield").loc), *yielded);
  return success();
}

LogicalResult Reader::readNetwork(const Node &node) {
  if (failed(expectKeys(node, {"name", "classes", "input", "argument", "yield"}, {"layers"})))
    return failure();
  FailureOr<StringRef> name = readText(get(node, "name"), "the name of a network");
  FailureOr<int64_t> classes = readInt(get(node, "classes"), "a number of classes");
  FailureOr<RankedTensorType> type = readShape(get(node, "input"));
  if (failed(name) || failed(classes) || failed(type))
    return failure();
  OperationState state(document.locationOf(node.loc), arch::NetworkOp::getOperationName());
  state.addAttribute("sym_name", builder.getStringAttr(*name));
  state.addAttribute("classes", builder.getI64IntegerAttr(*classes));
  state.addRegion();
  Operation *network = builder.create(state);
  values.clear();
  OpBuilder::InsertionGuard guard(builder);
  return readBlock(node, network->getRegion(0), *type);
}

LogicalResult Reader::readOptions(const Node &node, ModuleOp module) {
  FailureOr<StringRef> text = readText(node, "options");
  if (failed(text))
    return failure();
  // The attribute's own errors have places in its text.
  std::string message;
  Attribute attr;
  {
    ScopedDiagnosticHandler handler(builder.getContext(), [&](Diagnostic &diagnostic) {
      if (message.empty())
        message = diagnostic.str();
      return success();
    });
    attr = parseAttribute(*text, builder.getContext());
  }
  if (!attr || !isa<OptionsAttr>(attr))
    return document.error(node.loc)
           << "expected #tr.options" << (message.empty() ? "" : ": ")
           << StringRef(message).take_until([](char c) { return c == '\n'; });
  module->setAttr(yaml::kOptions, attr);
  return success();
}

OwningOpRef<ModuleOp> Reader::read() {
  FailureOr<Node> root = document.read();
  if (failed(root) || failed(expectKeys(*root, {"version", "networks"}, {"options"})))
    return nullptr;
  FailureOr<int64_t> version = readInt(get(*root, "version"), "a version");
  if (failed(version))
    return nullptr;
  if (*version != yaml::kVersion) {
    document.error(get(*root, "version").loc)
        << "expected version " << yaml::kVersion << ", but got " << *version;
    return nullptr;
  }
  OwningOpRef<ModuleOp> module = ModuleOp::create(document.locationOf(root->loc));
  if (const Node *options = find(*root, "options"))
    if (failed(readOptions(*options, *module)))
      return nullptr;
  const Node &networks = get(*root, "networks");
  // `networks:` with nothing after it is an empty list.
  bool empty = networks.kind == Node::Scalar && networks.text.empty() && !networks.quoted;
  if (networks.kind != Node::Sequence && !empty) {
    document.error(networks.loc) << "expected a list of networks";
    return nullptr;
  }
  builder.setInsertionPointToEnd(module->getBody());
  for (const Node &network : networks.items)
    if (failed(readNetwork(network)))
      return nullptr;
  if (failed(verify(*module)))
    return nullptr;
  return module;
}

} // namespace

OwningOpRef<ModuleOp> tr::yamlToArch(llvm::SourceMgr &sources, MLIRContext *context) {
  context->loadDialect<TRDialect>();
  return Reader(sources, context).read();
}

void tr::registerYamlTranslations() {
  static TranslateFromMLIRRegistration toYaml(
      "arch-to-yaml", "write tr.arch as YAML",
      [](ModuleOp module, raw_ostream &os) {
        // Nothing half written: an error may come late.
        std::string text;
        llvm::raw_string_ostream buffer(text);
        if (failed(archToYaml(module, buffer)))
          return failure();
        os << text;
        return success();
      },
      [](DialectRegistry &registry) { registry.insert<TRDialect>(); });
  static TranslateToMLIRRegistration fromYaml(
      "yaml-to-arch", "read tr.arch from YAML",
      [](llvm::SourceMgr &sources, MLIRContext *context) -> OwningOpRef<Operation *> {
        OwningOpRef<ModuleOp> module = yamlToArch(sources, context);
        return module ? OwningOpRef<Operation *>(module.release().getOperation())
                      : OwningOpRef<Operation *>();
      },
      [](DialectRegistry &registry) { registry.insert<TRDialect>(); });
}
