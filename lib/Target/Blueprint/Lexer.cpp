// SPDX-License-Identifier: Apache-2.0
//
// Splits BluePrint text into tokens.
#include "Lexer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace tr::blueprint {
namespace {
bool isNameStart(char c) { return isAlpha(c) || c == '_'; }
bool isNamePart(char c) { return isAlnum(c) || c == '_'; }
} // namespace

LogicalResult Source::duplicate(Position second, Position first, const Twine &message) const {
  mlir::InFlightDiagnostic diagnostic = error(second);
  diagnostic << message;
  diagnostic.attachNote(locate(first)) << "the first one is here";
  return diagnostic;
}

std::string Token::describe() const {
  if (kind == TokenKind::End)
    return "end of file";
  constexpr size_t kMost = 60; // a token can be as long as the file
  std::string shown = text.take_front(kMost).str() + (text.size() > kMost ? "..." : "");
  const char *quote = kind == TokenKind::String ? "\"" : "'";
  return quote + shown + quote;
}

Lexer::Lexer(const Source &source) : source(source) {
  if (source.text.starts_with("\xEF\xBB\xBF")) // byte order mark of some editors
    cursor = lineStart = 3;
}

char Lexer::peek(size_t ahead) const {
  return cursor + ahead < source.text.size() ? source.text[cursor + ahead] : '\0';
}

Position Lexer::here() const { return {line, static_cast<unsigned>(cursor - lineStart + 1)}; }

Token Lexer::make(TokenKind kind, size_t begin) {
  lastEnd = here();
  last = kind;
  Position at{line, static_cast<unsigned>(begin - lineStart + 1)};
  return {kind, source.text.slice(begin, cursor), at};
}

Token Lexer::fail(size_t begin, const Twine &message) {
  Token token = make(TokenKind::Error, begin);
  if (source.file)
    source.error(token.at) << message;
  return token;
}

// Moves to the next token; false at the end of the text.
bool Lexer::skipBlanks() {
  for (; cursor < source.text.size(); ++cursor) {
    char c = source.text[cursor];
    if (c == '\n') {
      ++line;
      lineStart = cursor + 1;
    } else if (c == '/' && peek(1) == '/') {
      while (cursor + 1 < source.text.size() && source.text[cursor + 1] != '\n')
        ++cursor;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      return true;
    }
  }
  return false;
}

Token Lexer::lexName() {
  size_t begin = cursor;
  while (isNamePart(peek()))
    ++cursor;
  StringRef text = source.text.slice(begin, cursor);
  TokenKind kind = StringSwitch<TokenKind>(text)
                       .Case("model", TokenKind::Model)
                       .Case("let", TokenKind::Let)
                       .Case("fn", TokenKind::Function)
                       .Case("true", TokenKind::True)
                       .Case("false", TokenKind::False)
                       .Default(TokenKind::Name);
  return make(kind, begin);
}

// Moves over digits; false when there is none.
bool Lexer::skipDigits() {
  size_t begin = cursor;
  while (isDigit(peek()))
    ++cursor;
  return cursor != begin;
}

Token Lexer::lexNumber() {
  size_t begin = cursor;
  auto malformed = [&](const Twine &hint) {
    while (isNamePart(peek()) || peek() == '.')
      ++cursor;
    Token token{TokenKind::Int, source.text.slice(begin, cursor), {}};
    return fail(begin, "expected a decimal number" + hint + ", but got " + token.describe());
  };
  TokenKind kind = TokenKind::Int;
  if (peek() == '-')
    ++cursor;
  skipDigits();
  while (peek() == 'x' && (kind == TokenKind::Int || kind == TokenKind::Dims)) {
    kind = TokenKind::Dims;
    ++cursor;
    if (!skipDigits())
      return malformed(" or a size such as 3x5");
  }
  if (kind == TokenKind::Int && peek() == '.') {
    kind = TokenKind::Real;
    ++cursor;
    if (!skipDigits())
      return malformed(" with digits after the point");
  }
  if (kind != TokenKind::Dims && (peek() == 'e' || peek() == 'E')) {
    kind = TokenKind::Real;
    ++cursor;
    if (peek() == '-' || peek() == '+')
      ++cursor;
    if (!skipDigits())
      return malformed(" with digits in the exponent");
  }
  if (isNamePart(peek()) || peek() == '.')
    return malformed(kind == TokenKind::Dims ? " or a size such as 3x5" : "");
  return make(kind, begin);
}

Token Lexer::lexString() {
  size_t begin = cursor++;
  while (peek() != '"') {
    if (cursor >= source.text.size() || peek() == '\n')
      return fail(begin, "expected '\"' at the end of a text, but got the end of the line");
    ++cursor;
  }
  ++cursor;
  Token token = make(TokenKind::String, begin);
  token.text = token.text.drop_front().drop_back();
  return token;
}

// Of two characters where they are one token.
Token Lexer::lexPunctuation() {
  struct Mark {
    StringLiteral text;
    TokenKind kind;
  };
  constexpr Mark marks[] = {
      {"==", TokenKind::EqualEqual},   {"!=", TokenKind::NotEqual},  {"<=", TokenKind::LessEqual},
      {">=", TokenKind::GreaterEqual}, {"(", TokenKind::LeftParen},  {")", TokenKind::RightParen},
      {"{", TokenKind::LeftBrace},     {"}", TokenKind::RightBrace}, {",", TokenKind::Comma},
      {";", TokenKind::Semicolon},     {"=", TokenKind::Equal},      {"+", TokenKind::Plus},
      {"-", TokenKind::Minus},         {"*", TokenKind::Star},       {"/", TokenKind::Slash},
      {"<", TokenKind::Less},          {">", TokenKind::Greater}};
  size_t begin = cursor;
  for (const Mark &mark : marks)
    if (source.text.substr(begin).starts_with(mark.text)) {
      cursor += mark.text.size();
      return make(mark.kind, begin);
    }
  char c = source.text[cursor++];
  if (c == '#')
    return fail(begin, "expected a name, a number or punctuation, but got '#'; comments begin with "
                       "//");
  if (isPrint(c))
    return fail(begin, "expected a name, a number or punctuation, but got '" + Twine(c) + "'");
  return fail(begin, "expected a name, a number or punctuation, but got byte 0x" +
                         utohexstr(static_cast<unsigned char>(c), /*LowerCase=*/false, 2));
}

// A '-' is the sign of a number where no operand stands before it.
Token Lexer::next() {
  if (!skipBlanks()) // reported after the last token, not at some later empty line
    return {TokenKind::End, {}, lastEnd};
  char c = peek();
  bool isBehindOperand =
      last == TokenKind::Name || last == TokenKind::Int || last == TokenKind::RightParen;
  if (isNameStart(c))
    return lexName();
  if (isDigit(c) || (c == '-' && isDigit(peek(1)) && !isBehindOperand))
    return lexNumber();
  return c == '"' ? lexString() : lexPunctuation();
}

int getPrecedence(TokenKind kind) {
  switch (kind) {
  case TokenKind::Star:
  case TokenKind::Slash:
    return 3;
  case TokenKind::Plus:
  case TokenKind::Minus:
    return 2;
  case TokenKind::EqualEqual:
  case TokenKind::NotEqual:
  case TokenKind::Less:
  case TokenKind::LessEqual:
  case TokenKind::Greater:
  case TokenKind::GreaterEqual:
    return 1;
  default:
    return 0;
  }
}

} // namespace tr::blueprint
