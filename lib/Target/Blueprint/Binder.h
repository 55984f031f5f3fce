// SPDX-License-Identifier: Apache-2.0
//
// Matches the arguments of a call with a signature and converts them.
#ifndef RENAISSANCE_LIB_TARGET_BLUEPRINT_BINDER_H
#define RENAISSANCE_LIB_TARGET_BLUEPRINT_BINDER_H

#include "Names.h"
#include "Syntax.h"

#include "renaissance/Dialect/TR/IR/Signature.h"

#include <functional>

namespace tr::blueprint {

/// A call with the nodes of its layers.
struct BoundLayers : BoundCall {
  llvm::SmallVector<NodeId, 2> nodes;
};

/// What names of numbers stand for; where a call is checked and not used, nothing yet.
struct Numbers {
  std::optional<int64_t> classes, cin;
  std::optional<llvm::ArrayRef<int64_t>> params; // of the function around
};

/// A number, as far as it is known.
struct MaybeNumber {
  MaybeNumber() = default;
  MaybeNumber(int64_t value) : value(value), isKnown(true) {}
  MaybeNumber(std::optional<int64_t> value) : value(value.value_or(0)), isKnown(value) {}

  int64_t value = 0;
  bool isKnown = false;
};

/// A call of a function with a value for each parameter.
struct BoundFunction {
  llvm::SmallVector<int64_t, 4> values;
  mlir::StringAttr name; // null when not given
};

/// Binds calls of one file; `letNames` gives the names that a misspelt layer could have meant.
class Binder {
public:
  using NameList = llvm::SmallVector<llvm::StringRef>;

  Binder(const Source &source, const File &file, Numbers numbers,
         std::function<NameList()> letNames)
      : source(source), file(file), nodes(file.nodes), numbers(numbers),
        letNames(std::move(letNames)) {}

  /// Checks a call of any kind where it stands; reports what is wrong with any argument.
  llvm::LogicalResult check(NodeId call) const;
  /// Values for all parameters of a call of the language.
  llvm::FailureOr<BoundLayers> bind(NodeId call) const;
  /// The same for a call of a function.
  llvm::FailureOr<BoundFunction> bindFunction(NodeId call) const;
  /// Of if(cond, a, b) the argument that is taken; kNoNode where that is not known yet.
  llvm::FailureOr<NodeId> choose(const Node &choice) const;
  /// Checks that a call or name stands for a layer.
  llvm::LogicalResult checkLayer(const Node &argument) const;

private:
  using Integer = llvm::FailureOr<MaybeNumber>;

  bool isInteger(const Node &argument) const;
  Integer evaluate(const Node &value) const;
  Integer evaluateName(const Node &value) const;
  Integer evaluateOperator(const Node &value) const;
  Integer compute(const Node &value, int64_t a, int64_t b) const;
  llvm::FailureOr<NodeId> followChoices(NodeId id) const;
  llvm::LogicalResult checkChoice(const Node &call) const;
  llvm::LogicalResult convertChoice(const Param &param, const Node &argument,
                                    ArgumentValue &value) const;
  llvm::LogicalResult convertInteger(const Param &param, const Node &argument,
                                     ArgumentValue &value) const;
  llvm::LogicalResult takeArgument(const Function &function, const Node &argument,
                                   llvm::MutableArrayRef<NodeId> matched, size_t &position,
                                   NodeId &name, NodeId id) const;

  const Signature *selectForm(const Node &call, llvm::ArrayRef<Signature> forms) const;
  llvm::LogicalResult checkOrder(const Node &call) const;
  llvm::LogicalResult bindLayerList(const Node &call, BoundLayers &bound) const;
  llvm::LogicalResult bindParams(const Node &call, BoundLayers &bound) const;
  llvm::LogicalResult matchArguments(const Node &call, const Signature &signature,
                                     llvm::MutableArrayRef<NodeId> matched, NodeId &name) const;
  llvm::FailureOr<NodeId *> findSlot(const Node &argument, const Signature &signature,
                                     llvm::MutableArrayRef<NodeId> matched, size_t &position,
                                     NodeId &name) const;
  llvm::LogicalResult bindName(NodeId argument, mlir::StringAttr &name) const;
  llvm::LogicalResult convert(const Param &param, const Node &argument, ArgumentValue &value) const;
  llvm::LogicalResult convertNumber(const Param &param, const Token &token,
                                    ArgumentValue &value) const;
  llvm::LogicalResult convertName(const Param &param, const Token &token,
                                  ArgumentValue &value) const;
  llvm::LogicalResult convertActivation(const Node &argument, ArgumentValue &value) const;
  llvm::LogicalResult outOfRange(const Param &param, const Token &token) const;
  llvm::LogicalResult convertDims(const Param &param, const Token &token, Dims2 &result) const;
  llvm::LogicalResult mismatch(const Param &param, const Node &argument) const;
  llvm::LogicalResult unknown(llvm::StringRef what, const Token &token,
                              llvm::ArrayRef<llvm::StringRef> candidates) const;

  const Source &source;
  const File &file;
  const std::vector<Node> &nodes;
  Numbers numbers;
  std::function<NameList()> letNames;
};

} // namespace tr::blueprint

#endif // RENAISSANCE_LIB_TARGET_BLUEPRINT_BINDER_H
