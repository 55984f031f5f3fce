// SPDX-License-Identifier: Apache-2.0
//
// The parser keeps its open calls on a stack of its own, so that no text can
// exhaust the machine's.
#include "Parser.h"

#include "renaissance/Dialect/TR/IR/BPModel.h"
#include "renaissance/Target/Blueprint/BlueprintImporter.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace mlir;

namespace tr::blueprint {

LogicalResult Parser::unexpected(StringRef what) const {
  return source.error(token.at) << "expected " << what << ", but got " << token.describe();
}

LogicalResult Parser::advance() {
  token = lexer.next();
  return failure(token.is(TokenKind::Error));
}

LogicalResult Parser::expect(TokenKind kind, StringRef what) {
  return token.is(kind) ? advance() : unexpected(what);
}

const Parser::Let *Parser::findLet(StringRef name) const {
  for (const Scope *scope : {&modelLets, &fileLets})
    if (auto it = scope->find(name); it != scope->end())
      return &it->second;
  return nullptr;
}

FailureOr<NodeId> Parser::addNode(Node node) {
  if (file.nodes.size() == kMaxNodes)
    return source.error(node.token.at)
           << "expected at most " << kMaxNodes << " calls and arguments in a file, but got more";
  // A `let` of a name stands for what that name stands for.
  if (node.token.is(TokenKind::Name) && !node.isCall)
    if (const Let *let = findLet(node.token.text)) {
      const Node &expression = file.nodes[let->expression];
      node.target = expression.isCall ? let->expression : expression.target;
    }
  file.nodes.push_back(std::move(node));
  return static_cast<NodeId>(file.nodes.size() - 1);
}

// The names of a call are those in scope at its ')'.
Binder Parser::makeBinder() const {
  auto letNames = [this] {
    Binder::NameList names;
    for (const Scope *scope : {&modelLets, &fileLets})
      for (const auto &let : *scope)
        names.push_back(let.first());
    llvm::sort(names);
    return names;
  };
  return Binder(source, file.nodes, /*classes=*/1, letNames);
}

LogicalResult Parser::takeValue(bool isRoot, Node &node) {
  bool isLiteral = false;
  switch (token.kind) {
  case TokenKind::Int:
  case TokenKind::Real:
  case TokenKind::Dims:
  case TokenKind::String:
  case TokenKind::True:
  case TokenKind::False:
    isLiteral = true;
    break;
  default:
    break;
  }
  if (!token.is(TokenKind::Name) && (isRoot || !isLiteral))
    return unexpected(isRoot ? "a layer" : "an argument");
  node.token = token;
  return advance();
}

// One value with its label; of a call everything up to and with its '('.
FailureOr<NodeId> Parser::parseValue(bool isRoot, size_t depth) {
  Node node;
  if (failed(takeValue(isRoot, node)))
    return failure();
  if (!isRoot && node.token.is(TokenKind::Name) && token.is(TokenKind::Equal)) {
    node.label = node.token;
    if (failed(advance()) || failed(takeValue(/*isRoot=*/false, node)))
      return failure();
  }
  node.isCall = node.token.is(TokenKind::Name) && token.is(TokenKind::LeftParen);
  if (!node.isCall)
    return addNode(std::move(node));
  if (depth == bp::kMaxNesting)
    return source.error(node.token.at)
           << "expected at most " << bp::kMaxNesting << " nested calls, but got more";
  if (failed(advance()))
    return failure();
  return addNode(std::move(node));
}

FailureOr<NodeId> Parser::parseExpression() {
  FailureOr<NodeId> root = parseValue(/*isRoot=*/true, /*depth=*/0);
  if (failed(root))
    return failure();
  if (!file.nodes[*root].isCall) {
    if (failed(makeBinder().checkLayer(file.nodes[*root])))
      return failure();
    return root;
  }
  SmallVector<NodeId> open{*root};
  bool justOpened = true;
  while (!open.empty()) {
    if (token.is(TokenKind::RightParen)) {
      if (failed(makeBinder().bind(open.pop_back_val())) || failed(advance()))
        return failure();
      justOpened = false;
      continue;
    }
    if (!justOpened && failed(expect(TokenKind::Comma, "',' or ')'")))
      return failure();
    FailureOr<NodeId> argument = parseValue(/*isRoot=*/false, open.size());
    if (failed(argument))
      return failure();
    file.nodes[open.back()].arguments.push_back(*argument);
    justOpened = file.nodes[*argument].isCall;
    if (justOpened)
      open.push_back(*argument);
  }
  return root;
}

LogicalResult Parser::parseLet(Scope &scope) {
  if (failed(advance())) // 'let'
    return failure();
  Token name = token;
  if (failed(expect(TokenKind::Name, "a name after 'let'")))
    return failure();
  if (name.text == "input" || name.text == "classes")
    return source.error(name.at) << "expected a name other than '" << name.text
                                 << "', which the model's header defines";
  if (const Let *previous = findLet(name.text))
    return source.duplicate(name.at, previous->name.at,
                            "expected a new name, but got '" + name.text + "' twice");
  if (failed(expect(TokenKind::Equal, "'='")))
    return failure();
  FailureOr<NodeId> expression = parseExpression();
  if (failed(expression))
    return failure();
  scope[name.text] = {name, *expression};
  return expect(TokenKind::Semicolon, "';' after a let");
}

// PyTorch's order is CxHxW.
void Parser::warnOfOtherOrder(const Token &value, ImageShape shape) const {
  if (shape.h > 4 || shape.h >= shape.w || shape.w != shape.c)
    return;
  mlir::emitWarning(source.locate(value.at))
      << "input = " << value.text << " has " << shape.c
      << " channels; the order is HEIGHTxWIDTHxCHANNELS, so " << shape.w << "x" << shape.c
      << " pixels of " << shape.h << " channels are " << shape.w << "x" << shape.c << "x"
      << shape.h;
}

// The token is the value of `key`.
LogicalResult Parser::parseHeaderValue(Model &model, const Token &key) {
  Token value = token;
  if (key.text == "input") {
    if (!value.is(TokenKind::Dims) || value.text.count('x') != 2)
      return unexpected("input = HEIGHTxWIDTHxCHANNELS");
    std::optional<ImageShape> shape = parseImageShape(value.text);
    if (!shape)
      return unexpected("extents of at least 1 and at most 2147483647 elements in input");
    model.input = *shape;
    warnOfOtherOrder(value, *shape);
  } else {
    if (!value.is(TokenKind::Int))
      return unexpected("an integer for classes");
    if (value.text.getAsInteger(10, model.classes) || model.classes < 1 ||
        model.classes > std::numeric_limits<int32_t>::max())
      return unexpected("classes in [1, 2147483647]");
  }
  return advance();
}

// `seen` holds the tokens of input and classes where they are there already.
LogicalResult Parser::parseHeaderEntry(Model &model, Token (&seen)[2]) {
  Token key = token;
  if (failed(expect(TokenKind::Name, "input or classes")))
    return failure();
  if (key.text != "input" && key.text != "classes") {
    return source.error(key.at) << "expected input or classes, but got unknown name "
                                << key.describe() << didYouMean(key.text, {"input", "classes"});
  }
  Token &entry = seen[key.text == "classes"];
  if (entry.is(TokenKind::Name))
    return source.duplicate(key.at, entry.at,
                            "expected each argument once, but got '" + key.text + "' twice");
  entry = key;
  return failed(expect(TokenKind::Equal, "'='")) ? failure() : parseHeaderValue(model, key);
}

LogicalResult Parser::parseHeader(Model &model) {
  Token seen[2];
  do {
    if (failed(advance()) || failed(parseHeaderEntry(model, seen))) // after '(' or ','
      return failure();
  } while (token.is(TokenKind::Comma));
  for (auto [entry, name] :
       {std::pair(seen[0], "input = HEIGHTxWIDTHxCHANNELS"), std::pair(seen[1], "classes = N")})
    if (!entry.is(TokenKind::Name))
      return source.error(model.name.at) << "expected " << name << " in the header of model '"
                                         << model.name.text << "', but got none";
  return expect(TokenKind::RightParen, "',' or ')'");
}

LogicalResult Parser::parseModel() {
  if (failed(advance())) // 'model'
    return failure();
  Model model;
  model.name = token;
  if (failed(expect(TokenKind::Name, "a name after 'model'")))
    return failure();
  for (const Model &previous : file.models)
    if (previous.name.text == model.name.text)
      return source.duplicate(model.name.at, previous.name.at,
                              "expected a new name, but got model '" + model.name.text + "' twice");
  if (!token.is(TokenKind::LeftParen))
    return unexpected("'(' and the header of the model");
  if (failed(parseHeader(model)) || failed(expect(TokenKind::LeftBrace, "'{'")))
    return failure();
  modelLets.clear();
  while (token.is(TokenKind::Let))
    if (failed(parseLet(modelLets)))
      return failure();
  FailureOr<NodeId> root = parseExpression();
  if (failed(root))
    return failure();
  modelLets.clear();
  model.root = *root;
  file.models.push_back(model);
  return expect(TokenKind::RightBrace, "'}' after the layers of a model");
}

FailureOr<File> Parser::parse() {
  if (failed(advance()))
    return failure();
  while (!token.is(TokenKind::End)) {
    if (token.is(TokenKind::Let)     ? failed(parseLet(fileLets))
        : token.is(TokenKind::Model) ? failed(parseModel())
                                     : failed(unexpected("'model' or 'let'")))
      return failure();
  }
  if (file.models.empty())
    return unexpected("a model");
  return std::move(file);
}

} // namespace tr::blueprint
