// SPDX-License-Identifier: Apache-2.0
//
// The tensor table of one variant: what belongs to no layer, then layer by layer the
// tensors, those that inference has of its own, optimizer states and gradients.
#ifndef RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_TENSORTABLE_H
#define RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_TENSORTABLE_H

#include "Ids.h"

#include "renaissance/Dialect/TR/IR/LayerDescription.h"

#include <array>

namespace tr {

struct TableTensor {
  TensorRow row;
  LayerId layer; ///< none for shared tensors
  /// The tensor whose channels from `firstChannel` on this one is, if any; that is no run itself
  /// once the network is lowered.
  TensorId parent = TensorId::None;
  int64_t firstChannel = 0;
};

/// Channels [begin, end) of a tensor that is no run of another.
struct ChannelRun {
  TensorId root = TensorId::None;
  int64_t begin = 0, end = 0;

  bool overlaps(const ChannelRun &other) const {
    return root == other.root && begin < other.end && other.begin < end;
  }
};

/// What decides which shared tensors there are.
struct SharedNeeds {
  bool trains = false;
  trf::Optimizer optimizer = trf::Optimizer::SGD;
  bool draws = false;       ///< random numbers
  bool countsFolds = false; ///< some inference kernel reads `folds`
};

class TensorTable {
public:
  TensorTable() { sharedIds.fill(TensorId::None); }

  TensorId add(TensorRow row, LayerId layer) { return tensors.push_back({std::move(row), layer}); }
  /// Inference has activations of its own, so that each schedule is packed for itself.
  TensorId addInferenceTwin(TensorId tensor);
  /// The shared tensors for a batch of images and of logits of these extents.
  void addShared(const SharedNeeds &needs, int64_t batch, ImageShape images, ImageShape logits);
  /// First and second moments of a layer's parameters, in their order.
  void addOptimizerStates(LayerId layer, llvm::ArrayRef<ParamRow> params, trf::Optimizer optimizer);
  /// Parameters whose tensors are ids of this table.
  void addParam(ParamRow param) { params.push_back(std::move(param)); }

  /// None where the network does not need it.
  TensorId getShared(trf::SharedTensor tensor) const {
    return sharedIds[static_cast<size_t>(tensor)];
  }
  bool isPooled(TensorId tensor) const { return tensors[tensor].row.region.isPooled(); }
  /// Where a tensor lies, through all parents.
  ChannelRun getRun(TensorId tensor) const;

  IdVector<TensorId, TableTensor> tensors;
  std::vector<ParamRow> params;

private:
  std::array<TensorId, trf::kCount<trf::SharedTensor>> sharedIds;
};

} // namespace tr

#endif // RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_TENSORTABLE_H
