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

/// Binds calls of one file. `classes` is the value of that name; `letNames` gives
/// the names that a misspelt layer could have meant.
class Binder {
public:
  using NameList = llvm::SmallVector<llvm::StringRef>;

  Binder(const Source &source, const std::vector<Node> &nodes, int64_t classes,
         std::function<NameList()> letNames)
      : source(source), nodes(nodes), classes(classes), letNames(std::move(letNames)) {}

  /// Values for all parameters of a call; reports what is wrong with any of them.
  llvm::FailureOr<BoundLayers> bind(NodeId call) const;
  /// Checks that a call or name stands for a layer.
  llvm::LogicalResult checkLayer(const Node &argument) const;

private:
  const Signature *selectForm(const Node &call, llvm::ArrayRef<Signature> forms) const;
  llvm::LogicalResult checkOrder(const Node &call) const;
  llvm::LogicalResult bindLayerList(const Node &call, BoundLayers &bound) const;
  llvm::LogicalResult bindParams(const Node &call, BoundLayers &bound) const;
  llvm::LogicalResult matchArguments(const Node &call, const Signature &signature,
                                     llvm::MutableArrayRef<NodeId> matched, NodeId &name) const;
  llvm::FailureOr<NodeId *> findSlot(const Node &argument, const Signature &signature,
                                     llvm::MutableArrayRef<NodeId> matched, size_t &position,
                                     NodeId &name) const;
  llvm::LogicalResult bindName(NodeId argument, BoundLayers &bound) const;
  llvm::LogicalResult convert(const Param &param, const Node &argument, ArgumentValue &value) const;
  llvm::LogicalResult convertNumber(const Param &param, const Token &token,
                                    ArgumentValue &value) const;
  llvm::LogicalResult convertName(const Param &param, const Token &token,
                                  ArgumentValue &value) const;
  llvm::LogicalResult outOfRange(const Param &param, const Token &token) const;
  llvm::LogicalResult convertDims(const Param &param, const Token &token, Dims2 &result) const;
  llvm::LogicalResult mismatch(const Param &param, const Node &argument) const;
  llvm::LogicalResult unknown(llvm::StringRef what, const Token &token,
                              llvm::ArrayRef<llvm::StringRef> candidates) const;

  const Source &source;
  const std::vector<Node> &nodes;
  int64_t classes;
  std::function<NameList()> letNames;
};

} // namespace tr::blueprint

#endif // RENAISSANCE_LIB_TARGET_BLUEPRINT_BINDER_H
