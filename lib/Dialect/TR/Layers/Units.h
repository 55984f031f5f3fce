// SPDX-License-Identifier: Apache-2.0
//
// Pieces that several layers are made of: convolution, batch normalisation, fully
// connected product. Each declares its tensors when made and its kernel ops when
// asked, so that a fused layer is a few lines.
#ifndef RENAISSANCE_LIB_DIALECT_TR_LAYERS_UNITS_H
#define RENAISSANCE_LIB_DIALECT_TR_LAYERS_UNITS_H

#include "renaissance/Dialect/TR/IR/LayerDescription.h"

namespace tr::units {

/// Sets the attributes that all convolutions have, and those that all windows have.
template <typename Attrs> void setGeometry(Attrs &attrs, ConvAttr geometry) {
  attrs.kernel_h = geometry.getKernel().h;
  attrs.kernel_w = geometry.getKernel().w;
  attrs.stride_h = geometry.getStride().h;
  attrs.stride_w = geometry.getStride().w;
  attrs.pad_h = geometry.getPad().h;
  attrs.pad_w = geometry.getPad().w;
  attrs.dilation_h = geometry.getDilation().h;
  attrs.dilation_w = geometry.getDilation().w;
  attrs.groups = geometry.getGroups();
  attrs.pad_more_h = geometry.getMore().h;
  attrs.pad_more_w = geometry.getMore().w;
}
template <typename Attrs> void setWindow(Attrs &attrs, PoolAttr window) {
  attrs.kernel_h = window.getKernel().h;
  attrs.kernel_w = window.getKernel().w;
  attrs.stride_h = window.getStride().h;
  attrs.stride_w = window.getStride().w;
  attrs.pad_h = window.getPad().h;
  attrs.pad_w = window.getPad().w;
  attrs.ceil = window.getCeil();
  attrs.pad_more_h = window.getMore().h;
  attrs.pad_more_w = window.getMore().w;
}
/// The same of maxima, whose cells may be apart, and of averages, which may count the pad.
template <typename Attrs> void setMaxWindow(Attrs &attrs, PoolAttr window) {
  setWindow(attrs, window);
  attrs.dilation_h = window.getDilation().h;
  attrs.dilation_w = window.getDilation().w;
}
template <typename Attrs> Attrs withMaxWindow(PoolAttr window) {
  Attrs attrs{};
  setMaxWindow(attrs, window);
  return attrs;
}
template <typename Attrs> Attrs withAverageWindow(PoolAttr window) {
  Attrs attrs{};
  setWindow(attrs, window);
  attrs.count_pad = window.getCountPad();
  return attrs;
}
template <typename Attrs> Attrs withGeometry(ConvAttr geometry) {
  Attrs attrs{};
  setGeometry(attrs, geometry);
  return attrs;
}

/// Type of a pooling index: u8 where the window has at most 256 cells.
trf::DType indexType(PoolAttr window);
/// The name of part `index` of a layer.
llvm::StringRef partOf(mlir::ArrayAttr parts, unsigned index);

/// Averages over windows, and over whole maps.
KernelCall poolAverage(PoolAttr window, TensorRef x, TensorRef y);
KernelCall poolAverageBackward(PoolAttr window, TensorRef dy, TensorRef dx);
KernelCall averageMaps(TensorRef x, TensorRef y);
KernelCall averageMapsBackward(TensorRef dy, TensorRef dx);

/// Channels of x among zeros, from channel `at` on, and channels of x from there on.
KernelCall placeChannels(int64_t at, TensorRef x, TensorRef y);
KernelCall takeChannels(int64_t at, TensorRef x, TensorRef y);

/// A layer without parameters: `forward(x, y)` and `backward(dy, dx)` make its calls.
template <typename Forward, typename Backward>
void describeSimple(LayerDescription &d, llvm::StringRef path, Forward forward, Backward backward) {
  TensorRef y = d.declareOutput(path);
  d.forwardAndInference(forward(d.input(), y));
  if (d.needsInputGrad())
    d.backward(backward(d.outputGrad(), d.inputGrad()));
}

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
  KernelCall makeCall(TensorRef x) const;

  LayerDescription &d;
  ConvAttr geometry;
  LayerDescription::Parameter weight, bias;
};

struct BnOptions {
  bool zeroGamma = false;
  bool affine = true;      ///< has gamma and beta
  bool cumulative = false; ///< running statistics are means over all batches; momentum is 1
};

class Bn {
public:
  Bn(LayerDescription &d, llvm::StringRef part, int64_t channels, double eps, double momentum,
     BnOptions options = {});

  void stats(TensorRef x);
  void apply(TensorRef x, Act act, TensorRef y) { d.forward(makeApply(x, act, y)); }
  void inference(TensorRef x, Act act, TensorRef y);
  /// y = act(bn(x)).
  KernelCall makeApply(TensorRef x, Act act, TensorRef y) const;
  /// In backward: act(bn(x)) once more, into a new tensor called `name`.
  TensorRef recompute(TensorRef x, Act act, const llvm::Twine &name, ImageShape shape);
  /// The same for the layer's output, made only where a later layer's backward reads it.
  void recomputeOutput(TensorRef x, Act act, const llvm::Twine &name);
  /// Gradients of gamma and beta, and of x where `dx` is present.
  void backward(TensorRef dy, TensorRef x, Act act, TensorRef dx);

  LayerDescription::Parameter gamma, beta;
  TensorRef mean, invStd; ///< of the batch
  TensorRef scale, shift; ///< folded, for inference

private:
  friend class ConvBn;
  void cumulate();

  LayerDescription &d;
  double eps, momentum;
  TensorRef prevMean, prevVar, nextMean, nextVar;
  TensorRef prevCount, nextCount; // where statistics are cumulative
  TensorRef dgamma, dbeta;        // gradients of gamma and beta, or sums that are none
};

/// A convolution whose statistics are computed with it.
class ConvBn {
public:
  ConvBn(LayerDescription &d, llvm::StringRef convPart, llvm::StringRef bnPart, ImageShape input,
         ConvAttr geometry, double eps, double momentum, bool zeroGamma = false);

  void forward(TensorRef x);
  /// In inference, at once: y = act(bn(conv(x)) + shortcut), where one is present.
  void inference(TensorRef x, TensorRef shortcut, Act act, TensorRef y);
  /// From the gradient after normalisation and `act` to those of the parameters,
  /// and of x where `dx` is present.
  void backward(TensorRef x, TensorRef dy, Act act, TensorRef dx) {
    normBackward(dy, act);
    convBackward(x, dx);
  }
  /// The two halves of backward, for layers that recompute `x` only between them.
  void normBackward(TensorRef dy, Act act) { bn.backward(dy, conv.y, act, convGrad); }
  void convBackward(TensorRef x, TensorRef dx) { conv.backward(x, convGrad, dx); }

  Conv conv;
  Bn bn;

private:
  TensorRef convGrad; // of the convolution's output
};

class Fc {
public:
  Fc(LayerDescription &d, llvm::StringRef part, ImageShape features, int64_t out, bool withBias);

  void forwardAndInference(TensorRef x, TensorRef y);
  void backward(TensorRef x, TensorRef dy, TensorRef dx);

private:
  LayerDescription &d;
  LayerDescription::Parameter weight, bias;
};

} // namespace tr::units

#endif // RENAISSANCE_LIB_DIALECT_TR_LAYERS_UNITS_H
