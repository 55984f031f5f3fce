// SPDX-License-Identifier: Apache-2.0
//
// A `tr.arch.plan` as lists: layers in order, values between them, and for one
// variant the tensor table and the kernel ops of all layers. Phase 1 reads the
// tensors, phase 4 the kernel ops; neither looks at what kind a layer is.
#ifndef RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_NETWORK_H
#define RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_NETWORK_H

#include "renaissance/Dialect/TR/IR/ArchOps.h"

#include <vector>

namespace tr {

/// A layer of the network, or the sum at the end of an add2.
struct NetworkNode {
  mlir::Operation *op;
  LayerOpInterface layer; ///< null for an add2
  int32_t inputs[2];      ///< values; the second one only for an add2 (the shortcut)
  int32_t output;
  bool endsResidualStem = false;

  unsigned getInputCount() const { return layer ? 1 : 2; }
  llvm::StringRef getPath() const;
  /// The op's name without `tr.arch.`.
  llvm::StringRef getKind() const;
};

/// Order and connections, the same for all variants. Value 0 is the images.
class Network {
public:
  /// Reads a plan. Errors: no loss at the end, a loss elsewhere, an unused layer.
  static mlir::FailureOr<Network> read(arch::PlanOp plan);

  /// A copy, because asking an op for anything is not const.
  arch::PlanOp getPlan() const { return plan; }

  arch::PlanOp plan;
  ImageShape input;
  std::vector<NetworkNode> nodes; ///< the last one is the loss
  int32_t valueCount = 1;
  int32_t logits = 0; ///< the loss's input
};

/// One variant to lower a network for.
struct Variant {
  std::string name;
  bool training;
  int64_t batch;
  ImageShape input;
};

/// The variants that the options ask for.
llvm::SmallVector<Variant> getVariants(OptionsAttr options, ImageShape input);

/// A tensor of the table; `layer` is -1 for tensors of no layer.
struct TableTensor {
  TensorRow row;
  int32_t layer;
};

/// A kernel op on tensor ids. `kImages` stands for data_a or data_b.
struct TableCall {
  static constexpr int32_t kImages = -2;
  plan::Kernel kernel;
  llvm::SmallVector<int32_t, 10> tensors;
  llvm::SmallVector<KernelAttr, 11> attrs;
  int32_t layer;
};

/// A network for one variant. Positions in `tensors` are tensor ids.
struct LoweredNetwork {
  std::vector<TableTensor> tensors;
  std::vector<ParamRow> params; ///< with tensor ids
  std::vector<bool> fused;      ///< for each layer
  std::vector<TableCall> firstForward, deepForward, deepBackward, firstBackward, inference, fold;
  bool random = false;
  bool countsFolds = false; // some inference kernel reads `folds`
  bool training = false;    ///< some variant trains

  /// Id of a tensor of no layer, or -1 where the plan does not need it.
  int32_t find(llvm::StringRef name) const;
};

/// Describes every layer for the variant. Errors name the layer and the variant.
mlir::FailureOr<LoweredNetwork> lowerNetwork(const Network &network, const Variant &variant,
                                             OptionsAttr options);

/// Backward behind the residual sums of fused layers: one kernel op for the sum of gradients, the
/// activation and the reductions of one or two normalisations, and one for the gradients of two.
void fuseJoins(LoweredNetwork &network);

} // namespace tr

#endif // RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_NETWORK_H
