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

/// A call, or one of its arguments.
struct Node {
  Token token; // of a call: its name
  bool isCall = false;
  Token label; // of a named argument: its name, else kind End
  /// Of a name that a `let` defines: the expression it stands for.
  NodeId target = kNoNode;
  /// An error of this node was reported: what it is used for is not checked.
  bool faulty = false;
  llvm::SmallVector<NodeId, 0> arguments;

  bool isNamed() const { return label.is(TokenKind::Name); }
  Position begin() const { return isNamed() ? label.at : token.at; }
};

struct Model {
  Token name;
  ImageShape input;
  int64_t classes = 0;
  NodeId root = kNoNode;
};

struct File {
  std::vector<Node> nodes;
  std::vector<Model> models;
};

} // namespace tr::blueprint

#endif // RENAISSANCE_LIB_TARGET_BLUEPRINT_SYNTAX_H
