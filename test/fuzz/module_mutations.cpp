// SPDX-License-Identifier: Apache-2.0
//
// Mutations that keep most of a module as it is, so that many verify and reach a pass.
#include "module_mutations.h"

#include "renaissance/InitAll.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <cctype>
#include <cmath>
#include <iterator>
#include <memory>

using namespace mlir;

namespace {

constexpr int64_t kNumbers[] = {0,
                                1,
                                2,
                                3,
                                7,
                                8,
                                32,
                                33,
                                255,
                                256,
                                1000,
                                32767,
                                32768,
                                65536,
                                -1,
                                -2,
                                1000000,
                                2147483647,
                                2147483648,
                                4294967295,
                                int64_t(1) << 48,
                                int64_t(1) << 60,
                                int64_t(1) << 62,
                                INT64_MAX,
                                INT64_MAX - 1,
                                INT64_MIN};

int64_t drawNumber(fuzz::Random &random) {
  return random.below(3) == 0 ? static_cast<int64_t>(random.below(40)) - 3
                              : kNumbers[random.below(std::size(kNumbers))];
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

struct Span {
  size_t begin, end;
};

// Runs of letters, digits and the like, or of digits alone.
std::vector<Span> findWords(const std::string &text, bool digitsOnly) {
  auto belongs = [&](char c) {
    auto byte = static_cast<unsigned char>(c);
    return digitsOnly ? std::isdigit(byte) != 0 : std::isalnum(byte) != 0 || c == '_' || c == '.';
  };
  std::vector<Span> words;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!belongs(text[i]))
      continue;
    size_t end = i;
    while (end < text.size() && belongs(text[end]))
      ++end;
    words.push_back({i, end});
    i = end;
  }
  return words;
}

Span drawLine(const std::string &text, fuzz::Random &random) {
  size_t at = random.below(text.size());
  size_t begin = text.rfind('\n', at);
  size_t end = text.find('\n', at);
  return {begin == std::string::npos ? 0 : begin + 1,
          end == std::string::npos ? text.size() : end + 1};
}

//===----------------------------------------------------------------------===//
// IR
//===----------------------------------------------------------------------===//

class Mutator {
public:
  Mutator(ModuleOp module, fuzz::Random &random) : module(module), random(random) {
    module.walk([&](Operation *op) {
      if (op != module)
        ops.push_back(op);
      llvm::append_range(values, op->getResults());
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::append_range(values, block.getArguments());
    });
  }

  void run() {
    if (ops.empty())
      return;
    Operation *op = ops[random.below(ops.size())];
    switch (random.below(10)) {
    default:
      return changeAttribute(op);
    case 0:
      return swapOperand(op);
    case 1:
      return erase(op);
    case 2:
      op->getBlock()->getOperations().insert(std::next(op->getIterator()), op->clone());
      return;
    case 3:
      return insertForeign();
    case 4:
      return move(op);
    case 5:
      return changeType();
    }
  }

private:
  void changeAttribute(Operation *op);
  Attribute change(Attribute attribute);
  ArrayAttr changeList(ArrayAttr list);
  Attribute borrow(Attribute attribute);

  void swapOperand(Operation *op) {
    if (op->getNumOperands() != 0 && !values.empty())
      op->setOperand(random.below(op->getNumOperands()), values[random.below(values.size())]);
  }

  void erase(Operation *op) {
    for (Value result : op->getResults())
      if (op->getNumOperands() != 0 && op->getOperand(0) != result && random.below(4) != 0)
        result.replaceAllUsesWith(op->getOperand(0));
    if (op->use_empty() && op->getNumRegions() == 0)
      op->erase();
  }

  // Before a use of a value, which reads what the foreign op makes of it.
  void insertForeign() {
    if (values.empty())
      return;
    Value value = values[random.below(values.size())];
    if (value.use_empty())
      return;
    OpOperand &use = *value.use_begin();
    OpBuilder builder(use.getOwner());
    StringRef name = random.below(2) == 0 ? "builtin.unrealized_conversion_cast" : "other.op";
    OperationState state(value.getLoc(), name);
    state.addOperands(value);
    state.addTypes(value.getType());
    use.set(builder.create(state)->getResult(0));
  }

  void move(Operation *op) {
    Operation *other = ops[random.below(ops.size())];
    if (other != op && !op->isProperAncestor(other))
      op->moveBefore(other);
  }

  void changeType() {
    if (values.empty())
      return;
    Value value = values[random.below(values.size())];
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || random.below(3) == 0)
      return value.setType(values[random.below(values.size())].getType());
    SmallVector<int64_t> shape(type.getShape());
    if (shape.empty())
      return;
    int64_t extent = random.below(3) == 0 ? ShapedType::kDynamic : std::abs(drawNumber(random) / 2);
    shape[random.below(shape.size())] = extent;
    value.setType(RankedTensorType::get(shape, type.getElementType()));
  }

  ModuleOp module;
  fuzz::Random &random;
  std::vector<Operation *> ops;
  std::vector<Value> values;
};

Attribute Mutator::change(Attribute attribute) {
  Builder builder(attribute.getContext());
  if (random.below(6) == 0)
    return borrow(attribute);
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    if (integer.getType().isSignlessInteger(64))
      return builder.getI64IntegerAttr(drawNumber(random));
  if (auto real = dyn_cast<FloatAttr>(attribute); real && real.getType().isF64()) {
    constexpr double kReals[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, 1e300, 1e-5, HUGE_VAL, NAN};
    return builder.getF64FloatAttr(kReals[random.below(std::size(kReals))]);
  }
  if (auto numbers = dyn_cast<DenseI64ArrayAttr>(attribute)) {
    SmallVector<int64_t> list(numbers.asArrayRef());
    size_t way = random.below(6);
    if (way == 0)
      list.push_back(drawNumber(random));
    else if (way == 1 && !list.empty())
      list.pop_back();
    else if (!list.empty())
      list[random.below(list.size())] = drawNumber(random);
    return builder.getDenseI64ArrayAttr(list);
  }
  if (auto list = dyn_cast<ArrayAttr>(attribute))
    return changeList(list);
  if (auto text = dyn_cast<StringAttr>(attribute))
    return builder.getStringAttr(random.below(3) == 0 ? "" : text.getValue() + "\x01");
  return borrow(attribute);
}

ArrayAttr Mutator::changeList(ArrayAttr list) {
  SmallVector<Attribute> entries(list.getValue());
  size_t way = random.below(4);
  if (entries.empty() || way == 0)
    entries.push_back(entries.empty() ? Attribute(list) : entries.front());
  else if (way == 1)
    entries.pop_back();
  else
    entries[random.below(entries.size())] = change(entries[random.below(entries.size())]);
  return ArrayAttr::get(list.getContext(), entries);
}

// An attribute that stands somewhere else.
Attribute Mutator::borrow(Attribute attribute) {
  DictionaryAttr dictionary = ops[random.below(ops.size())]->getAttrDictionary();
  return dictionary.empty() ? attribute
                            : dictionary.getValue()[random.below(dictionary.size())].getValue();
}

void Mutator::changeAttribute(Operation *op) {
  MLIRContext *context = op->getContext();
  if (random.below(12) == 0) { // one that means something elsewhere
    constexpr const char *kNames[] = {"first", "parts", "name", "tr.options", "window", "act"};
    op->setDiscardableAttr(StringAttr::get(context, kNames[random.below(std::size(kNames))]),
                           borrow(UnitAttr::get(context)));
    return;
  }
  auto properties = dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
  if (!properties || properties.empty())
    return;
  NamedAttrList list(properties);
  NamedAttribute chosen = properties.getValue()[random.below(properties.size())];
  if (random.below(10) == 0)
    list.erase(chosen.getName());
  else
    list.set(chosen.getName(), change(chosen.getValue()));
  // Where the kind is another, nothing changes.
  (void)op->setPropertiesFromAttribute(list.getDictionary(context),
                                       [&] { return emitError(op->getLoc()); });
}

} // namespace

static std::unique_ptr<MLIRContext> currentContext;

MLIRContext &fuzz::moduleContext() {
  if (!currentContext) {
    DialectRegistry registry;
    tr::registerAllDialects(registry);
    currentContext = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
    currentContext->loadAllAvailableDialects();
    currentContext->allowUnregisteredDialects();
  }
  return *currentContext;
}

void fuzz::renewModuleContext() {
  static unsigned uses = 0;
  if (++uses % 300 == 0)
    currentContext.reset();
}

OwningOpRef<ModuleOp> fuzz::parseModule(StringRef text, bool verify) {
  MLIRContext &context = moduleContext();
  return parseSourceString<ModuleOp>(text, ParserConfig(&context, verify));
}

std::string fuzz::mutateText(std::string text, Random &random) {
  for (size_t rounds = 1 + random.below(3); rounds > 0 && !text.empty(); --rounds) {
    size_t way = random.below(5);
    std::vector<Span> words = findWords(text, /*digitsOnly=*/way < 2);
    Span line = drawLine(text, random);
    if (way < 2 && !words.empty()) {
      Span number = words[random.below(words.size())];
      text.replace(number.begin, number.end - number.begin, std::to_string(drawNumber(random)));
    } else if (way == 2 && !words.empty()) {
      Span to = words[random.below(words.size())], from = words[random.below(words.size())];
      text.replace(to.begin, to.end - to.begin, text.substr(from.begin, from.end - from.begin));
    } else if (way == 3) {
      text.erase(line.begin, line.end - line.begin);
    } else {
      text.insert(line.begin, text.substr(line.begin, line.end - line.begin));
    }
  }
  return text;
}

void fuzz::mutateModule(ModuleOp module, Random &random) {
  for (size_t rounds = 1 + random.below(3); rounds > 0; --rounds)
    Mutator(module, random).run();
}
