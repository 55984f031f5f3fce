// SPDX-License-Identifier: Apache-2.0
//
// Laws of a whole `tr.bp.model` that no single op can check, and the limits of the
// language.
#ifndef RENAISSANCE_DIALECT_TR_IR_BPMODEL_H
#define RENAISSANCE_DIALECT_TR_IR_BPMODEL_H

#include "renaissance/Dialect/TR/IR/BPOps.h"

namespace tr::bp {

/// Deepest nesting of layers below the model.
constexpr unsigned kMaxNesting = 1000;
/// Longest `name`.
constexpr unsigned kMaxNodeName = 100;

/// Whether an op is a layer of the tree: any op of `tr.bp` but the model.
bool isLayer(mlir::Operation *op);

/// Whether a text can stand in a parameter path: letters, digits, `_` and `-`.
bool isNodeName(llvm::StringRef name);

/// Whether the layers of a region are a list, whose members have an index in
/// their paths: the body of a seq, or any region that does not hold exactly one.
bool isLayerList(mlir::Region &region);

/// Path of the `index`th layer in a region of an op with path `prefix` (of a repeat:
/// with the iteration). A root and the body of a repeat add nothing, a branch of
/// add2 adds 0 or 1, a list adds the index; the layer's `name` replaces the last.
std::string getLayerPath(mlir::Region &region, llvm::StringRef prefix, mlir::Operation *layer,
                         unsigned index);

/// Checks what `--tr-verify-bp` promises and reports the first error.
llvm::LogicalResult verifyModel(ModelOp model);

} // namespace tr::bp

#endif // RENAISSANCE_DIALECT_TR_IR_BPMODEL_H
