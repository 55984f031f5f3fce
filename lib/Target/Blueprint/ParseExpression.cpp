// SPDX-License-Identifier: Apache-2.0
//
// Expressions. The parser keeps what is open on a stack of its own, so that no text can exhaust the
// machine's.
#include "Parser.h"

#include "renaissance/Dialect/TR/IR/BPModel.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace mlir;

namespace tr::blueprint {

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

const Parser::Let *Parser::findLet(StringRef name) const {
  for (const Scope *scope : {&modelLets, &fileLets})
    if (auto it = scope->find(name); it != scope->end())
      return &it->second;
  return nullptr;
}

// A parameter of the function around, or a let; one of a name stands for what that name stands for.
void Parser::resolveName(Node &node) const {
  if (current) {
    for (auto [index, param] : llvm::enumerate(current->params))
      if (param.name.text == node.token.text)
        node.param = static_cast<uint32_t>(index);
    current->readsInput |= node.token.text == "cin";
  } else {
    node.readsInput = node.token.text == "cin";
  }
  const Let *let = findLet(node.token.text);
  if (node.param != kNoNode || !let || let->function != kNoNode)
    return;
  node.faulty = let->expression == kNoNode;
  if (node.faulty)
    return;
  const Node &expression = file.nodes[let->expression];
  node.target = expression.isCall ? let->expression : expression.target;
  node.readsInput = expression.readsInput;
}

void Parser::resolveCall(Node &node) const {
  if (const Let *let = findLet(node.token.text); let && let->function != kNoNode) {
    node.function = let->function;
    node.readsInput = file.functions[let->function].readsInput;
    node.faulty = file.functions[let->function].body == kNoNode;
  } else if (current && current->name.text == node.token.text) {
    InFlightDiagnostic diagnostic = source.error(node.token.at);
    diagnostic << "expected a call of something else in fn '" << node.token.text
               << "', but got a call of itself";
    diagnostic.attachNote(source.locate(current->name.at)) << "it is defined here";
    node.faulty = true;
  }
}

FailureOr<NodeId> Parser::addNode(Node node) {
  if (file.nodes.size() == kMaxNodes) {
    stopped = true;
    return source.error(node.token.at)
           << "expected at most " << kMaxNodes << " calls and arguments in a file, but got more";
  }
  if (node.isCall)
    resolveCall(node);
  else if (node.token.is(TokenKind::Name))
    resolveName(node);
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
  return Binder(source, file, Numbers(), letNames);
}

// Arguments that could not be read leave a call that is not looked at.
void Parser::closeCall(NodeId call, bool isWhole) {
  Node &node = file.nodes[call];
  for (NodeId argument : node.arguments) {
    node.readsInput |= file.nodes[argument].readsInput;
    if (node.isChoice()) // which are evaluated
      node.depth = std::max<uint16_t>(node.depth, file.nodes[argument].depth + 1);
  }
  if (node.depth > bp::kMaxNesting && !node.faulty) {
    source.error(node.token.at) << "expected at most " << bp::kMaxNesting
                                << " operators in a row, but got more";
    node.faulty = true;
  }
  if (!node.faulty)
    node.faulty = !isWhole || failed(makeBinder().check(call));
  advance();
}

//===----------------------------------------------------------------------===//
// Operators and calls
//===----------------------------------------------------------------------===//

/// Reads one expression: operands and operators by precedence, calls and parentheses around them.
class ExpressionParser {
public:
  explicit ExpressionParser(Parser &parser) : p(parser) {}

  FailureOr<NodeId> run() {
    stack.emplace_back();
    while (true) {
      LogicalResult step = stack.back().wantsOperand ? takeOperand() : takeOperator();
      if (failed(step) && failed(recover()))
        return failure();
      if (stack.size() == 1 && !stack.back().wantsOperand)
        return stack.back().operands.back().node;
    }
  }

private:
  struct Operand {
    NodeId node;
    const char *begin;
    Position at;
  };
  struct Operator {
    Token token;
    bool isUnary;
  };
  /// The whole expression, the argument of a call that is being read, or a parenthesis.
  struct Open {
    NodeId call = kNoNode;
    bool isGroup = false;
    Token begin; // of a call or parenthesis
    Token label;
    bool isWhole = true, isFirst = true, wantsOperand = true;
    SmallVector<Operand, 2> operands;
    SmallVector<Operator, 2> operators;

    bool isCall() const { return call != kNoNode; }
    bool isEmpty() const { return operands.empty() && operators.empty(); }
  };

  static int precedence(const Operator &op) {
    return op.isUnary ? 4 : getPrecedence(op.token.kind);
  }

  Token take() {
    Token token = p.token;
    end = token.text.end();
    p.advance();
    return token;
  }

  LogicalResult takeOperand();
  LogicalResult takeOperator();
  LogicalResult takeWord(Node node);
  LogicalResult open(Open next);
  LogicalResult reduce(int least);
  LogicalResult endArgument();
  LogicalResult endGroup();
  LogicalResult recover();
  void put(const Operand &operand) {
    stack.back().operands.push_back(operand);
    stack.back().wantsOperand = false;
  }

  Parser &p;
  SmallVector<Open, 8> stack;
  const char *end = nullptr; // of the last token
};

LogicalResult ExpressionParser::open(Open next) {
  if (stack.size() > bp::kMaxNesting)
    return p.source.error(next.begin.at)
           << "expected at most " << bp::kMaxNesting << " nested calls, but got more";
  stack.push_back(std::move(next));
  return success();
}

// A name, a number or the like; of a named argument its label comes first.
LogicalResult ExpressionParser::takeWord(Node node) {
  Open &last = stack.back();
  bool isName = node.token.is(TokenKind::Name);
  if (isName && last.isCall() && last.isEmpty() && !last.label.is(TokenKind::Name) &&
      p.token.is(TokenKind::Equal)) {
    last.label = node.token;
    p.advance();
    return success();
  }
  node.isCall = isName && p.token.is(TokenKind::LeftParen);
  Operand operand{kNoNode, node.token.text.begin(), node.token.at};
  Open next;
  next.begin = node.token;
  if (node.isCall && failed(open(next))) // before the '(', so that it is passed over whole
    return failure();
  FailureOr<NodeId> id = p.addNode(std::move(node));
  if (failed(id))
    return failure();
  operand.node = *id;
  if (!p.file.nodes[*id].isCall) {
    put(operand);
    return success();
  }
  stack.back().call = *id;
  take();
  return success();
}

LogicalResult ExpressionParser::takeOperand() {
  Open &last = stack.back();
  bool isRoot = stack.size() == 1;
  if (last.isCall() && last.isFirst && last.isEmpty() && p.token.is(TokenKind::RightParen))
    return endArgument();
  if (!isRoot && p.token.is(TokenKind::Minus)) {
    last.operators.push_back({take(), /*isUnary=*/true});
    return success();
  }
  if (!isRoot && p.token.is(TokenKind::LeftParen)) {
    Open group;
    group.isGroup = true;
    group.begin = p.token;
    if (failed(open(std::move(group))))
      return failure();
    take();
    return success();
  }
  bool isLiteral = p.isAt({TokenKind::Int, TokenKind::Real, TokenKind::Dims, TokenKind::String,
                           TokenKind::True, TokenKind::False});
  if (!p.token.is(TokenKind::Name) && (isRoot || !isLiteral))
    return p.unexpected(isRoot ? "a layer" : "an argument");
  Node node;
  node.token = take();
  return takeWord(std::move(node));
}

// Makes nodes of the operators that bind at least so much.
LogicalResult ExpressionParser::reduce(int least) {
  Open &last = stack.back();
  while (!last.operators.empty() && precedence(last.operators.back()) >= least) {
    Operator op = last.operators.pop_back_val();
    Node node;
    node.isOperator = true;
    size_t count = op.isUnary ? 1 : 2;
    ArrayRef<Operand> operands = ArrayRef(last.operands).take_back(count);
    const char *begin = op.isUnary ? op.token.text.begin() : operands.front().begin;
    Position at = op.isUnary ? op.token.at : operands.front().at;
    node.token = {op.token.kind, StringRef(begin, end - begin), at};
    for (const Operand &operand : operands) {
      const Node &value = p.file.nodes[operand.node];
      node.arguments.push_back(operand.node);
      node.depth = std::max<uint16_t>(node.depth, value.depth + 1);
      node.readsInput |= value.readsInput;
      node.faulty |= value.faulty;
    }
    if (node.depth > bp::kMaxNesting)
      return p.source.error(op.token.at)
             << "expected at most " << bp::kMaxNesting << " operators in a row, but got more";
    FailureOr<NodeId> id = p.addNode(std::move(node));
    if (failed(id))
      return failure();
    last.operands.truncate(last.operands.size() - count);
    last.operands.push_back({*id, begin, at});
  }
  return success();
}

LogicalResult ExpressionParser::takeOperator() {
  int strength = getPrecedence(p.token.kind);
  if (strength == 0) {
    if (failed(reduce(0)))
      return failure();
    return stack.back().isGroup ? endGroup() : endArgument();
  }
  // Comparisons do not chain.
  Open &last = stack.back();
  if (strength == 1 &&
      llvm::any_of(last.operators, [](const Operator &op) { return precedence(op) == 1; }))
    return p.unexpected("one comparison; put the first one in parentheses");
  if (failed(reduce(strength)))
    return failure();
  last.operators.push_back({take(), /*isUnary=*/false});
  last.wantsOperand = true;
  return success();
}

LogicalResult ExpressionParser::endGroup() {
  if (!p.token.is(TokenKind::RightParen))
    return p.unexpected("an operator or ')'");
  Operand operand = stack.back().operands.back();
  operand.begin = stack.back().begin.text.begin();
  operand.at = stack.back().begin.at;
  take();
  stack.pop_back();
  put(operand);
  return success();
}

// At the ',' or ')' behind an argument, or at the ')' of a call without any.
LogicalResult ExpressionParser::endArgument() {
  Open &last = stack.back();
  if (!p.isAt({TokenKind::Comma, TokenKind::RightParen}))
    return p.unexpected("',' or ')'");
  if (!last.operands.empty()) {
    Node &value = p.file.nodes[last.operands.back().node];
    value.label = last.label;
    p.file.nodes[last.call].arguments.push_back(last.operands.back().node);
  }
  last.operands.clear();
  last.label = {};
  last.isFirst = false;
  last.wantsOperand = true;
  if (p.token.is(TokenKind::Comma)) {
    take();
    return success();
  }
  Operand operand{last.call, last.begin.text.begin(), last.begin.at};
  bool isWhole = last.isWhole;
  end = p.token.text.end();
  stack.pop_back();
  p.closeCall(operand.node, isWhole);
  put(operand);
  return success();
}

// Gives up the argument with the error and goes on behind it.
LogicalResult ExpressionParser::recover() {
  size_t depth = 0;
  for (; stack.back().isGroup; stack.pop_back())
    ++depth;
  if (!stack.back().isCall() && stack.size() > 1) // a call whose name alone was read
    stack.pop_back();
  for (; stack.back().isGroup; stack.pop_back())
    ++depth;
  if (!stack.back().isCall())
    return failure();
  p.skipArgument(depth);
  if (!p.isAt({TokenKind::Comma, TokenKind::RightParen}))
    return failure();
  stack.back().isWhole = false;
  stack.back().operands.clear();
  stack.back().operators.clear();
  return endArgument();
}

FailureOr<NodeId> Parser::parseExpression() {
  FailureOr<NodeId> root = ExpressionParser(*this).run();
  if (failed(root))
    return failure();
  Node &node = file.nodes[*root];
  if (!node.faulty)
    node.faulty = failed(makeBinder().checkLayer(node));
  return root;
}

} // namespace tr::blueprint
