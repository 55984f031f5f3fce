// SPDX-License-Identifier: Apache-2.0
//
// Pieces that several layers are made of: convolution, batch normalisation, fully
// connected product. Each declares its tensors when made and its kernel ops when
// asked, so that a fused layer is a few lines.
#ifndef RENAISSANCE_LIB_DIALECT_TR_IR_DESCRIPTIONUNITS_H
#define RENAISSANCE_LIB_DIALECT_TR_IR_DESCRIPTIONUNITS_H

#include "renaissance/Dialect/TR/IR/LayerDescription.h"

namespace tr::units {

using Attrs = llvm::SmallVector<KernelAttr, 11>;
using Refs = llvm::SmallVector<TensorRef, 12>;

/// Attributes of kernel ops in the order of the kernel-op table.
Attrs convAttrs(ConvAttr geometry);
Attrs poolAttrs(PoolAttr window);
inline KernelAttr actAttr(Activation act) { return static_cast<int64_t>(act); }
/// Type of a pooling index: u8 where the window has at most 256 cells.
plan::DType indexType(PoolAttr window);
/// Extents of a convolution's output; the layer's shape rule accepted the input.
ImageShape convolved(ImageShape input, ConvAttr geometry);

class Conv {
public:
  Conv(LayerDescription &d, llvm::StringRef part, ImageShape input, ConvAttr geometry);

  void forward(TensorRef x);
  void inference(TensorRef x);
  /// Gradients of weight and bias, and of x where `dx` is present.
  void backward(TensorRef x, TensorRef dy, TensorRef dx);

  ImageShape shape; ///< of y
  TensorRef y;

private:
  friend class ConvBn;
  LayerDescription &d;
  ConvAttr geometry;
  LayerDescription::Parameter weight, bias;
};

class Bn {
public:
  Bn(LayerDescription &d, llvm::StringRef part, int64_t channels, double eps, double momentum,
     bool zeroGamma = false);

  /// Operands x, mean, inv_std, gamma, beta.
  Refs inputs(TensorRef x) const;
  /// Operands x, scale, bias of inference.
  Refs folded(TensorRef x) const;
  void stats(TensorRef x);
  void apply(TensorRef x, Activation act, TensorRef y);
  void inference(TensorRef x, Activation act, TensorRef y);
  /// In backward: act(bn(x)) once more, into a new tensor called `name`.
  TensorRef applyAgain(TensorRef x, Activation act, const llvm::Twine &name, ImageShape shape);
  /// The same for the layer's output, made only where a later layer's backward reads it.
  void rebuildOutput(TensorRef x, Activation act, const llvm::Twine &name);
  /// Gradients of gamma and beta, and of x where `dx` is present.
  void backward(TensorRef dy, TensorRef x, Activation act, TensorRef dx);

private:
  friend class ConvBn;
  LayerDescription &d;
  double eps, momentum;
  LayerDescription::Parameter gamma, beta;
  TensorRef prevMean, prevVar, nextMean, nextVar, mean, invStd, scale, shift;
};

/// A convolution whose statistics are computed with it.
class ConvBn {
public:
  ConvBn(LayerDescription &d, llvm::StringRef convPart, llvm::StringRef bnPart, ImageShape input,
         ConvAttr geometry, double eps, double momentum, bool zeroGamma = false);

  void forward(TensorRef x);
  /// In inference, at once: y = act(bn(conv(x)) + shortcut), where one is present.
  void inference(TensorRef x, TensorRef shortcut, Activation act, TensorRef y);
  /// From the gradient after normalisation and `act` to those of the parameters,
  /// and of x where `dx` is present.
  void backward(TensorRef x, TensorRef dy, Activation act, TensorRef dx) {
    normBackward(dy, act);
    convBackward(x, dx);
  }
  /// The two halves of `backward`, for what comes between them.
  void normBackward(TensorRef dy, Activation act) { bn.backward(dy, conv.y, act, convGrad); }
  void convBackward(TensorRef x, TensorRef dx) { conv.backward(x, convGrad, dx); }

  Conv conv;
  Bn bn;
  TensorRef convGrad; ///< gradient of the convolution's output
};

class Fc {
public:
  /// `features` are the input's extents in weight files.
  Fc(LayerDescription &d, llvm::StringRef part, ImageShape features, int64_t out, bool bias);

  void both(TensorRef x, TensorRef y);
  void backward(TensorRef x, TensorRef dy, TensorRef dx);

private:
  LayerDescription &d;
  LayerDescription::Parameter weight, bias;
};

} // namespace tr::units

#endif // RENAISSANCE_LIB_DIALECT_TR_IR_DESCRIPTIONUNITS_H
