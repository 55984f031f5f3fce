// SPDX-License-Identifier: Apache-2.0
//
// Parser of BluePrint text.
#ifndef RENAISSANCE_LIB_TARGET_BLUEPRINT_PARSER_H
#define RENAISSANCE_LIB_TARGET_BLUEPRINT_PARSER_H

#include "Binder.h"

#include "llvm/ADT/StringMap.h"

namespace tr::blueprint {

/// Parses a whole file and checks every call in it, used or not. Stops at the
/// first error.
class Parser {
public:
  explicit Parser(const Source &source) : source(source), lexer(source) {}
  llvm::FailureOr<File> parse();

private:
  struct Let {
    Token name;
    NodeId expression = kNoNode;
  };
  using Scope = llvm::StringMap<Let>;

  llvm::LogicalResult advance();
  llvm::LogicalResult expect(TokenKind kind, llvm::StringRef what);
  llvm::LogicalResult unexpected(llvm::StringRef what) const;
  llvm::LogicalResult parseLet(Scope &scope);
  llvm::LogicalResult parseModel();
  llvm::LogicalResult parseHeader(Model &model);
  llvm::LogicalResult parseHeaderEntry(Model &model, Token (&seen)[2]);
  llvm::LogicalResult parseHeaderValue(Model &model, const Token &key);
  void warnOfOtherOrder(const Token &value, ImageShape shape) const;
  llvm::FailureOr<NodeId> parseExpression();
  llvm::FailureOr<NodeId> parseValue(bool isRoot, size_t depth);
  llvm::LogicalResult takeValue(bool isRoot, Node &node);
  llvm::FailureOr<NodeId> addNode(Node node);
  Binder makeBinder() const;
  const Let *findLet(llvm::StringRef name) const;

  const Source &source;
  Lexer lexer;
  Token token;
  File file;
  Scope fileLets, modelLets;
};

} // namespace tr::blueprint

#endif // RENAISSANCE_LIB_TARGET_BLUEPRINT_PARSER_H
