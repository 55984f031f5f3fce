// SPDX-License-Identifier: Apache-2.0
//
// The calls of the BluePrint language as data: names, parameters, kinds, defaults, ranges
// and how each builds its op. Each node of `tr.bp` has its own (TreeOpInterface); binding,
// messages, the printed reference and the calls in C++ are made from them.
#ifndef RENAISSANCE_DIALECT_TR_IR_SIGNATURE_H
#define RENAISSANCE_DIALECT_TR_IR_SIGNATURE_H

#include "renaissance/Dialect/TR/IR/TRDialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/ArrayRef.h"

#include <limits>

namespace tr {

enum class ParamKind {
  Int,
  Real,
  Bool,
  Dims,       // N for NxN, or HxW
  Activation, // a name, or a call of one
  Style,
  Word, // one of Param::words
  Text,
  Layer,
  Layers, // all positional arguments
};

struct ParamRange {
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
  bool openLeast = false, openMost = false;

  bool contains(double value) const;
  std::string describe() const; // "[1, 2147483647]", "(0, inf)"
};

struct Param {
  llvm::StringLiteral name;
  ParamKind kind;
  llvm::StringLiteral fallback =
      ""; // the default as written, or a parameter before; empty: required
  ParamRange range = {};
  bool namedOnly = false;
  llvm::ArrayRef<llvm::StringLiteral> words = {}; // that are taken; of a number beside numbers

  bool isRequired() const { return fallback.empty(); }
};

/// The value of one argument; the member of the parameter's kind is set.
struct ArgumentValue {
  bool given = false; // not the default
  int64_t integer = 0;
  double real = 0;
  bool boolean = false;
  Dims2 dims;
  Act activation;
  BlockStyle style{};
  llvm::StringRef text;
  llvm::StringRef word; // empty where it is none
};

struct Signature;

/// A call with a value for each parameter.
struct BoundCall {
  const Signature *signature = nullptr;
  llvm::SmallVector<ArgumentValue, 10> values; // in the order of the parameters
  mlir::StringAttr name;                       // null when not given
  size_t layers = 0;                           // arguments that are layers

  /// Null where this form has no such parameter.
  const ArgumentValue *find(llvm::StringRef param) const;
  const ArgumentValue &operator[](llvm::StringRef param) const;
};

/// Makes the op, with a block in each region; null after an error, which is at the location.
using BuildFn = mlir::Operation *(*)(mlir::OpBuilder &, mlir::Location, const BoundCall &);

struct Signature {
  llvm::StringLiteral name;
  llvm::ArrayRef<Param> params;
  llvm::StringLiteral summary;
  BuildFn build;
  /// Of `block`: whether this form takes a style; null otherwise.
  bool (*takes)(BlockStyle) = nullptr;
  /// Of an activation: which one a call is; null otherwise.
  Act (*activation)(const BoundCall &) = nullptr;

  bool takesLayerList() const {
    return !params.empty() && params.front().kind == ParamKind::Layers;
  }
  /// The parameter whose value is the default of another one; null where that has its own.
  const Param *findFallback(const Param &param) const;
  size_t countPositional() const;
  size_t countRequired() const;
  /// "conv(out, kernel, stride = 1; groups = 1)"; after ';' by name only.
  std::string describe() const;
};

/// All calls by name; the forms of one name stand together.
llvm::ArrayRef<Signature> getSignatures();
/// The forms of a call, empty when there is no such call.
llvm::ArrayRef<Signature> findSignatures(llvm::StringRef name);
/// The parameter `name = "..."` that every call takes.
const Param &getNameParam();

} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_IR_SIGNATURE_H
