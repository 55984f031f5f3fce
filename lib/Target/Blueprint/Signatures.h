// SPDX-License-Identifier: Apache-2.0
//
// The calls of the language as data: names, parameters, kinds, defaults, ranges
// and how each builds its op. Binding, messages and the printed reference all read
// this one table.
#ifndef RENAISSANCE_LIB_TARGET_BLUEPRINT_SIGNATURES_H
#define RENAISSANCE_LIB_TARGET_BLUEPRINT_SIGNATURES_H

#include "Syntax.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/ArrayRef.h"
#include <limits>

namespace tr::blueprint {

enum class ParamKind {
  Int,
  Real,
  Bool,
  Dims, // N for NxN, or HxW
  Activation,
  Style,
  Text,
  Layer,
  Layers, // all positional arguments
};

struct Range {
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
  bool openLeast = false, openMost = false;

  bool contains(double value) const;
  std::string describe() const; // "[1, 2147483647]", "(0, inf)"
};

struct Param {
  llvm::StringLiteral name;
  ParamKind kind;
  llvm::StringLiteral fallback = ""; // the default as written; empty: required
  Range range = {};
  bool namedOnly = false;

  bool isRequired() const { return fallback.empty(); }
};

/// The value of one argument; the member of the parameter's kind is set.
struct Value {
  int64_t integer = 0;
  double real = 0;
  bool boolean = false;
  Dims2 dims;
  Activation activation = Activation::None;
  BlockStyle style = BlockStyle::RESNET_3_3;
  llvm::StringRef text;
};

struct Signature;

/// A call with a value for each parameter.
struct BoundCall {
  const Signature *signature = nullptr;
  llvm::SmallVector<Value, 10> values; // in the order of the parameters
  llvm::SmallVector<NodeId, 2> layers; // arguments that are layers
  mlir::StringAttr name;               // null when not given

  const Value &operator[](llvm::StringRef param) const;
};

using BuildFn = mlir::Operation *(*)(mlir::OpBuilder &, mlir::Location, const BoundCall &);

struct Signature {
  llvm::StringLiteral name;
  llvm::ArrayRef<Param> params;
  llvm::StringLiteral summary;
  BuildFn build;
  /// Of `block`: the styles that this form takes; empty otherwise.
  llvm::ArrayRef<BlockStyle> styles = {};

  bool takesLayerList() const {
    return !params.empty() && params.front().kind == ParamKind::Layers;
  }
  size_t countPositional() const;
  /// "conv(out, kernel, stride = 1; groups = 1)"; behind ';' by name only.
  std::string describe() const;
};

/// All calls; the forms of one name stand together.
llvm::ArrayRef<Signature> getSignatures();
/// The forms of a call, empty when there is no such call.
llvm::ArrayRef<Signature> findSignatures(llvm::StringRef name);
/// The parameter `name = "..."` that every call takes.
const Param &getNameParam();

/// The closest of `candidates` when it is close enough to be meant, else empty.
llvm::StringRef findNearest(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates);

/// Names of the values of an enumeration parameter.
llvm::SmallVector<llvm::StringRef> getActivationNames();
llvm::SmallVector<llvm::StringRef> getStyleNames();

} // namespace tr::blueprint

#endif // RENAISSANCE_LIB_TARGET_BLUEPRINT_SIGNATURES_H
