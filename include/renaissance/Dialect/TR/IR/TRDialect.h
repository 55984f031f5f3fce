// SPDX-License-Identifier: Apache-2.0
//
// The `tr` dialect, its enumerations and attributes.
#ifndef RENAISSANCE_DIALECT_TR_IR_TRDIALECT_H
#define RENAISSANCE_DIALECT_TR_IR_TRDIALECT_H

#include "renaissance/Dialect/TR/IR/BlockStyles.h"
#include "renaissance/Dialect/TR/IR/TableAttrs.h"
#include "renaissance/Options/CompileOptions.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/Hashing.h"

namespace tr {

using trf::Act;
using trf::Activation;

/// Height and width of a kernel, stride, pad, dilation or image.
struct Dims2 {
  int64_t h = 0, w = 0;
  friend bool operator==(Dims2 a, Dims2 b) { return a.h == b.h && a.w == b.w; }
  friend bool operator!=(Dims2 a, Dims2 b) { return !(a == b); }
  friend llvm::hash_code hash_value(Dims2 d) { return llvm::hash_combine(d.h, d.w); }
  friend llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Dims2 d) {
    return os << '[' << d.h << ", " << d.w << ']';
  }
};

/// Extents of one NHWC sample.
struct ImageShape {
  int64_t h = 0, w = 0, c = 0;
  friend bool operator==(ImageShape a, ImageShape b) {
    return a.h == b.h && a.w == b.w && a.c == b.c;
  }
  friend bool operator!=(ImageShape a, ImageShape b) { return !(a == b); }
};

llvm::hash_code hash_value(const CompileOptions &options);

/// "28x28x1", for messages.
std::string toString(ImageShape shape);

/// Height, width and channels of a tensor n x h x w x c; dynamic ones are
/// `ShapedType::kDynamic`.
ImageShape getImageShape(mlir::Type type);

} // namespace tr

/// `[h, w]` in attribute text.
template <> struct mlir::FieldParser<tr::Dims2> {
  static FailureOr<tr::Dims2> parse(AsmParser &parser);
};

#include "renaissance/Dialect/TR/IR/TRDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "renaissance/Dialect/TR/IR/TRAttrs.h.inc"

namespace tr {
/// The module's options, or the default ones when it has none.
OptionsAttr getOptions(mlir::Operation *op);

/// The attribute that asks for `options`, with the variants `train_base`, `train_last`,
/// `train_lowres`, `train_lowres_last`, `val_base` and `val_last`, in this order; they may
/// coincide. Null after an error: a value out of its range, or fewer samples than one batch under
/// `dropLast`.
OptionsAttr getOptionsAttr(mlir::MLIRContext *context, const CompileOptions &options,
                           llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_IR_TRDIALECT_H
