// SPDX-License-Identifier: Apache-2.0
//
// Expressions. The parser keeps its open calls on a stack of its own, so that no text can exhaust
// the machine's.
#include "Parser.h"

#include "renaissance/Dialect/TR/IR/BPModel.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace mlir;

namespace tr::blueprint {

const Parser::Let *Parser::findLet(StringRef name) const {
  for (const Scope *scope : {&modelLets, &fileLets})
    if (auto it = scope->find(name); it != scope->end())
      return &it->second;
  return nullptr;
}

FailureOr<NodeId> Parser::addNode(Node node) {
  if (file.nodes.size() == kMaxNodes) {
    stopped = true;
    return source.error(node.token.at)
           << "expected at most " << kMaxNodes << " calls and arguments in a file, but got more";
  }
  // A `let` of a name stands for what that name stands for.
  if (node.token.is(TokenKind::Name) && !node.isCall)
    if (const Let *let = findLet(node.token.text)) {
      node.faulty = let->expression == kNoNode;
      if (!node.faulty) {
        const Node &expression = file.nodes[let->expression];
        node.target = expression.isCall ? let->expression : expression.target;
      }
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
  bool isLiteral = isAt({TokenKind::Int, TokenKind::Real, TokenKind::Dims, TokenKind::String,
                         TokenKind::True, TokenKind::False});
  if (!token.is(TokenKind::Name) && (isRoot || !isLiteral))
    return unexpected(isRoot ? "a layer" : "an argument");
  node.token = token;
  advance();
  return success();
}

// One value with its label; of a call everything up to and with its '('.
FailureOr<NodeId> Parser::parseValue(bool isRoot, size_t depth) {
  Node node;
  if (failed(takeValue(isRoot, node)))
    return failure();
  if (!isRoot && node.token.is(TokenKind::Name) && token.is(TokenKind::Equal)) {
    node.label = node.token;
    advance();
    if (failed(takeValue(/*isRoot=*/false, node)))
      return failure();
  }
  node.isCall = node.token.is(TokenKind::Name) && token.is(TokenKind::LeftParen);
  if (!node.isCall)
    return addNode(std::move(node));
  if (depth == bp::kMaxNesting)
    return source.error(node.token.at)
           << "expected at most " << bp::kMaxNesting << " nested calls, but got more";
  advance();
  return addNode(std::move(node));
}

FailureOr<NodeId> Parser::parseArgument(NodeId call, bool isFirst, size_t depth) {
  if (!isFirst && failed(expect(TokenKind::Comma, "',' or ')'")))
    return failure();
  FailureOr<NodeId> argument = parseValue(/*isRoot=*/false, depth);
  if (succeeded(argument))
    file.nodes[call].arguments.push_back(*argument);
  return argument;
}

// Arguments that could not be read leave a call that is not looked at.
void Parser::close(NodeId call, bool isWhole) {
  if (!isWhole || failed(makeBinder().bind(call)))
    file.nodes[call].faulty = true;
  advance();
}

// Behind the '(' of `root`.
FailureOr<NodeId> Parser::parseCall(NodeId root) {
  struct Open {
    NodeId call;
    bool isWhole = true, isFirst = true;
  };
  SmallVector<Open> open{{root}};
  while (!open.empty()) {
    Open &last = open.back();
    if (token.is(TokenKind::RightParen)) {
      close(last.call, last.isWhole);
      open.pop_back();
      continue;
    }
    FailureOr<NodeId> argument = parseArgument(last.call, last.isFirst, open.size());
    last.isFirst = false;
    if (failed(argument)) {
      last.isWhole = false;
      skipArgument();
      if (!isAt({TokenKind::Comma, TokenKind::RightParen}))
        return failure();
    } else if (file.nodes[*argument].isCall) {
      open.push_back({*argument});
    }
  }
  return root;
}

FailureOr<NodeId> Parser::parseExpression() {
  FailureOr<NodeId> root = parseValue(/*isRoot=*/true, /*depth=*/0);
  if (failed(root))
    return failure();
  Node &node = file.nodes[*root];
  if (node.isCall)
    return parseCall(*root);
  node.faulty |= failed(makeBinder().checkLayer(node));
  return root;
}

} // namespace tr::blueprint
