// SPDX-License-Identifier: Apache-2.0
//
// The calls of all nodes of `tr.bp`.
#include "renaissance/Dialect/TR/IR/Signature.h"

#include "renaissance/Dialect/TR/IR/BPOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlir;

namespace tr {
namespace {

template <typename OpT> void addSignatures(std::vector<Signature> &calls) {
  if constexpr (!std::is_same_v<OpT, bp::ModelOp>)
    llvm::append_range(calls, OpT::getSignatures());
}

template <typename... OpTs> std::vector<Signature> collect() {
  std::vector<Signature> calls;
  (addSignatures<OpTs>(calls), ...);
  llvm::stable_sort(calls, [](const Signature &a, const Signature &b) { return a.name < b.name; });
  return calls;
}

} // namespace

ArrayRef<Signature> getSignatures() {
  static const std::vector<Signature> calls = collect<
#define GET_OP_LIST
#include "renaissance/Dialect/TR/IR/BPOps.cpp.inc"
      >();
  return calls;
}

ArrayRef<Signature> findSignatures(StringRef name) {
  auto isNamed = [&](const Signature &signature) { return signature.name == name; };
  ArrayRef<Signature> all = getSignatures();
  const Signature *first = llvm::find_if(all, isNamed);
  const Signature *last = std::find_if_not(first, all.end(), isNamed);
  return {first, last};
}

const Param &getNameParam() {
  static constexpr Param name = {"name", ParamKind::Text, "none", {}, true};
  return name;
}

const ArgumentValue *BoundCall::find(StringRef param) const {
  for (auto [index, candidate] : llvm::enumerate(signature->params))
    if (candidate.name == param)
      return &values[index];
  return nullptr;
}

const ArgumentValue &BoundCall::operator[](StringRef param) const {
  const ArgumentValue *value = find(param);
  assert(value && "parameter of another call");
  return *value;
}

bool ParamRange::contains(double value) const {
  return (openLeast ? value > least : value >= least) &&
         (openMost ? value < most : value <= most) &&
         value < std::numeric_limits<double>::infinity();
}

std::string ParamRange::describe() const {
  auto print = [](double value) {
    std::string text;
    raw_string_ostream os(text);
    if (value == std::numeric_limits<double>::infinity())
      os << "inf";
    else
      os << static_cast<int64_t>(value);
    return text;
  };
  bool unbounded = most == std::numeric_limits<double>::infinity();
  return (openLeast ? "(" : "[") + print(least) + ", " + print(most) +
         (openMost || unbounded ? ")" : "]");
}

const Param *Signature::findFallback(const Param &param) const {
  const Param *other =
      llvm::find_if(params, [&](const Param &each) { return each.name == param.fallback; });
  return other < &param ? other : nullptr;
}

size_t Signature::countPositional() const {
  return llvm::count_if(params, [](const Param &param) { return !param.namedOnly; });
}

size_t Signature::countRequired() const {
  return llvm::count_if(params, [](const Param &param) { return param.isRequired(); });
}

std::string Signature::describe() const {
  std::string text;
  raw_string_ostream os(text);
  os << name << '(';
  StringRef separator = "";
  bool byName = false;
  for (const Param &param : params) {
    if (param.namedOnly && !byName)
      separator = "; ";
    byName = param.namedOnly;
    os << separator << (param.kind == ParamKind::Layers ? "..." : param.name);
    if (!param.isRequired())
      os << " = " << param.fallback;
    separator = ", ";
  }
  os << ')';
  return text;
}

} // namespace tr
