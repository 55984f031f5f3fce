// SPDX-License-Identifier: Apache-2.0
//
// Integers: names, operators, if() and the arguments of functions. A value is unknown where a call
// is checked before it is used; then its parts are checked all the same. Nodes limit how deep they
// nest.
#include "Binder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace mlir;

namespace tr::blueprint {

// Whether it is a number for sure; if() may be anything.
bool Binder::isInteger(const Node &argument) const {
  const Token &token = argument.token;
  if (argument.isOperator || token.is(TokenKind::Int))
    return true;
  return token.is(TokenKind::Name) && !argument.isCall &&
         (argument.param != kNoNode || token.text == "classes" || token.text == "cin");
}

Binder::Integer Binder::evaluateName(const Node &value) const {
  if (value.param != kNoNode)
    return numbers.params ? MaybeNumber((*numbers.params)[value.param]) : MaybeNumber();
  return MaybeNumber(value.token.text == "cin" ? numbers.cin : numbers.classes);
}

// Integers have 64 bits.
Binder::Integer Binder::compute(const Node &value, int64_t a, int64_t b) const {
  int64_t result = 0;
  bool overflows = false;
  switch (value.token.kind) {
  case TokenKind::Plus:
    overflows = AddOverflow(a, b, result);
    break;
  case TokenKind::Minus:
    overflows = SubOverflow(a, b, result);
    break;
  case TokenKind::Star:
    overflows = MulOverflow(a, b, result);
    break;
  case TokenKind::Slash:
    overflows = a == std::numeric_limits<int64_t>::min() && b == -1;
    result = overflows ? 0 : a / b;
    break;
  case TokenKind::EqualEqual:
    result = a == b;
    break;
  case TokenKind::NotEqual:
    result = a != b;
    break;
  case TokenKind::Less:
    result = a < b;
    break;
  case TokenKind::LessEqual:
    result = a <= b;
    break;
  case TokenKind::Greater:
    result = a > b;
    break;
  case TokenKind::GreaterEqual:
    result = a >= b;
    break;
  default:
    llvm_unreachable("all operators handled");
  }
  if (overflows)
    return source.error(value.token.at)
           << "expected an integer of 64 bits, but got more in " << value.token.describe();
  return MaybeNumber(result);
}

Binder::Integer Binder::evaluateOperator(const Node &value) const {
  bool isUnary = value.arguments.size() == 1;
  Integer a = isUnary ? Integer(MaybeNumber(0)) : evaluate(nodes[value.arguments[0]]);
  Integer b = evaluate(nodes[value.arguments.back()]);
  if (failed(a) || failed(b))
    return failure();
  if (b->isKnown && b->value == 0 && value.token.is(TokenKind::Slash))
    return source.error(nodes[value.arguments.back()].token.at)
           << "expected a divisor other than 0 in " << value.token.describe() << ", but got 0";
  if (!a->isKnown || !b->isKnown)
    return MaybeNumber();
  return compute(value, a->value, b->value);
}

Binder::Integer Binder::evaluate(const Node &value) const {
  if (value.faulty)
    return MaybeNumber();
  if (value.isOperator)
    return evaluateOperator(value);
  if (value.isChoice()) {
    FailureOr<NodeId> chosen = choose(value);
    if (failed(chosen))
      return failure();
    if (*chosen != kNoNode)
      return evaluate(nodes[*chosen]);
    bool isFine = succeeded(evaluate(nodes[value.arguments[1]]));
    isFine &= succeeded(evaluate(nodes[value.arguments[2]]));
    return isFine ? Integer(MaybeNumber()) : Integer(failure());
  }
  if (!isInteger(value))
    return source.error(value.token.at) << "expected an integer, but got "
                                        << (value.isCall ? "call " : "") << value.token.describe();
  if (!value.token.is(TokenKind::Int))
    return evaluateName(value);
  int64_t number = 0;
  if (value.token.text.getAsInteger(10, number))
    return source.error(value.token.at)
           << "expected an integer of 64 bits, but got " << value.token.describe();
  return MaybeNumber(number);
}

//===----------------------------------------------------------------------===//
// if(cond, a, b)
//===----------------------------------------------------------------------===//

LogicalResult Binder::checkChoice(const Node &call) const {
  bool isNamed = llvm::any_of(call.arguments, [&](NodeId id) { return nodes[id].isNamed(); });
  if (call.arguments.size() != 3 || isNamed)
    return source.error(call.token.at)
           << "expected if(cond, a, b), but got " << call.arguments.size() << " arguments"
           << (isNamed ? ", some by name" : "");
  return evaluate(nodes[call.arguments.front()]);
}

FailureOr<NodeId> Binder::choose(const Node &choice) const {
  Integer condition = evaluate(nodes[choice.arguments[0]]);
  if (failed(condition))
    return failure();
  if (!condition->isKnown)
    return kNoNode;
  return choice.arguments[condition->value != 0 ? 1 : 2];
}

// What it stands for; where that is not known yet the first of the two.
FailureOr<NodeId> Binder::followChoices(NodeId id) const {
  while (nodes[id].isChoice() && !nodes[id].faulty) {
    FailureOr<NodeId> chosen = choose(nodes[id]);
    if (failed(chosen))
      return failure();
    id = *chosen == kNoNode ? nodes[id].arguments[1] : *chosen;
  }
  return id;
}

LogicalResult Binder::convertChoice(const Param &param, const Node &argument,
                                    ArgumentValue &value) const {
  FailureOr<NodeId> chosen = choose(argument);
  if (failed(chosen))
    return failure();
  if (*chosen != kNoNode)
    return convert(param, nodes[*chosen], value);
  bool isFine = succeeded(convert(param, nodes[argument.arguments[1]], value));
  return success(succeeded(convert(param, nodes[argument.arguments[2]], value)) && isFine);
}

// For any parameter that takes numbers.
LogicalResult Binder::convertInteger(const Param &param, const Node &argument,
                                     ArgumentValue &value) const {
  if (param.kind != ParamKind::Int && param.kind != ParamKind::Real &&
      param.kind != ParamKind::Dims)
    return mismatch(param, argument);
  Integer number = evaluate(argument);
  if (failed(number) || !number->isKnown)
    return number;
  value.integer = number->value;
  value.real = static_cast<double>(number->value);
  value.dims = {number->value, number->value};
  if (param.range.contains(value.real))
    return success();
  return source.error(argument.token.at)
         << "expected " << param.name << " in " << param.range.describe() << ", but got "
         << argument.token.describe() << ", which is " << number->value;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

// Puts an argument where its parameter is in `matched`.
LogicalResult Binder::takeArgument(const Function &function, const Node &argument,
                                   MutableArrayRef<NodeId> matched, size_t &position, NodeId &name,
                                   NodeId id) const {
  NodeId *slot = &name;
  if (!argument.isNamed()) {
    if (position == matched.size())
      return source.error(argument.token.at) << "expected at most " << position << " arguments for "
                                             << function.describe() << ", but got another one";
    slot = &matched[position++];
  } else if (argument.label.text != getNameParam().name) {
    SmallVector<StringRef> candidates{getNameParam().name};
    const Function::Param *param = llvm::find_if(function.params, [&](const Function::Param &each) {
      candidates.push_back(each.name.text);
      return each.name.text == argument.label.text;
    });
    if (param == function.params.end())
      return unknown("a parameter of " + function.describe(), argument.label, candidates);
    slot = &matched[param - function.params.begin()];
  }
  if (*slot != kNoNode)
    return source.duplicate(argument.begin(), nodes[*slot].begin(),
                            "expected each argument once, but got '" + argument.label.text +
                                "' twice");
  *slot = id;
  return success();
}

FailureOr<BoundFunction> Binder::bindFunction(NodeId id) const {
  const Node &call = nodes[id];
  const Function &function = file.functions[call.function];
  SmallVector<NodeId, 4> matched(function.params.size(), kNoNode);
  NodeId name = kNoNode;
  size_t position = 0;
  bool isFine = succeeded(checkOrder(call));
  for (NodeId argument : call.arguments)
    isFine = isFine &&
             succeeded(takeArgument(function, nodes[argument], matched, position, name, argument));
  BoundFunction bound;
  for (auto [param, argument] : llvm::zip(function.params, matched)) {
    Integer value = MaybeNumber(param.fallback);
    if (argument != kNoNode)
      value = evaluate(nodes[argument]);
    else if (isFine && !param.fallback) {
      InFlightDiagnostic diagnostic = source.error(call.token.at);
      diagnostic << "expected " << param.name.text << " in " << function.describe() << ", but got "
                 << call.arguments.size() << " arguments";
      diagnostic.attachNote(source.locate(function.name.at)) << "the function is defined here";
      return failure();
    }
    isFine &= succeeded(value);
    bound.values.push_back(succeeded(value) ? value->value : 0);
  }
  if (!isFine || (name != kNoNode && failed(bindName(name, bound.name))))
    return failure();
  return bound;
}

LogicalResult Binder::check(NodeId id) const {
  const Node &call = nodes[id];
  if (call.function != kNoNode)
    return bindFunction(id);
  return call.isChoice() ? checkChoice(call) : LogicalResult(bind(id));
}

} // namespace tr::blueprint
