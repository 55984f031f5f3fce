// SPDX-License-Identifier: Apache-2.0
//
// What a layer says about itself: its tensors, its parameters and the kernel ops
// of training and inference. A layer fills a LayerDescription in `describe`; the
// compiler turns the descriptions of all layers into one tensor table and one set
// of subgraphs, and never looks at what kind of layer it has.
#ifndef RENAISSANCE_DIALECT_TR_IR_LAYERDESCRIPTION_H
#define RENAISSANCE_DIALECT_TR_IR_LAYERDESCRIPTION_H

#include "renaissance/Dialect/TR/IR/KernelCall.h"
#include "renaissance/Dialect/TR/IR/TRDialect.h"

#include <array>
#include <optional>
#include <string>

namespace tr {

/// n, h, w, c of a tensor; o, kh, kw, i of a weight.
using TensorDims = std::array<int64_t, 4>;

/// What a layer is described for.
struct LayerContext {
  int64_t batch = 1;
  llvm::SmallVector<ImageShape, 2> inputs;
  ImageShape output;
  /// The first input's extents before it was flattened, else the input's. Weight files
  /// order the columns of an FC by them.
  ImageShape features;
  trf::Instance instance = trf::Instance::F32; ///< element types of the layer's kernel ops
  bool first = false;                          ///< the layer that reads the images
  bool training = true; ///< some variant trains; else nothing that only training needs
  llvm::SmallVector<bool, 2> inputNeedsGrad; ///< something before the input has parameters
  bool zeroGamma = false;                    ///< residual branches start as zero
  bool endsResidualStem = false;             ///< the last layer of the stem of an add2
  uint32_t index = 0;                        ///< number of layers before that draw random numbers
};

/// A row of the tensor table.
struct TensorRow {
  std::string name;
  trf::Region region;
  trf::DType dtype;
  TensorDims dims;
};

/// A parameter or a running statistic (`grad` -1); tensors are positions among the layer's.
struct ParamRow {
  std::string name;
  int32_t tensor;
  int32_t grad;
  trf::ParamLayout layout;
  trf::Init init;
  double scale;
  TensorDims logical;
};

/// What a layer made known with the functions of LayerDescription.
struct LayerFacts {
  llvm::SmallVector<TensorRow, 4> tensors;
  llvm::SmallVector<ParamRow, 2> params;
  llvm::SmallVector<KernelCall, 2> forward, backward, inference, fold;
  std::optional<KernelCall> recompute;
  TensorRef output, inferenceOutput;
  std::optional<ImageShape> features;
  bool random = false;
  bool passesGradient = false;
  bool joinsChannels = false;
  std::optional<int64_t> takenFrom; ///< the output is channels of the input, from this one on
};

class LayerDescription {
public:
  explicit LayerDescription(LayerContext context) : context(std::move(context)) {}

  /// A parameter and its gradient.
  struct Parameter {
    TensorRef value, grad;
  };

  const LayerContext &getContext() const { return context; }
  /// Extents of the first input.
  ImageShape getInput() const { return context.inputs.front(); }
  ImageShape getOutput() const { return context.output; }
  const LayerFacts &getFacts() const { return facts; }

  //===--------------------------------------------------------------------===//
  // Tensors
  //===--------------------------------------------------------------------===//

  /// An input of the layer; the images for the first layer.
  static TensorRef input(int32_t index = 0) { return {TensorRef::Input, index}; }
  /// Gradient of the layer's output, to be read in backward.
  static TensorRef outputGrad() { return {TensorRef::OutputGrad, 0}; }
  /// Gradient of an input, to be written in backward if the input needs one.
  static TensorRef inputGrad(int32_t index = 0) { return {TensorRef::InputGrad, index}; }
  /// The same, absent where the input needs none.
  TensorRef wantedInputGrad(int32_t index = 0) const {
    return needsInputGrad(index) ? inputGrad(index) : absent();
  }
  bool needsInputGrad(int32_t index = 0) const { return context.inputNeedsGrad[index]; }
  static TensorRef shared(trf::SharedTensor tensor) {
    return {TensorRef::Shared, static_cast<int32_t>(tensor)};
  }
  static TensorRef absent() { return {}; }

  TensorRef tensor(const llvm::Twine &name, trf::Region region, trf::DType dtype, TensorDims dims);
  /// A tensor that only training uses; absent when nothing trains.
  TensorRef trainingTensor(const llvm::Twine &name, trf::Region region, trf::DType dtype,
                           TensorDims dims);
  /// An activation: (batch, h, w, c).
  TensorRef feature(const llvm::Twine &name, ImageShape shape);
  /// An activation that only training uses; absent when nothing trains.
  TensorRef trainingFeature(const llvm::Twine &name, ImageShape shape);
  /// The gradient of an activation; absent when nothing trains.
  TensorRef gradient(const llvm::Twine &name, ImageShape shape);
  /// The layer's output `path.output`, in training and in inference.
  TensorRef declareOutput(llvm::StringRef path);
  /// A per-channel vector of statistics; the second one only for training.
  TensorRef channels(const llvm::Twine &name, trf::Role role, int64_t count);
  TensorRef trainingChannels(const llvm::Twine &name, trf::Role role, int64_t count);
  /// A trainable parameter named `part.role`; its gradient follows.
  Parameter parameter(llvm::StringRef part, llvm::StringRef role, trf::Group group, TensorDims dims,
                      trf::ParamLayout layout, trf::Init init, double scale);
  /// A running statistic named `part.role`.
  TensorRef statistic(llvm::StringRef part, llvm::StringRef name, trf::Role role, int64_t count,
                      trf::Init init);

  //===--------------------------------------------------------------------===//
  // Kernel ops, in order of execution
  //===--------------------------------------------------------------------===//

  void forward(KernelCall call) {
    if (context.training)
      facts.forward.push_back(std::move(call));
  }
  void backward(KernelCall call) {
    if (context.training)
      facts.backward.push_back(std::move(call));
  }
  void inference(KernelCall call) { facts.inference.push_back(std::move(call)); }
  /// In training and in inference.
  void forwardAndInference(const KernelCall &call) {
    forward(call);
    inference(call);
  }
  /// After training, before inference: folds running statistics.
  void fold(KernelCall call) { facts.fold.push_back(std::move(call)); }

  /// A copy of the output that backward makes anew where a later layer's backward reads the
  /// output, so that the output itself need not be kept. At most once; the call writes its last
  /// operand, which is the copy.
  void recomputeOutput(KernelCall call) {
    if (context.training)
      facts.recompute = std::move(call);
  }
  /// The gradient of the output is that of every input: no kernel op and no tensor.
  void passGradient() { facts.passesGradient = true; }

  /// The output, a tensor of the layer, is the inputs side by side along the channels. What makes
  /// them writes there, and what makes their gradients reads those channels of the output's: no
  /// kernel op is needed, unless one cannot work on channels of a wider tensor.
  void joinChannels() { facts.joinsChannels = true; }

  /// The output, a tensor of the layer, is channels of the first input, from `first` on, and lies
  /// there: no kernel op is needed, unless one cannot work on channels of a wider tensor. Not of
  /// the images.
  void takeChannels(int64_t first) { facts.takenFrom = first; }

  /// The output of training; that of inference too unless it is set apart.
  void setOutput(TensorRef ref) { facts.output = facts.inferenceOutput = ref; }
  void setInferenceOutput(TensorRef ref) { facts.inferenceOutput = ref; }
  /// Extents that an FC after this layer has in weight files.
  void setFeatures(ImageShape shape) { facts.features = shape; }
  /// The layer draws random numbers: it needs the seed and step counters.
  void setRandom() { facts.random = true; }

private:
  TensorDims batched(ImageShape shape) const { return {context.batch, shape.h, shape.w, shape.c}; }
  const trf::InstanceRow &types() const { return trf::row(context.instance); }

  LayerContext context;
  LayerFacts facts;
};

} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_IR_LAYERDESCRIPTION_H
