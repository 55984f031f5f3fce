// SPDX-License-Identifier: Apache-2.0
//
// Tokens of BluePrint text. Every token knows its line and column, so that nobody
// has to search the text for them later.
#ifndef RENAISSANCE_LIB_TARGET_BLUEPRINT_LEXER_H
#define RENAISSANCE_LIB_TARGET_BLUEPRINT_LEXER_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"

#include <optional>

namespace tr::blueprint {

struct Position {
  unsigned line = 1, column = 1;
};

/// The text with the name to report it under. Without a name only its tokens can be read, and
/// nothing is reported.
struct Source {
  mlir::StringAttr file;
  llvm::StringRef text;
  /// Of the body of a function: where it is used.
  std::optional<mlir::Location> caller = {};
  mutable unsigned errors = 0; // reported so far

  mlir::Location locate(Position at) const {
    mlir::Location place = mlir::FileLineColLoc::get(file, at.line, at.column);
    return caller ? mlir::CallSiteLoc::get(place, *caller) : place;
  }
  mlir::InFlightDiagnostic error(Position at) const {
    ++errors;
    return mlir::emitError(locate(at));
  }
  /// Reports something that is there twice, with a note at the first one.
  llvm::LogicalResult duplicate(Position second, Position first, const llvm::Twine &message) const;
};

enum class TokenKind {
  Error, // already reported
  End,
  Name,
  Int,
  Real,
  Dims,
  String,
  True,
  False,
  Let,
  Model,
  Function,
  LeftParen,
  RightParen,
  LeftBrace,
  RightBrace,
  Comma,
  Semicolon,
  Equal,
  Plus,
  Minus,
  Star,
  Slash,
  EqualEqual,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
};

/// How strongly an operator binds, from 1 on; 0: it is none.
int getPrecedence(TokenKind kind);

struct Token {
  TokenKind kind = TokenKind::End;
  llvm::StringRef text; // of a string: without its quotes
  Position at;

  bool is(TokenKind other) const { return kind == other; }
  /// For messages: the token in quotes, or "end of file".
  std::string describe() const;
};

class Lexer {
public:
  explicit Lexer(const Source &source);
  /// The next token; an error is reported once and returned as an Error token.
  Token next();

private:
  Position here() const;
  Token make(TokenKind kind, size_t begin);
  Token fail(size_t begin, const llvm::Twine &message);
  bool skipBlanks();
  Token lexName();
  Token lexNumber();
  Token lexString();
  Token lexPunctuation();
  bool skipDigits();
  char peek(size_t ahead = 0) const;

  const Source &source;
  size_t cursor = 0;
  size_t lineStart = 0;
  unsigned line = 1;
  Position lastEnd;
  TokenKind last = TokenKind::End;
};

} // namespace tr::blueprint

#endif // RENAISSANCE_LIB_TARGET_BLUEPRINT_LEXER_H
