// SPDX-License-Identifier: Apache-2.0
//
// Operands relative to a layer become tensors of the table.
#include "CallResolver.h"

using namespace tr;

TensorId CallResolver::resolveInput(LayerId layer, int32_t index, Phase phase) const {
  const ValuePlaces &value = places.values[network.nodes[layer].inputs[index]];
  switch (phase) {
  case Phase::Forward:
    return value.training;
  case Phase::Backward:
    return value.backward;
  case Phase::Inference:
    return value.inference;
  }
  llvm_unreachable("all phases are handled");
}

TensorId CallResolver::resolve(LayerId layer, TensorRef ref, Phase phase) const {
  const NetworkNode &node = network.nodes[layer];
  switch (ref.kind) {
  case TensorRef::Absent:
    return TensorId::None;
  case TensorRef::Own:
    if (phase == Phase::Backward && descriptions[layer].getFacts().output == ref)
      return places.values[node.output].backward;
    return (phase == Phase::Inference ? places.ownInference : places.own)[layer][ref.index];
  case TensorRef::Input:
    return resolveInput(layer, ref.index, phase);
  case TensorRef::InputGrad:
    return places.getGradient(routes.inputs[layer][ref.index]);
  case TensorRef::OutputGrad:
    return places.getGradient(routes.values[node.output].total);
  case TensorRef::Shared: {
    TensorId shared = table.getShared(static_cast<trf::SharedTensor>(ref.index));
    assert(shared != TensorId::None && "a shared tensor that the network must have");
    return shared;
  }
  }
  llvm_unreachable("all kinds are handled");
}

TableCall CallResolver::resolve(LayerId layer, const KernelCall &call, Phase phase) const {
  TableCall resolved{call.kernel, {}, call.attrs, layer};
  for (TensorRef ref : call.operands)
    resolved.tensors.push_back(resolve(layer, ref, phase));
  return resolved;
}

// Operands of the call that are this tensor and have an access.
template <typename Role> static bool touches(const TableCall &call, TensorId tensor, Role hasRole) {
  for (auto [operand, id] : llvm::zip_equal(trf::info(call.kernel).operands, call.tensors))
    if (id == tensor && hasRole(operand))
      return true;
  return false;
}

bool TableCall::writes(TensorId tensor) const {
  if (joins() && whole == tensor && tensors[trf::ops::copy::y] == TensorId::None)
    return true;
  return touches(*this, tensor, [](const trf::OperandInfo &operand) { return operand.writes(); });
}
bool TableCall::reads(TensorId tensor) const {
  if (joins() && whole == tensor && tensors[trf::ops::copy::x] == TensorId::None)
    return true;
  return touches(*this, tensor, [](const trf::OperandInfo &operand) { return operand.reads(); });
}
