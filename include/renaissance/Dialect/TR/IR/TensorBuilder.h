// SPDX-License-Identifier: Apache-2.0
//
// What inference of layers is made of, for conversions to other dialects. Tensors are NHWC and of
// static shape.
#ifndef RENAISSANCE_DIALECT_TR_IR_TENSORBUILDER_H
#define RENAISSANCE_DIALECT_TR_IR_TENSORBUILDER_H

#include "renaissance/Dialect/TR/IR/TRDialect.h"

#include "mlir/IR/BuiltinTypes.h"

namespace tr {

/// A linear map along an axis: weight (o, i) of input i for output o is at o * in + i.
struct AxisWeights {
  int64_t in, out;
  llvm::SmallVector<float> weights;
};

class TensorBuilder {
public:
  virtual ~TensorBuilder() = default;

  static llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
    return llvm::cast<mlir::RankedTensorType>(value.getType()).getShape();
  }

  /// Convolution with the parameters `part`.weight and, if the geometry has one, `part`.bias.
  virtual mlir::Value convolve(llvm::StringRef part, ConvAttr geometry, mlir::Value x) = 0;
  /// (x - mean) / sqrt(var + eps) * weight + bias over the channels, running statistics. Without
  /// weight and bias where it is not affine.
  virtual mlir::Value normalise(llvm::StringRef part, double eps, bool affine, mlir::Value x) = 0;
  /// The same with the statistics of each pixel, or of each sample and group of channels.
  virtual mlir::Value normalisePixels(llvm::StringRef part, double eps, bool affine,
                                      mlir::Value x) = 0;
  virtual mlir::Value normaliseGroups(llvm::StringRef part, int64_t groups, double eps, bool affine,
                                      mlir::Value x) = 0;
  virtual mlir::Value activate(Act act, mlir::Value x) = 0;
  /// x, or `part`.weight * x below 0: one for each channel or, shared, for all.
  virtual mlir::Value activateBySlopes(llvm::StringRef part, bool shared, mlir::Value x) = 0;
  /// x * `part`.weight of the channel.
  virtual mlir::Value scaleChannels(llvm::StringRef part, mlir::Value x) = 0;
  virtual mlir::Value poolMax(PoolAttr window, mlir::Value x) = 0;
  /// Sums over windows, divided by the cells of each that lie inside the input or, if they count,
  /// inside the padded input.
  virtual mlir::Value poolAverage(PoolAttr window, mlir::Value x) = 0;
  /// (n, h, w, c) to means (n, 1, 1, c).
  virtual mlir::Value averageMaps(mlir::Value x) = 0;
  /// (n, h, w, c) to (n, 1, 1, out) with `part`.weight (out, h, w, c) and `part`.bias (out).
  virtual mlir::Value multiply(llvm::StringRef part, int64_t out, bool bias, mlir::Value x) = 0;
  /// (n, h, w, c) to (n, 1, 1, h * w * c).
  virtual mlir::Value flatten(mlir::Value x) = 0;
  /// A transposed convolution to `shape`, with the parameters `part`.weight (in, kh, kw, out /
  /// groups) and, if the geometry has one, `part`.bias.
  virtual mlir::Value convolveTransposed(llvm::StringRef part, ConvAttr geometry, ImageShape shape,
                                         mlir::Value x) = 0;
  /// The same linear map along height, and one along width, for every channel.
  virtual mlir::Value resample(const AxisWeights &rows, const AxisWeights &columns,
                               mlir::Value x) = 0;
  /// Zero channels before and after those of x.
  virtual mlir::Value padChannels(mlir::Value x, int64_t before, int64_t after) = 0;
  /// `count` channels of x, from `begin` on.
  virtual mlir::Value takeChannels(mlir::Value x, int64_t begin, int64_t count) = 0;
  /// Channel i * groups + g is channel g * (channels / groups) + i of x.
  virtual mlir::Value shuffleChannels(mlir::Value x, int64_t groups) = 0;
  /// Sums of elements.
  virtual mlir::Value add(mlir::Value x, mlir::Value y) = 0;
  /// Products of elements; either may be (n, 1, 1, c), which then holds for the whole map.
  virtual mlir::Value scale(mlir::Value x, mlir::Value y) = 0;
  /// Side by side along the channels.
  virtual mlir::Value concatenate(mlir::ValueRange values) = 0;
};

} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_IR_TENSORBUILDER_H
