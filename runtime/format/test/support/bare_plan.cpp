// SPDX-License-Identifier: Apache-2.0
//
// Tensors and nodes of a bare plan.
#include "bare_plan.h"

namespace trf::test {

BarePlan::BarePlan() {
  plan.layers.emplace_back();
  plan.variants.emplace_back();
  plan.atlas.resize(kCount<Subgraph>);
  plan.regions.push_back({{Role::Weight, Group::FcBias}, DType::F32});
  plan.regions.push_back({{Role::Feature}, std::nullopt});
  plan.schedules.emplace_back().kind = Schedule::TrainA;
  TensorInfo kept;
  kept.name = "kept";
  kept.layer = 0;
  kept.offset = uint64_t{1} << 40; // far from the pool, which begins at 0
  kept.slot_bytes = 256;
  add(kept, 1);
}

uint32_t BarePlan::add(TensorInfo tensor, int64_t channels) {
  plan.tensors.push_back(std::move(tensor));
  plan.shapes.push_back({1, 1, 1, channels});
  return static_cast<uint32_t>(plan.tensors.size() - 1);
}

uint32_t BarePlan::pooled(uint64_t offset, uint64_t bytes, int64_t channels) {
  TensorInfo tensor;
  tensor.name = "t" + std::to_string(plan.tensors.size());
  tensor.region = 1;
  tensor.layer = 0;
  tensor.offset = offset;
  tensor.slot_bytes = bytes;
  return add(tensor, channels);
}

uint32_t BarePlan::runOf(uint32_t parent, uint32_t firstChannel, int64_t channels) {
  TensorInfo tensor = plan.tensors[parent];
  tensor.name += "." + std::to_string(firstChannel);
  tensor.parent = parent;
  tensor.first_channel = firstChannel;
  return add(tensor, channels);
}

uint32_t BarePlan::node(uint32_t in, uint32_t out) {
  Op op;
  op.opcode = Opcode::act_fwd;
  op.operands = {in, out};
  op.attrs = {{1}};
  op.layer = 0;
  const uint32_t index = static_cast<uint32_t>(plan.ops.size());
  plan.ops.push_back(std::move(op));
  schedule().nodes.push_back({index, Subgraph::DeepFwdBwd});
  return static_cast<uint32_t>(schedule().nodes.size() - 1);
}

} // namespace trf::test
