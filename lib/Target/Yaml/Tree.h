// SPDX-License-Identifier: Apache-2.0
//
// A YAML text as a tree of plain nodes with their places, within limits. What the format does not
// need (anchors, aliases, tags, several documents, keys that are no plain words) is an error.
#ifndef RENAISSANCE_LIB_TARGET_YAML_TREE_H
#define RENAISSANCE_LIB_TARGET_YAML_TREE_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <string>
#include <vector>

namespace tr::yaml {

struct Node {
  enum Kind { Scalar, Sequence, Mapping } kind = Scalar;
  llvm::SMLoc loc;
  std::string text;    // of a scalar
  bool quoted = false; // "true" is no truth value
  std::vector<std::string> keys;
  std::vector<Node> items; // of a sequence, or the values of the keys
};

class Document {
public:
  Document(llvm::SourceMgr &sources, mlir::MLIRContext *context)
      : sources(sources), context(context) {}

  /// The root of the main buffer.
  mlir::FailureOr<Node> read();
  llvm::SMLoc startOf(llvm::SMLoc loc) const;
  llvm::SMLoc lastBefore(llvm::SMLoc loc, llvm::StringRef text) const;
  mlir::Location locationOf(llvm::SMLoc loc) const;
  mlir::InFlightDiagnostic error(llvm::SMLoc loc) const {
    hasError = true;
    return mlir::emitError(locationOf(loc));
  }

private:
  mutable bool hasError = false;
  llvm::SourceMgr &sources;
  mlir::MLIRContext *context;
};

} // namespace tr::yaml

#endif // RENAISSANCE_LIB_TARGET_YAML_TREE_H
