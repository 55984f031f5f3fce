// SPDX-License-Identifier: Apache-2.0
//
// One layer at a time to linalg on tensors of static shape.
#ifndef RENAISSANCE_LIB_CONVERSION_ARCHTOLINALG_LAYERLOWERING_H
#define RENAISSANCE_LIB_CONVERSION_ARCHTOLINALG_LAYERLOWERING_H

#include "renaissance/Dialect/TR/IR/ArchOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>

namespace tr {

/// Names a parameter or statistic of the function and returns its argument.
using ParameterFn =
    std::function<mlir::Value(const llvm::Twine &name, llvm::ArrayRef<int64_t> shape)>;

class LayerLowering {
public:
  LayerLowering(mlir::ImplicitLocOpBuilder &builder, ParameterFn parameter)
      : b(builder), parameter(std::move(parameter)) {}

  /// The layer's result for this input, or failure after an error.
  mlir::FailureOr<mlir::Value> lower(mlir::Operation *layer, mlir::Value x);
  mlir::Value add(mlir::Value x, mlir::Value y);

private:
  using Body = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

  mlir::Value lowerConv(arch::ConvOp op, mlir::Value x);
  mlir::Value lowerBn(llvm::StringRef path, double eps, mlir::Value x);
  mlir::Value lowerAct(Activation kind, mlir::Value x);
  mlir::Value lowerMaxPool(PoolAttr window, mlir::Value x);
  mlir::Value lowerAvgPool(PoolAttr window, mlir::Value x);
  mlir::Value lowerGap(mlir::Value x);
  mlir::Value lowerFc(arch::FcOp op, mlir::Value x);
  mlir::Value lowerFlatten(mlir::Value x, int64_t features);

  mlir::Value constant(double value);
  mlir::Value empty(llvm::ArrayRef<int64_t> shape);
  mlir::Value filled(llvm::ArrayRef<int64_t> shape, double value);
  /// Zeros, or a vector over the last dimension.
  mlir::Value start(llvm::ArrayRef<int64_t> shape, mlir::Value vector);
  mlir::Value padded(mlir::Value x, llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high,
                     double value);
  /// Elements of x and of vectors over the last dimension.
  mlir::Value mapElements(mlir::Value x, mlir::ValueRange vectors, Body body);
  mlir::Value groupedConv(ConvAttr g, mlir::Value x, mlir::Value w, mlir::Value start);
  mlir::Value multiplyAdd(mlir::ValueRange inputs, mlir::Value start,
                          llvm::ArrayRef<mlir::AffineMap> maps, int64_t parallelLoops);

  mlir::ImplicitLocOpBuilder &b;
  ParameterFn parameter;
};

} // namespace tr

#endif // RENAISSANCE_LIB_CONVERSION_ARCHTOLINALG_LAYERLOWERING_H
