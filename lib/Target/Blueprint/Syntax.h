// SPDX-License-Identifier: Apache-2.0
//
// The syntax tree of a BluePrint file, in one flat list of nodes: indices instead
// of pointers, so that nothing recurses to build, walk or free it.
#ifndef RENAISSANCE_LIB_TARGET_BLUEPRINT_SYNTAX_H
#define RENAISSANCE_LIB_TARGET_BLUEPRINT_SYNTAX_H

#include "Lexer.h"

#include "renaissance/Dialect/TR/IR/TRDialect.h"

#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace tr::blueprint {

using NodeId = uint32_t;
constexpr NodeId kNoNode = ~NodeId(0);

/// Bounds of a file and of what it expands to.
constexpr size_t kMaxBytes = size_t(16) << 20;
constexpr size_t kMaxNodes = 1'000'000;
/// Errors of one file after which the rest of it is not read.
constexpr unsigned kMaxErrors = 100;

/// A call, an operator, or what stands between them.
struct Node {
  Token token; // of a call: its name; of an operator: its kind, with the text of the whole
  bool isCall = false;
  bool isOperator = false;
  Token label; // of a named argument: its name, else kind End
  /// Of a name that a `let` defines: the expression it stands for.
  NodeId target = kNoNode;
  /// Of a call of a function: its number.
  uint32_t function = kNoNode;
  /// Of a parameter of the function around: its number.
  uint32_t param = kNoNode;
  /// Whether what it builds depends on the channels that get there.
  bool readsInput = false;
  /// An error of this node was reported: what it is used for is not checked.
  bool faulty = false;
  uint16_t depth = 1; // of operators below
  llvm::SmallVector<NodeId, 0> arguments;

  bool isNamed() const { return label.is(TokenKind::Name); }
  bool isChoice() const { return isCall && token.text == "if"; }
  Position begin() const { return isNamed() ? label.at : token.at; }
};

/// `fn NAME(PARAM, PARAM = 3) = body;`
struct Function {
  struct Param {
    Token name;
    std::optional<int64_t> fallback;
  };
  Token name;
  llvm::SmallVector<Param, 4> params;
  NodeId body = kNoNode;   // none after an error in it
  bool readsInput = false; // uses cin, itself or in what it calls

  /// "mb(k, out, e = 6)".
  std::string describe() const;
};

struct Model {
  Token name;
  ImageShape input;
  int64_t classes = 0;
  NodeId root = kNoNode;
};

struct File {
  std::vector<Node> nodes;
  std::vector<Function> functions;
  std::vector<Model> models;
};

} // namespace tr::blueprint

#endif // RENAISSANCE_LIB_TARGET_BLUEPRINT_SYNTAX_H
