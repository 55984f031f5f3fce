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
  /// What a name of an expression or of a function stands for.
  struct Let {
    Token name;
    NodeId expression = kNoNode; // none after an error in it
    uint32_t function = kNoNode;
  };
  using Scope = llvm::StringMap<Let>;

  void advance();
  llvm::LogicalResult expect(TokenKind kind, llvm::StringRef what);
  llvm::LogicalResult unexpected(llvm::StringRef what) const;
  bool isAt(std::initializer_list<TokenKind> kinds) const;
  void skipTo(std::initializer_list<TokenKind> kinds);
  void skipArgument(size_t depth = 0);
  void skipModel();

  llvm::LogicalResult parseLet(Scope &scope);
  llvm::LogicalResult takeNewName(Token &name);
  llvm::LogicalResult endDefinition(llvm::StringRef what, bool isInModel);
  llvm::LogicalResult skipDefinition();
  llvm::LogicalResult parseFunction();
  void parseParams(Function &function);
  llvm::LogicalResult parseParam(Function &function);
  void parseModel();
  void parseBody(Model &model);
  llvm::LogicalResult checkNewModel(const Token &name) const;
  void parseHeader(Model &model);
  llvm::LogicalResult parseHeaderEntry(Model &model, Token (&seen)[2]);
  llvm::LogicalResult parseHeaderValue(Model &model, const Token &key);
  void warnOfOtherOrder(const Token &value, ImageShape shape) const;

  llvm::FailureOr<NodeId> parseExpression();
  llvm::FailureOr<NodeId> addNode(Node node);
  void resolveName(Node &node) const;
  void resolveCall(Node &node) const;
  void closeCall(NodeId call, bool isWhole);
  Binder makeBinder() const;
  const Let *findLet(llvm::StringRef name) const;

  friend class ExpressionParser;

  const Source &source;
  Lexer lexer;
  Token token;
  bool stopped = false; // after too many errors or nodes
  File file;
  Scope fileLets, modelLets;
  Function *current = nullptr; // whose body is read
};

} // namespace tr::blueprint

#endif // RENAISSANCE_LIB_TARGET_BLUEPRINT_PARSER_H
