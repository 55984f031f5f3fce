// SPDX-License-Identifier: Apache-2.0
//
// What a layer says about itself: its tensors, its parameters and the kernel ops
// of training and inference. A layer fills a LayerDescription in `describe`; the
// compiler turns the descriptions of all layers into one tensor table and one set
// of subgraphs, and never looks at what kind of layer it has.
#ifndef RENAISSANCE_DIALECT_TR_IR_LAYERDESCRIPTION_H
#define RENAISSANCE_DIALECT_TR_IR_LAYERDESCRIPTION_H

#include "renaissance/Dialect/TR/IR/TRDialect.h"
#include "renaissance/Target/PlanTables.h"

#include "llvm/ADT/SmallVector.h"

#include <array>
#include <optional>
#include <string>
#include <variant>

namespace tr {

/// n, h, w, c of a tensor; o, kh, kw, i of a weight.
using TensorDims = std::array<int64_t, 4>;

/// What a layer is described for.
struct LayerContext {
  int64_t batch = 1;
  ImageShape input;
  ImageShape output;
  /// The input's extents before it was flattened, else the input's. Weight files
  /// order the columns of an FC by them.
  ImageShape features;
  bool first = false;            ///< the layer that reads the images
  bool training = true;          ///< some variant trains; else nothing that only training needs
  size_t partCount = 1;          ///< of the layer's `parts`
  bool inputNeedsGrad = false;   ///< something before the layer has parameters
  bool zeroGamma = false;        ///< residual branches start as zero
  bool endsResidualStem = false; ///< the last layer of the stem of an add2
  uint32_t index = 0;            ///< number of layers before that draw random numbers
};

/// An operand of a kernel op, relative to the layer.
struct TensorRef {
  enum Kind : uint8_t { Absent, Own, Input, InputGrad, OutputGrad, Named };
  Kind kind = Absent;
  int32_t index = -1;   ///< of an own tensor
  llvm::StringRef name; ///< of a tensor that belongs to no layer ("loss", "seed", ...)
};

/// A row of the tensor table.
struct TensorRow {
  std::string name;
  plan::Region region;
  plan::DType dtype;
  TensorDims dims;
};

/// A parameter or a running statistic (`grad` absent).
struct ParamRow {
  std::string name;
  int32_t tensor;
  int32_t grad;
  plan::ParamLayout layout;
  plan::Init init;
  double scale;
  TensorDims logical;
};

/// Value of a kernel op's attribute, in the order of the kernel-op table.
using KernelAttr = std::variant<int64_t, double>;

struct KernelCall {
  plan::Kernel kernel;
  llvm::SmallVector<TensorRef, 10> operands;
  llvm::SmallVector<KernelAttr, 11> attrs;
};

class LayerDescription {
public:
  using Refs = llvm::ArrayRef<TensorRef>;
  using Attrs = llvm::ArrayRef<KernelAttr>;

  explicit LayerDescription(const LayerContext &context) : context(context) {}

  /// A parameter and its gradient.
  struct Parameter {
    TensorRef value, grad;
  };

  const LayerContext &getContext() const { return context; }

  //===--------------------------------------------------------------------===//
  // Tensors
  //===--------------------------------------------------------------------===//

  /// The layer's input; the images for the first layer.
  static TensorRef input() { return {TensorRef::Input, -1, {}}; }
  /// Gradient of the layer's output, to be read in backward.
  static TensorRef outputGrad() { return {TensorRef::OutputGrad, -1, {}}; }
  /// Gradient of the layer's input, to be written in backward if the input needs one.
  static TensorRef inputGrad() { return {TensorRef::InputGrad, -1, {}}; }
  /// A tensor that belongs to no layer: "loss", "seed", ...
  static TensorRef named(llvm::StringRef name) { return {TensorRef::Named, -1, name}; }
  static TensorRef absent() { return {}; }

  TensorRef tensor(const llvm::Twine &name, plan::Region region, plan::DType dtype,
                   TensorDims dims);
  /// A tensor that only training uses; absent when nothing trains.
  TensorRef trainingTensor(const llvm::Twine &name, plan::Region region, plan::DType dtype,
                           TensorDims dims);
  /// An activation: (batch, h, w, c).
  TensorRef feature(const llvm::Twine &name, ImageShape shape);
  /// An activation that only training uses; absent when nothing trains.
  TensorRef trainingFeature(const llvm::Twine &name, ImageShape shape);
  /// The gradient of an activation; absent when nothing trains.
  TensorRef gradient(const llvm::Twine &name, ImageShape shape);
  /// A per-channel vector; the second one only for training.
  TensorRef channels(const llvm::Twine &name, plan::Region region, int64_t count);
  TensorRef trainingChannels(const llvm::Twine &name, plan::Region region, int64_t count);
  /// A trainable parameter named `part.role` in a W region; its gradient follows.
  Parameter parameter(llvm::StringRef part, llvm::StringRef role, plan::Region region,
                      TensorDims dims, plan::ParamLayout layout, plan::Init init, double scale);
  /// A running statistic named `part.role`.
  TensorRef statistic(llvm::StringRef part, llvm::StringRef role, plan::Region region,
                      int64_t count, plan::Init init);

  //===--------------------------------------------------------------------===//
  // Kernel ops, in order of execution
  //===--------------------------------------------------------------------===//

  void forward(plan::Kernel kernel, Refs operands, Attrs attrs = {});
  void backward(plan::Kernel kernel, Refs operands, Attrs attrs = {});
  void inference(plan::Kernel kernel, Refs operands, Attrs attrs = {});
  /// In training and in inference.
  void both(plan::Kernel kernel, Refs operands, Attrs attrs = {});
  /// After training, before inference: folds running statistics.
  void fold(plan::Kernel kernel, Refs operands, Attrs attrs = {});

  /// A copy of the output that backward makes anew where a later layer's backward reads the
  /// output, so that the output itself need not be kept. At most once; `kernel` writes its last
  /// operand, which is the copy.
  void rebuildOutput(plan::Kernel kernel, Refs operands, Attrs attrs = {});

  /// The output of training; that of inference too unless it is set apart.
  void setOutput(TensorRef ref) { output = inferenceOutput = ref; }
  void setInferenceOutput(TensorRef ref) { inferenceOutput = ref; }
  /// Extents that an FC behind this layer has in weight files.
  void setFeatures(ImageShape shape) { features = shape; }
  /// Says how many parts the layer is made of (1 unless it says so). When it has others, the
  /// answer is false, the layer must return at once and the compiler reports it.
  bool expectParts(size_t count) {
    expectedParts = count;
    return context.partCount == count;
  }
  /// Counts the layer among the fused ones of the plan's report.
  void setFused() { fused = true; }
  /// The layer draws random numbers: it needs the seed and step counters.
  void setRandom() { random = true; }

  llvm::SmallVector<TensorRow, 4> tensors;
  llvm::SmallVector<ParamRow, 2> params;
  llvm::SmallVector<KernelCall, 2> forwardCalls, backwardCalls, inferenceCalls, foldCalls;
  std::optional<KernelCall> rebuildCall;
  TensorRef output, inferenceOutput;
  ImageShape features;
  size_t expectedParts = 1;
  bool fused = false;
  bool random = false;

private:
  LayerContext context;
};

} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_IR_LAYERDESCRIPTION_H
