// SPDX-License-Identifier: Apache-2.0
//
// Definitions of functions. Their names are known behind their own ';' only, so that none calls
// itself.
#include "Parser.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace mlir;

namespace tr::blueprint {

std::string Function::describe() const {
  std::string text = (name.text + "(").str();
  for (auto [index, param] : llvm::enumerate(params)) {
    text += (index == 0 ? "" : ", ") + param.name.text.str();
    if (param.fallback)
      text += " = " + std::to_string(*param.fallback);
  }
  return text + ")";
}

LogicalResult Parser::parseParam(Function &function) {
  Function::Param param{token, {}};
  if (failed(expect(TokenKind::Name, "a parameter")))
    return failure();
  if (is_contained({"input", "classes", "cin", "if", "name"}, param.name.text))
    return source.error(param.name.at) << "expected a parameter other than '" << param.name.text
                                       << "', which has a meaning everywhere";
  for (const Function::Param &other : function.params)
    if (other.name.text == param.name.text)
      return source.duplicate(param.name.at, other.name.at,
                              "expected each parameter once, but got '" + param.name.text +
                                  "' twice");
  if (token.is(TokenKind::Equal)) {
    advance();
    int64_t value = 0;
    if (!token.is(TokenKind::Int) || token.text.getAsInteger(10, value))
      return unexpected("an integer of 64 bits as default");
    param.fallback = value;
    advance();
  } else if (!function.params.empty() && function.params.back().fallback) {
    return source.error(param.name.at)
           << "expected parameters without a default before those that have one, but got '"
           << param.name.text << "' after '" << function.params.back().name.text << "'";
  }
  function.params.push_back(param);
  return success();
}

// From '(' to behind ')'.
void Parser::parseParams(Function &function) {
  advance();
  if (token.is(TokenKind::RightParen))
    return advance();
  while (true) {
    if (failed(parseParam(function)))
      skipArgument();
    else if (!isAt({TokenKind::Comma, TokenKind::RightParen}) && failed(unexpected("',' or ')'")))
      skipArgument();
    if (!token.is(TokenKind::Comma))
      break;
    advance();
  }
  if (token.is(TokenKind::RightParen))
    advance();
}

LogicalResult Parser::parseFunction() {
  advance(); // 'fn'
  Function function;
  if (!token.is(TokenKind::Name)) {
    (void)unexpected("a name after 'fn'");
    return skipDefinition();
  }
  bool isNew = succeeded(takeNewName(function.name));
  if (isNew && !findSignatures(function.name.text).empty())
    isNew = succeeded(LogicalResult(source.error(function.name.at)
                                    << "expected a new name, but got '" << function.name.text
                                    << "', which is a call of the language"));
  if (token.is(TokenKind::LeftParen))
    parseParams(function);
  else
    (void)unexpected("'(' and the parameters of the function");
  FailureOr<NodeId> body;
  if (succeeded(expect(TokenKind::Equal, "'='"))) {
    current = &function;
    body = parseExpression();
    current = nullptr;
  }
  if (succeeded(body)) {
    function.body = *body;
    function.readsInput |= file.nodes[*body].readsInput;
  }
  if (isNew) {
    fileLets[function.name.text] = {function.name, kNoNode,
                                    static_cast<uint32_t>(file.functions.size())};
    file.functions.push_back(std::move(function));
  }
  return failed(body) ? skipDefinition() : endDefinition("fn", /*isInModel=*/false);
}

} // namespace tr::blueprint
