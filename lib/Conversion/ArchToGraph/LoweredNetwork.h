// SPDX-License-Identifier: Apache-2.0
//
// A network for one variant: the tensor table and the kernel ops of all layers, by subgraph.
#ifndef RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_LOWEREDNETWORK_H
#define RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_LOWEREDNETWORK_H

#include "Network.h"
#include "TensorTable.h"

namespace tr {

/// A kernel op on tensors of the table.
struct TableCall {
  trf::Opcode kernel;
  llvm::SmallVector<TensorId, 10> tensors;
  AttrList attrs;
  LayerId layer;
  /// Of a copy between a tensor and channels of `whole`, whose own operand is still missing.
  TensorId whole = TensorId::None;
  int64_t firstChannel = 0;

  bool joins() const { return whole != TensorId::None; }
  bool writes(TensorId tensor) const;
  bool reads(TensorId tensor) const;
};

/// A copy that stays, and why.
struct RemainingCopy {
  LayerId layer;
  std::string tensor, reason;
};

struct LoweredNetwork {
  TensorTable table;
  IdVector<LayerId, char> fused;
  std::vector<TableCall> firstForward, deepForward, deepBackward, firstBackward, inference, fold;
  std::vector<RemainingCopy> copies;
  bool trains = false; ///< some variant does
};

/// Describes every layer for the variant. Errors name the layer and the variant.
mlir::FailureOr<LoweredNetwork> lowerNetwork(const Network &network, const Variant &variant,
                                             OptionsAttr options);

/// Backward after the residual sums of fused layers: one kernel op for the sum of gradients, the
/// activation and the reductions of one or two normalisations, and one for the gradients of two.
void fuseJoins(LoweredNetwork &network);

/// Squeeze-and-excitation: the mean of a map where the map is made, and one kernel op for the sum
/// of the gradients of product and mean.
void fuseGates(const Network &network, LoweredNetwork &lowered);

/// Lets tensors be channels of those that they are copied to or from, where every kernel op on them
/// can work there; what is left become copies of runs.
void placeRuns(LoweredNetwork &network);

/// Whether two variants have the same tensors but for shapes, and parameters of one shape.
/// Errors name the layer, the tensor and both variants.
llvm::LogicalResult checkAgreement(const Network &network, const Variant &base,
                                   const LoweredNetwork &baseTable, const Variant &other,
                                   const LoweredNetwork &otherTable);

} // namespace tr

#endif // RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_LOWEREDNETWORK_H
