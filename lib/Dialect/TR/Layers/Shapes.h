// SPDX-License-Identifier: Apache-2.0
//
// Output extents of windows and convolutions, with the errors of inputs that they cannot take.
// Extents are bounded here, so later products of four of them are checked in one place (the tensor
// table).
#ifndef RENAISSANCE_LIB_DIALECT_TR_LAYERS_SHAPES_H
#define RENAISSANCE_LIB_DIALECT_TR_LAYERS_SHAPES_H

#include "Params.h"

namespace tr {

using Emit = llvm::function_ref<mlir::InFlightDiagnostic()>;
using Inputs = llvm::ArrayRef<ImageShape>;

namespace shapes {

llvm::FailureOr<ImageShape> convolve(Emit emitError, ImageShape in, ConvAttr geometry);
llvm::FailureOr<ImageShape> pool(Emit emitError, ImageShape in, PoolAttr window);
llvm::LogicalResult checkRange(Emit emitError, llvm::StringRef what, int64_t value);

/// Checks the attributes `eps` and `momentum` of a layer.
template <typename OpT> llvm::LogicalResult checkNorm(Emit emitError, OpT op) {
  return params::checkNorm(emitError, op.getEps().convertToDouble(),
                           op.getMomentum().convertToDouble());
}

/// The same extents where the input is known to fit.
ImageShape convolved(ImageShape in, ConvAttr geometry);
ImageShape pooled(ImageShape in, PoolAttr window);

} // namespace shapes
} // namespace tr

#endif // RENAISSANCE_LIB_DIALECT_TR_LAYERS_SHAPES_H
