// SPDX-License-Identifier: Apache-2.0
//
// What layers are made of, in linalg on tensors of static shape.
#ifndef RENAISSANCE_LIB_CONVERSION_ARCHTOLINALG_LINALGBUILDER_H
#define RENAISSANCE_LIB_CONVERSION_ARCHTOLINALG_LINALGBUILDER_H

#include "renaissance/Dialect/TR/IR/ArchOps.h"
#include "renaissance/Dialect/TR/IR/TensorBuilder.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>

namespace tr {

/// Names a parameter or statistic of the function and returns its argument.
using ParameterFn =
    std::function<mlir::Value(const llvm::Twine &name, llvm::ArrayRef<int64_t> shape)>;

class LinalgBuilder final : public TensorBuilder {
public:
  LinalgBuilder(mlir::ImplicitLocOpBuilder &builder, ParameterFn parameter)
      : b(builder), parameter(std::move(parameter)) {}

  mlir::Value convolve(llvm::StringRef part, ConvAttr geometry, mlir::Value x) override;
  mlir::Value normalise(llvm::StringRef part, double eps, bool affine, mlir::Value x) override;
  mlir::Value normalisePixels(llvm::StringRef part, double eps, bool affine,
                              mlir::Value x) override;
  mlir::Value normaliseGroups(llvm::StringRef part, int64_t groups, double eps, bool affine,
                              mlir::Value x) override;
  mlir::Value activate(Act act, mlir::Value x) override;
  mlir::Value activateBySlopes(llvm::StringRef part, bool shared, mlir::Value x) override;
  mlir::Value scaleChannels(llvm::StringRef part, mlir::Value x) override;
  mlir::Value poolMax(PoolAttr window, mlir::Value x) override;
  mlir::Value poolAverage(PoolAttr window, mlir::Value x) override;
  mlir::Value averageMaps(mlir::Value x) override;
  mlir::Value multiply(llvm::StringRef part, int64_t out, bool bias, mlir::Value x) override;
  mlir::Value flatten(mlir::Value x) override;
  mlir::Value convolveTransposed(llvm::StringRef part, ConvAttr geometry, ImageShape shape,
                                 mlir::Value x) override;
  mlir::Value resample(const AxisWeights &rows, const AxisWeights &columns, mlir::Value x) override;
  mlir::Value padChannels(mlir::Value x, int64_t before, int64_t after) override;
  mlir::Value takeChannels(mlir::Value x, int64_t begin, int64_t count) override;
  mlir::Value shuffleChannels(mlir::Value x, int64_t groups) override;
  mlir::Value add(mlir::Value x, mlir::Value y) override;
  mlir::Value scale(mlir::Value x, mlir::Value y) override;
  mlir::Value concatenate(mlir::ValueRange values) override;

private:
  using Body = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

  mlir::Value constant(double value);
  mlir::Value empty(llvm::ArrayRef<int64_t> shape);
  mlir::Value filled(llvm::ArrayRef<int64_t> shape, double value);
  /// Zeros, or a vector over the last dimension.
  mlir::Value start(llvm::ArrayRef<int64_t> shape, mlir::Value vector);
  mlir::Value padded(mlir::Value x, llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high,
                     double value);
  /// The input of a pooling with the cells that its windows reach, those outside with `value`.
  mlir::Value paddedForWindows(PoolAttr window, mlir::Value x, double value);
  /// Elements of x and of vectors over the last dimension.
  mlir::Value mapElements(mlir::Value x, mlir::ValueRange vectors, Body body);
  /// Elements of two tensors, either of which may be (n, 1, 1, c).
  mlir::Value combine(mlir::Value x, mlir::Value y, Body body);
  /// x * weight + bias of the channel; x where there are none.
  mlir::Value affineChannels(mlir::ValueRange vectors, mlir::Value x);
  llvm::SmallVector<mlir::Value> affineVectors(llvm::StringRef part, bool affine, mlir::Value x);
  /// x (n, h, w, c) with the statistics of c / groups channels of a pixel or of the whole map.
  mlir::Value normaliseOwn(bool wholeMap, int64_t groups, double eps, mlir::Value x);
  /// Means over what `kept` leaves out of the loops of x, of elements that `body` makes of those of
  /// x and of `others`, which have the loops of the result.
  mlir::Value meanOf(mlir::Value x, mlir::ValueRange others, mlir::AffineMap kept, Body body);
  /// x with `stride - 1` zeros between its pixels and margins, for a transposed convolution.
  mlir::Value spread(mlir::Value x, Dims2 stride, llvm::ArrayRef<int64_t> low,
                     llvm::ArrayRef<int64_t> shape);
  /// The linear map along dimension 1 or 2.
  mlir::Value mapAxis(const AxisWeights &axis, int64_t dim, mlir::Value x);
  mlir::Value groupedConv(ConvAttr g, mlir::Value x, mlir::Value w, mlir::Value start);
  mlir::Value multiplyAdd(mlir::ValueRange inputs, mlir::Value start,
                          llvm::ArrayRef<mlir::AffineMap> maps, int64_t parallelLoops);

  mlir::ImplicitLocOpBuilder &b;
  ParameterFn parameter;
};

} // namespace tr

#endif // RENAISSANCE_LIB_CONVERSION_ARCHTOLINALG_LINALGBUILDER_H
