// SPDX-License-Identifier: Apache-2.0
//
// Files, lets and models; what can go on after an error does.
#include "Parser.h"

#include "renaissance/Target/Blueprint/BlueprintImporter.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace mlir;

namespace tr::blueprint {

LogicalResult Parser::unexpected(StringRef what) const {
  if (stopped || token.is(TokenKind::Error)) // was reported
    return failure();
  return source.error(token.at) << "expected " << what << ", but got " << token.describe();
}

void Parser::advance() {
  Position end = token.at;
  token = stopped ? Token() : lexer.next();
  if (!stopped && source.errors >= kMaxErrors) {
    source.error(token.at) << "expected at most " << kMaxErrors
                           << " errors in a file, but got more; the rest of it was not read";
    stopped = true;
  }
  if (stopped)
    token = {TokenKind::End, {}, end};
}

LogicalResult Parser::expect(TokenKind kind, StringRef what) {
  if (!token.is(kind))
    return unexpected(what);
  advance();
  return success();
}

bool Parser::isAt(std::initializer_list<TokenKind> kinds) const {
  return llvm::is_contained(kinds, token.kind);
}

//===----------------------------------------------------------------------===//
// Where to go on after an error
//===----------------------------------------------------------------------===//

void Parser::skipTo(std::initializer_list<TokenKind> kinds) {
  while (!token.is(TokenKind::End) && !isAt(kinds))
    advance();
}

// To the ',' or ')' after a wrong argument, or to what can only stand behind the whole expression.
// `depth` is the number of parentheses that are open in the argument.
void Parser::skipArgument(size_t depth) {
  for (; !isAt({TokenKind::End, TokenKind::Let, TokenKind::Model, TokenKind::Function,
                TokenKind::Semicolon, TokenKind::LeftBrace, TokenKind::RightBrace});
       advance()) {
    if (depth == 0 && isAt({TokenKind::Comma, TokenKind::RightParen}))
      return;
    depth += token.is(TokenKind::LeftParen);
    depth -= token.is(TokenKind::RightParen);
  }
}

void Parser::skipModel() {
  skipTo({TokenKind::RightBrace, TokenKind::Model});
  if (token.is(TokenKind::RightBrace))
    advance();
}

//===----------------------------------------------------------------------===//
// Lets
//===----------------------------------------------------------------------===//

// Fails for a name that cannot be defined; its definition is read all the same.
LogicalResult Parser::takeNewName(Token &name) {
  name = token;
  advance();
  if (name.text == "input" || name.text == "classes")
    return source.error(name.at) << "expected a name other than '" << name.text
                                 << "', which the model's header defines";
  if (name.text == "cin" || name.text == "if")
    return source.error(name.at) << "expected a name other than '" << name.text
                                 << "', which has a meaning everywhere";
  if (const Let *previous = findLet(name.text))
    return source.duplicate(name.at, previous->name.at,
                            "expected a new name, but got '" + name.text + "' twice");
  return success();
}

// Behind its expression. A ';' that is missing before the layers of a model is taken as written.
LogicalResult Parser::endDefinition(StringRef what, bool isInModel) {
  if (succeeded(expect(TokenKind::Semicolon, ("';' after a " + what).str())))
    return success();
  return isInModel && token.is(TokenKind::Name) ? success() : skipDefinition();
}

// To the end of a definition with an error in it. Fails where nothing tells how the text goes on.
LogicalResult Parser::skipDefinition() {
  skipTo({TokenKind::Semicolon, TokenKind::Let, TokenKind::Function, TokenKind::Model,
          TokenKind::RightBrace});
  if (token.is(TokenKind::Semicolon))
    advance();
  else if (!isAt({TokenKind::Let, TokenKind::Function}))
    return failure();
  return success();
}

LogicalResult Parser::parseLet(Scope &scope) {
  advance(); // 'let'
  Let let;
  bool isNew = false;
  if (token.is(TokenKind::Name)) {
    isNew = succeeded(takeNewName(let.name));
  } else {
    (void)unexpected("a name after 'let'");
    skipTo({TokenKind::Equal, TokenKind::Semicolon, TokenKind::Let, TokenKind::Function,
            TokenKind::Model, TokenKind::RightBrace});
    if (!token.is(TokenKind::Equal))
      return skipDefinition();
  }
  FailureOr<NodeId> expression;
  if (succeeded(expect(TokenKind::Equal, "'='")))
    expression = parseExpression();
  if (succeeded(expression))
    let.expression = *expression;
  if (isNew)
    scope[let.name.text] = let;
  return failed(expression) ? skipDefinition() : endDefinition("let", &scope == &modelLets);
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

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
  advance();
  return success();
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

void Parser::parseHeader(Model &model) {
  Token seen[2];
  bool isWhole = true;
  do {
    advance(); // '(' or ','
    if (failed(parseHeaderEntry(model, seen))) {
      isWhole = false;
      skipArgument();
    }
  } while (token.is(TokenKind::Comma));
  if (!token.is(TokenKind::RightParen)) {
    if (isWhole)
      (void)unexpected("',' or ')'");
    isWhole = false;
    skipTo({TokenKind::RightParen, TokenKind::LeftBrace, TokenKind::RightBrace, TokenKind::Model});
  }
  if (token.is(TokenKind::RightParen))
    advance();
  for (auto [entry, name] :
       {std::pair(seen[0], "input = HEIGHTxWIDTHxCHANNELS"), std::pair(seen[1], "classes = N")})
    if (isWhole && !entry.is(TokenKind::Name))
      source.error(model.name.at) << "expected " << name << " in the header of model '"
                                  << model.name.text << "', but got none";
}

LogicalResult Parser::checkNewModel(const Token &name) const {
  for (const Model &previous : file.models)
    if (previous.name.text == name.text)
      return source.duplicate(name.at, previous.name.at,
                              "expected a new name, but got model '" + name.text + "' twice");
  return success();
}

// Between '{' and '}'.
void Parser::parseBody(Model &model) {
  while (token.is(TokenKind::Let))
    if (failed(parseLet(modelLets)))
      return skipModel();
  FailureOr<NodeId> root = parseExpression();
  if (failed(root) || failed(expect(TokenKind::RightBrace, "'}' after the layers of a model")))
    return skipModel();
  model.root = *root;
}

void Parser::parseModel() {
  advance(); // 'model'
  Model model;
  model.name = token;
  bool isNamed = succeeded(expect(TokenKind::Name, "a name after 'model'"));
  if (isNamed)
    (void)checkNewModel(model.name);
  bool hasHeader = token.is(TokenKind::LeftParen);
  if (hasHeader)
    parseHeader(model);
  else if (isNamed)
    (void)unexpected("'(' and the header of the model");
  if (!token.is(TokenKind::LeftBrace)) {
    if (hasHeader)
      (void)unexpected("'{'");
    return skipModel();
  }
  advance();
  modelLets.clear();
  parseBody(model);
  modelLets.clear();
  if (isNamed)
    file.models.push_back(model);
}

FailureOr<File> Parser::parse() {
  advance();
  while (!token.is(TokenKind::End)) {
    if (token.is(TokenKind::Model)) {
      parseModel();
      continue;
    }
    bool isFine = token.is(TokenKind::Let)        ? succeeded(parseLet(fileLets))
                  : token.is(TokenKind::Function) ? succeeded(parseFunction())
                                                  : succeeded(unexpected("'model', 'let' or 'fn'"));
    if (!isFine)
      skipTo({TokenKind::Let, TokenKind::Function, TokenKind::Model});
  }
  if (file.models.empty() && source.errors == 0)
    (void)unexpected("a model");
  if (source.errors > 0)
    return failure();
  return std::move(file);
}

} // namespace tr::blueprint
