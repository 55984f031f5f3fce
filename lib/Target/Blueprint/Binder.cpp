// SPDX-License-Identifier: Apache-2.0
//
// Arguments to parameters. Calls are bound once where they stand, to report their
// errors whether they are used or not, and once at each use.
#include "Binder.h"

#include "renaissance/Dialect/TR/IR/BPModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace mlir;

namespace tr::blueprint {
namespace {
// "none or tanh".
std::string listWords(const Param &param) { return llvm::join(param.words, " or "); }

StringRef describeKind(ParamKind kind) {
  switch (kind) {
  case ParamKind::Int:
    return "an integer";
  case ParamKind::Real:
    return "a number";
  case ParamKind::Bool:
    return "true or false";
  case ParamKind::Dims:
    return "N or HxW";
  case ParamKind::Activation:
    return "an activation";
  case ParamKind::Style:
    return "a block style";
  case ParamKind::Word:
    return "";
  case ParamKind::Text:
    return "a text in quotes";
  case ParamKind::Layer:
  case ParamKind::Layers:
    return "a layer";
  }
  llvm_unreachable("all kinds handled");
}

std::string countArguments(size_t count) {
  return (Twine(count) + (count == 1 ? " argument" : " arguments")).str();
}

// The arguments without `name = "..."`, which belongs to no form.
size_t countOwnArguments(const std::vector<Node> &nodes, const Node &call) {
  return llvm::count_if(call.arguments,
                        [&](NodeId id) { return nodes[id].label.text != getNameParam().name; });
}

std::string describeForms(ArrayRef<Signature> forms) {
  return llvm::join(llvm::map_range(forms, [](const Signature &form) { return form.describe(); }),
                    " or ");
}

SmallVector<StringRef> getCallNames() {
  SmallVector<StringRef> names;
  for (const Signature &signature : getSignatures())
    names.push_back(signature.name);
  return names;
}
} // namespace

LogicalResult Binder::unknown(StringRef what, const Token &token,
                              ArrayRef<StringRef> candidates) const {
  StringRef own = findOwnName(token.text);
  std::string hint = llvm::is_contained(candidates, own) ? ("; it is called " + own + " here").str()
                                                         : didYouMean(token.text, candidates);
  return source.error(token.at) << "expected " << what << ", but got unknown name "
                                << token.describe() << hint;
}

LogicalResult Binder::mismatch(const Param &param, const Node &argument) const {
  std::string wanted = describeKind(param.kind).str();
  if (!param.words.empty())
    wanted += (wanted.empty() ? "" : " or ") + listWords(param);
  return source.error(argument.token.at)
         << "expected " << wanted << " for " << param.name << ", but got "
         << (argument.isCall ? "call " : "") << argument.token.describe();
}

// Of several forms the one that takes the style among the arguments. The style also
// settles how many arguments there must be.
const Signature *Binder::selectForm(const Node &call, ArrayRef<Signature> forms) const {
  if (forms.size() == 1)
    return &forms.front();
  size_t count = countOwnArguments(nodes, call);
  for (NodeId id : llvm::reverse(call.arguments)) {
    FailureOr<NodeId> chosen = followChoices(id);
    if (failed(chosen))
      return nullptr;
    const Node &argument = nodes[*chosen];
    if (argument.isCall || !argument.token.is(TokenKind::Name) ||
        (nodes[id].isNamed() && nodes[id].label.text != "style"))
      continue;
    std::optional<BlockStyle> style = Spelling<BlockStyle>::find(argument.token.text);
    if (!style) {
      (void)unknown("a block style", argument.token, getStyleNames());
      return nullptr;
    }
    const Signature *form = llvm::find_if(
        forms, [&](const Signature &form) { return form.takes && form.takes(*style); });
    if (count >= form->countRequired())
      return form;
    source.error(call.token.at) << "expected " << form->describe() << " for " << argument.token.text
                                << ", but got " << countArguments(count);
    return nullptr;
  }
  source.error(call.token.at) << "expected " << describeForms(forms) << ", but got "
                              << countArguments(count) << " without a style";
  return nullptr;
}

// Where the number of an argument is kept; fails where the call has no such parameter.
FailureOr<NodeId *> Binder::findSlot(const Node &argument, const Signature &signature,
                                     MutableArrayRef<NodeId> matched, size_t &position,
                                     NodeId &name) const {
  if (!argument.isNamed()) {
    if (position < signature.countPositional())
      return &matched[position++];
    return source.error(argument.token.at)
           << "expected at most " << position << " positional arguments for "
           << signature.describe() << ", but got another one";
  }
  if (argument.label.text == getNameParam().name)
    return &name;
  SmallVector<StringRef> candidates{getNameParam().name};
  for (const auto &[param, slot] : llvm::zip(signature.params, matched)) {
    if (param.name == argument.label.text)
      return &slot;
    candidates.push_back(param.name);
  }
  return unknown("a parameter of " + signature.describe(), argument.label, candidates);
}

// Finds each argument's parameter. `matched` starts as all kNoNode. Of positional arguments that
// are too many the first is an error.
LogicalResult Binder::matchArguments(const Node &call, const Signature &signature,
                                     MutableArrayRef<NodeId> matched, NodeId &name) const {
  size_t position = 0;
  bool isFine = true;
  for (NodeId id : call.arguments) {
    if (source.errors >= kMaxErrors)
      return failure();
    const Node &argument = nodes[id];
    FailureOr<NodeId *> slot = findSlot(argument, signature, matched, position, name);
    isFine &= succeeded(slot);
    if (failed(slot) && !argument.isNamed()) {
      llvm::fill(matched, kNoNode); // which of them is one too many is not known
      return failure();
    }
    if (failed(slot))
      continue;
    if (**slot == kNoNode)
      **slot = id;
    else
      isFine &= succeeded(source.duplicate(argument.begin(), nodes[**slot].begin(),
                                           "expected each argument once, but got '" +
                                               argument.label.text + "' twice"));
  }
  return success(isFine);
}

LogicalResult Binder::outOfRange(const Param &param, const Token &token) const {
  return source.error(token.at) << "expected " << param.name << " in " << param.range.describe()
                                << ", but got " << token.text;
}

// The lexer vouches for the form of numbers; one that does not fit is out of range.
LogicalResult Binder::convertNumber(const Param &param, const Token &token,
                                    ArgumentValue &value) const {
  bool isInt = param.kind == ParamKind::Int;
  bool overflows =
      isInt ? token.text.getAsInteger(10, value.integer) : token.text.getAsDouble(value.real);
  double number = isInt ? static_cast<double>(value.integer) : value.real;
  return overflows || !param.range.contains(number) ? outOfRange(param, token) : success();
}

LogicalResult Binder::convertDims(const Param &param, const Token &token, Dims2 &result) const {
  SmallVector<StringRef, 3> extents;
  token.text.split(extents, 'x');
  if (extents.size() > 2)
    return source.error(token.at) << "expected N or HxW for " << param.name << ", but got "
                                  << token.text;
  int64_t *values[] = {&result.h, &result.w};
  for (auto [extent, value] : llvm::zip(extents, values))
    if (extent.getAsInteger(10, *value) || !param.range.contains(static_cast<double>(*value)))
      return outOfRange(param, token);
  if (extents.size() == 1)
    result.w = result.h;
  return success();
}

LogicalResult Binder::checkLayer(const Node &argument) const {
  if (argument.isChoice() && !argument.faulty)
    return success(succeeded(checkLayer(nodes[argument.arguments[1]])) &
                   succeeded(checkLayer(nodes[argument.arguments[2]])));
  if (isInteger(argument))
    return source.error(argument.token.at)
           << "expected a layer, but got the integer " << argument.token.describe();
  if (argument.isCall || argument.target != kNoNode || argument.faulty)
    return success();
  StringRef text = argument.token.text;
  if (!findSignatures(text).empty())
    return source.error(argument.token.at) << "expected a layer, but got the name '" << text
                                           << "'; did you mean '" << text << "(...)'?";
  SmallVector<StringRef> candidates = letNames();
  candidates.append(getCallNames());
  return unknown("a layer", argument.token, candidates);
}

// A name of an enumeration; `none` is for the compiler's own use.
LogicalResult Binder::convertName(const Param &param, const Token &token,
                                  ArgumentValue &value) const {
  if (param.kind == ParamKind::Style) {
    std::optional<BlockStyle> style = Spelling<BlockStyle>::find(token.text);
    value.style = style.value_or(value.style);
    return style ? success() : unknown("a block style", token, getStyleNames());
  }
  std::optional<Activation> act = trf::symbolize<Activation>(toView(token.text));
  value.activation = act.value_or(Activation::None);
  return value.activation != Activation::None
             ? success()
             : unknown("an activation", token, getActivationNames());
}

// A call of an activation, with its parameter.
LogicalResult Binder::convertActivation(const Node &argument, ArgumentValue &value) const {
  FailureOr<BoundLayers> call = bind(static_cast<NodeId>(&argument - nodes.data()));
  if (failed(call))
    return failure();
  if (!call->signature->activation)
    return unknown("an activation", argument.token, getActivationNames());
  value.activation = call->signature->activation(*call);
  return success();
}

LogicalResult Binder::convert(const Param &param, const Node &argument,
                              ArgumentValue &value) const {
  if (argument.faulty)
    return success();
  bool isLayer = param.kind == ParamKind::Layer || param.kind == ParamKind::Layers;
  if (argument.isChoice() && !isLayer)
    return convertChoice(param, argument, value);
  if (isInteger(argument) && !argument.token.is(TokenKind::Int))
    return convertInteger(param, argument, value);
  const Token &token = argument.token;
  bool isName = token.is(TokenKind::Name), isPlainName = isName && !argument.isCall;
  value.boolean = token.is(TokenKind::True);
  value.text = token.text;
  if (isPlainName && llvm::is_contained(param.words, token.text)) {
    value.word = token.text;
    return success();
  }
  switch (param.kind) {
  case ParamKind::Int:
    return token.is(TokenKind::Int) ? convertNumber(param, token, value)
                                    : mismatch(param, argument);
  case ParamKind::Real:
    return token.is(TokenKind::Int) || token.is(TokenKind::Real)
               ? convertNumber(param, token, value)
               : mismatch(param, argument);
  case ParamKind::Bool:
    return token.is(TokenKind::True) || token.is(TokenKind::False) ? success()
                                                                   : mismatch(param, argument);
  case ParamKind::Dims:
    return token.is(TokenKind::Int) || token.is(TokenKind::Dims)
               ? convertDims(param, token, value.dims)
               : mismatch(param, argument);
  case ParamKind::Word:
    return mismatch(param, argument);
  case ParamKind::Activation:
    if (isName && argument.isCall)
      return convertActivation(argument, value);
    [[fallthrough]];
  case ParamKind::Style:
    return isPlainName ? convertName(param, token, value) : mismatch(param, argument);
  case ParamKind::Text:
    return token.is(TokenKind::String) ? success() : mismatch(param, argument);
  case ParamKind::Layer:
  case ParamKind::Layers:
    return isName ? checkLayer(argument) : mismatch(param, argument);
  }
  llvm_unreachable("all kinds handled");
}

LogicalResult Binder::bindName(NodeId argument, StringAttr &name) const {
  ArgumentValue value;
  if (failed(convert(getNameParam(), nodes[argument], value)))
    return failure();
  if (!bp::isNodeName(value.text))
    return source.error(nodes[argument].token.at)
           << "expected a name of 1 to " << bp::kMaxNodeName
           << " letters, digits, '_' or '-', but got " << nodes[argument].token.describe();
  name = StringAttr::get(source.file.getContext(), value.text);
  return success();
}

LogicalResult Binder::bindLayerList(const Node &call, BoundLayers &bound) const {
  const Param &param = bound.signature->params.front();
  NodeId name = kNoNode;
  bool isFine = true;
  for (NodeId id : call.arguments) {
    const Node &argument = nodes[id];
    if (source.errors >= kMaxErrors)
      return failure();
    if (!argument.isNamed()) {
      isFine &= succeeded(convert(param, argument, bound.values.emplace_back()));
      bound.nodes.push_back(id);
    } else if (argument.label.text != getNameParam().name) {
      isFine &= succeeded(unknown("a parameter of " + bound.signature->describe(), argument.label,
                                  {getNameParam().name}));
    } else if (name != kNoNode) {
      isFine &= succeeded(source.duplicate(argument.begin(), nodes[name].begin(),
                                           "expected each argument once, but got 'name' twice"));
    } else {
      name = id;
      isFine &= succeeded(bindName(name, bound.name));
    }
  }
  return success(isFine);
}

// Arguments that match no parameter leave open which of the others are missing.
LogicalResult Binder::bindParams(const Node &call, BoundLayers &bound) const {
  const Signature &signature = *bound.signature;
  SmallVector<NodeId, 10> matched(signature.params.size(), kNoNode);
  NodeId name = kNoNode;
  const bool allMatch = succeeded(matchArguments(call, signature, matched, name));
  bool isFine = allMatch;
  bound.values.resize(signature.params.size());
  for (auto [param, argument, value] : llvm::zip(signature.params, matched, bound.values)) {
    Node fallback;
    if (argument == kNoNode) {
      if (param.isRequired() && allMatch)
        return source.error(call.token.at)
               << "expected " << param.name << " in " << signature.describe() << ", but got "
               << countArguments(countOwnArguments(nodes, call));
      if (param.isRequired())
        continue;
      if (const Param *other = signature.findFallback(param)) {
        value = bound[other->name];
        value.given = false;
        continue;
      }
      fallback.token = Lexer({source.file, param.fallback}).next();
    }
    value.given = argument != kNoNode;
    isFine &= succeeded(convert(param, value.given ? nodes[argument] : fallback, value));
    if (param.kind == ParamKind::Layer)
      bound.nodes.push_back(argument);
  }
  isFine &= name == kNoNode || succeeded(bindName(name, bound.name));
  return success(isFine);
}

LogicalResult Binder::checkOrder(const Node &call) const {
  const Node *named = nullptr;
  for (NodeId id : call.arguments) {
    const Node &argument = nodes[id];
    if (argument.isNamed())
      named = &argument;
    else if (named)
      return source.error(argument.token.at)
             << "expected positional arguments before named ones, but got "
             << argument.token.describe() << " after '" << named->label.text << " ='";
  }
  return success();
}

FailureOr<BoundLayers> Binder::bind(NodeId id) const {
  const Node &call = nodes[id];
  if (failed(checkOrder(call)))
    return failure();
  ArrayRef<Signature> forms = findSignatures(call.token.text);
  if (forms.empty()) {
    SmallVector<StringRef> candidates = getCallNames();
    for (const Function &function : file.functions)
      candidates.push_back(function.name.text);
    return unknown("a layer", call.token, candidates);
  }
  BoundLayers bound;
  bound.signature = selectForm(call, forms);
  if (!bound.signature || failed(bound.signature->takesLayerList() ? bindLayerList(call, bound)
                                                                   : bindParams(call, bound)))
    return failure();
  bound.layers = bound.nodes.size();
  return bound;
}

} // namespace tr::blueprint
