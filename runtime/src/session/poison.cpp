// SPDX-License-Identifier: Apache-2.0
//
// Dead bytes from the order of nodes, and steps that fill them.
#include "session/poison.h"

#include "trf/byte_owners.h"

namespace trrt {

using namespace trf;

static constexpr uint32_t kPoison = 0x7fc00000; // a NaN

namespace {

// Calls fn(tensor, operand) for the tensors of layers in the pool that an op uses; a run of
// channels is its whole tensor.
template <typename Fn> void forPooled(const Plan &plan, const Op &op, Fn fn) {
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const OperandInfo &operand = op.info().operands[i];
    if (op.operands[i] == kNone || operand.isRun())
      continue;
    const uint32_t id = plan.rootOf(op.operands[i]);
    if (plan.tensors[id].layer != kNone && plan.isPooled(id))
      fn(id, operand);
  }
}

} // namespace

std::vector<DeadBytes> findDeadBytes(const Plan &plan, const StepSchedule &schedule) {
  std::vector<uint32_t> lastUse(plan.tensors.size(), kNone);
  const auto opOf = [&](uint32_t node) -> const Op & { return plan.ops[schedule.nodes[node].op]; };
  for (uint32_t node = 0; node < schedule.nodes.size(); ++node)
    forPooled(plan, opOf(node), [&](uint32_t id, const OperandInfo &) { lastUse[id] = node; });
  ByteOwners owners;
  std::vector<DeadBytes> dead;
  const auto endOf = [](const TensorInfo &tensor) { return tensor.offset + tensor.slot_bytes; };
  for (uint32_t node = 0; node < schedule.nodes.size(); ++node) {
    forPooled(plan, opOf(node), [&](uint32_t id, const OperandInfo &operand) {
      const TensorInfo &tensor = plan.tensors[id];
      if (operand.writes())
        owners.take(tensor.offset, endOf(tensor), id, [](uint32_t) {});
    });
    forPooled(plan, opOf(node), [&](uint32_t id, const OperandInfo &) {
      const TensorInfo &tensor = plan.tensors[id];
      if (lastUse[id] == node)
        owners.held(tensor.offset, endOf(tensor), id, [&](uint64_t begin, uint64_t end) {
          dead.push_back({node, begin, end - begin});
        });
    });
  }
  return dead;
}

PoisonedSteps::PoisonedSteps(const Plan &plan, const StepSchedule &schedule,
                             const std::vector<CallId> &calls, Device &device)
    : dead(findDeadBytes(plan, schedule)) {
  for (size_t i = 0; i < calls.size(); ++i) {
    const Op &op = plan.ops[schedule.nodes[i].op];
    nodes.push_back(device.capture({{{calls[i], op.info().stream}}, {}}));
  }
  for (const RegionInfo &region : plan.regions)
    if (region.isPooled())
      pool.push_back(region);
}

void PoisonedSteps::run(Device &device) const {
  for (const RegionInfo &region : pool)
    device.fill(region.offset, region.bytes, kPoison);
  auto next = dead.begin();
  for (uint32_t node = 0; node < nodes.size(); ++node) {
    device.replay(nodes[node]);
    for (; next != dead.end() && next->node == node; ++next)
      device.fill(next->offset, next->bytes, kPoison);
  }
}

} // namespace trrt
