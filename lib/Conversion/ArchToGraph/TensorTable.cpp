// SPDX-License-Identifier: Apache-2.0
//
// Rows of the tensor table that no layer declares by itself.
#include "TensorTable.h"

using namespace tr;
using trf::Role;
using trf::SharedExtents;
using trf::ThereWhen;

static bool isNeeded(ThereWhen when, const SharedNeeds &needs) {
  switch (when) {
  case ThereWhen::Always:
    return true;
  case ThereWhen::Trains:
    return needs.trains;
  case ThereWhen::SGD:
    return needs.trains && needs.optimizer == trf::Optimizer::SGD;
  case ThereWhen::AdamW:
    return needs.trains && needs.optimizer == trf::Optimizer::AdamW;
  case ThereWhen::Draws:
    return needs.trains && needs.draws;
  case ThereWhen::CountsFolds:
    return needs.countsFolds;
  }
  llvm_unreachable("all conditions are handled");
}

static TensorDims getDims(SharedExtents extents, int64_t batch, ImageShape images,
                          ImageShape logits) {
  switch (extents) {
  case SharedExtents::One:
    return {1, 1, 1, 1};
  case SharedExtents::Pair:
    return {1, 1, 1, 2};
  case SharedExtents::Samples:
    return {batch, 1, 1, 1};
  case SharedExtents::Images:
    return {batch, images.h, images.w, images.c};
  case SharedExtents::Logits:
    return {batch, logits.h, logits.w, logits.c};
  }
  llvm_unreachable("all extents are handled");
}

void TensorTable::addShared(const SharedNeeds &needs, int64_t batch, ImageShape images,
                            ImageShape logits) {
  for (const trf::SharedTensorRow &shared : trf::kSharedTensors)
    if (isNeeded(shared.when, needs))
      sharedIds[static_cast<size_t>(shared.value)] =
          add({std::string(shared.name), trf::Region{shared.role}, shared.dtype,
               getDims(shared.extents, batch, images, logits)},
              LayerId::None);
}

ChannelRun TensorTable::getRun(TensorId tensor) const {
  int64_t begin = 0, channels = tensors[tensor].row.dims[3];
  for (; tensors[tensor].parent != TensorId::None; tensor = tensors[tensor].parent)
    begin += tensors[tensor].firstChannel;
  return {tensor, begin, begin + channels};
}

TensorId TensorTable::addInferenceTwin(TensorId tensor) {
  TableTensor twin = tensors[tensor];
  twin.row.name += ".inference";
  return tensors.push_back(std::move(twin));
}

void TensorTable::addOptimizerStates(LayerId layer, llvm::ArrayRef<ParamRow> layerParams,
                                     trf::Optimizer optimizer) {
  auto addMoment = [&](const ParamRow &param, const char *suffix, Role role) {
    TensorRow row = tensors[static_cast<TensorId>(param.tensor)].row;
    row.name += suffix;
    row.region.role = role;
    add(std::move(row), layer);
  };
  for (const ParamRow &param : layerParams) {
    if (param.grad < 0)
      continue;
    addMoment(param, ".m", Role::Moment1);
    if (trf::row(optimizer).secondMoment)
      addMoment(param, ".v", Role::Moment2);
  }
}
