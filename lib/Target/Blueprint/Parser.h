// SPDX-License-Identifier: Apache-2.0
//
// Parser of BluePrint text.
#ifndef RENAISSANCE_LIB_TARGET_BLUEPRINT_PARSER_H
#define RENAISSANCE_LIB_TARGET_BLUEPRINT_PARSER_H

#include "Binder.h"

#include "llvm/ADT/StringMap.h"

namespace tr::blueprint {

/// Parses a whole file and checks every call in it, used or not. Reports all errors: after one it
/// goes on at the next ',' or ')' of the call, ';' of the let or '}' of the model.
class Parser {
public:
  explicit Parser(const Source &source) : source(source), lexer(source) {}
  llvm::FailureOr<File> parse();

private:
  struct Let {
    Token name;
    NodeId expression = kNoNode; // none after an error in it
  };
  using Scope = llvm::StringMap<Let>;

  void advance();
  llvm::LogicalResult expect(TokenKind kind, llvm::StringRef what);
  llvm::LogicalResult unexpected(llvm::StringRef what) const;
  bool isAt(std::initializer_list<TokenKind> kinds) const;
  void skipTo(std::initializer_list<TokenKind> kinds);
  void skipArgument();
  void skipModel();

  llvm::LogicalResult parseLet(Scope &scope);
  llvm::LogicalResult parseLetName(Token &name);
  llvm::LogicalResult skipLet();
  void parseModel();
  void parseBody(Model &model);
  llvm::LogicalResult checkNewModel(const Token &name) const;
  void parseHeader(Model &model);
  llvm::LogicalResult parseHeaderEntry(Model &model, Token (&seen)[2]);
  llvm::LogicalResult parseHeaderValue(Model &model, const Token &key);
  void warnOfOtherOrder(const Token &value, ImageShape shape) const;

  llvm::FailureOr<NodeId> parseExpression();
  llvm::FailureOr<NodeId> parseCall(NodeId root);
  llvm::FailureOr<NodeId> parseArgument(NodeId call, bool isFirst, size_t depth);
  llvm::FailureOr<NodeId> parseValue(bool isRoot, size_t depth);
  llvm::LogicalResult takeValue(bool isRoot, Node &node);
  llvm::FailureOr<NodeId> addNode(Node node);
  void close(NodeId call, bool isWhole);
  Binder makeBinder() const;
  const Let *findLet(llvm::StringRef name) const;

  const Source &source;
  Lexer lexer;
  Token token;
  bool stopped = false; // after too many errors or nodes
  File file;
  Scope fileLets, modelLets;
};

} // namespace tr::blueprint

#endif // RENAISSANCE_LIB_TARGET_BLUEPRINT_PARSER_H
