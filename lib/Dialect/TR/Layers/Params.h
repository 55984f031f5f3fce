// SPDX-License-Identifier: Apache-2.0
//
// Parameters that calls of several layers share, and what makes attributes of their values.
#ifndef RENAISSANCE_LIB_DIALECT_TR_LAYERS_PARAMS_H
#define RENAISSANCE_LIB_DIALECT_TR_LAYERS_PARAMS_H

#include "renaissance/Dialect/TR/IR/BPOps.h"

namespace tr::params {

inline constexpr ParamRange kPositive = {1, static_cast<double>(kMostExtent)};
inline constexpr ParamRange kNotNegative = {0, static_cast<double>(kMostExtent)};

constexpr Param required(llvm::StringLiteral name, ParamKind kind, ParamRange range = kPositive) {
  return {name, kind, "", range};
}
constexpr Param optional(llvm::StringLiteral name, ParamKind kind, llvm::StringLiteral fallback,
                         ParamRange range = {}) {
  return {name, kind, fallback, range};
}
constexpr Param named(Param param) {
  param.namedOnly = true;
  return param;
}

inline constexpr llvm::StringLiteral kSame[] = {"same"};
constexpr Param withWords(Param param, llvm::ArrayRef<llvm::StringLiteral> words) {
  param.words = words;
  return param;
}

inline constexpr Param kOut = required("out", ParamKind::Int);
inline constexpr Param kKernel = required("kernel", ParamKind::Dims);
inline constexpr Param kStride = required("stride", ParamKind::Dims);
inline constexpr Param kPad = withWords(required("pad", ParamKind::Dims, kNotNegative), kSame);
inline constexpr Param kPadEnd = named(optional("pad_end", ParamKind::Dims, "pad", kNotNegative));
inline constexpr Param kStride1 = optional("stride", ParamKind::Dims, "1", kPositive);
inline constexpr Param kPad0 =
    withWords(optional("pad", ParamKind::Dims, "0", kNotNegative), kSame);
inline constexpr Param kMomentum = optional("momentum", ParamKind::Real, "0.1", {0, 1});
inline constexpr Param kEps =
    optional("eps", ParamKind::Real, "1e-5", {0, std::numeric_limits<double>::infinity(), true});
inline constexpr Param kDilation = named(optional("dilation", ParamKind::Dims, "1", kPositive));
inline constexpr Param kGroups = named(optional("groups", ParamKind::Int, "1", kPositive));
inline constexpr Param kConvBias = named(optional("bias", ParamKind::Bool, "false"));
inline constexpr Param kAct = named(optional("act", ParamKind::Activation, "relu"));
inline constexpr Param kFcBias = optional("bias", ParamKind::Bool, "true");
/// Windows of a pooling lie side by side where nothing else is said.
inline constexpr Param kPoolStride = optional("stride", ParamKind::Dims, "kernel", kPositive);

/// The geometry of a call with the parameters of a convolution; null after an error.
ConvAttr makeConv(mlir::Location loc, const BoundCall &call);
PoolAttr makePool(mlir::Location loc, Dims2 kernel, Dims2 stride, Dims2 pad, bool ceil = false);
/// The window of a call with the parameters of a pooling, which may have `dilation` or
/// `count_include_pad`; null after an error.
PoolAttr makePool(mlir::Location loc, const BoundCall &call);

/// Pads of a call: at the top and at the left, and what those at the bottom and at the right are
/// more than these.
struct Pads {
  Dims2 before, more;
};
/// Of a window that is called `pad` and `pad_end`. Errors: `same` with a stride or a `pad_end`.
llvm::FailureOr<Pads> readPads(mlir::Location loc, const BoundCall &call);
mlir::FloatAttr makeReal(mlir::OpBuilder &builder, const ArgumentValue &value);
ActivationAttr makeAct(mlir::OpBuilder &builder, Act act);

/// For an op without attributes of its own.
template <typename OpT>
mlir::Operation *buildPlain(mlir::OpBuilder &builder, mlir::Location loc, const BoundCall &call) {
  return OpT::create(builder, loc, call.name);
}

/// Checks of verifiers.
llvm::LogicalResult checkPositive(mlir::Operation *op, llvm::StringRef what, int64_t value);
llvm::LogicalResult checkNorm(llvm::function_ref<mlir::InFlightDiagnostic()> emitError, double eps,
                              double momentum);

/// Of a number that a parameter begins as: that FP32 holds it and plans take it.
llvm::LogicalResult checkFinite(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                                llvm::StringRef what, double value);

} // namespace tr::params

#endif // RENAISSANCE_LIB_DIALECT_TR_LAYERS_PARAMS_H
