// SPDX-License-Identifier: Apache-2.0
//
// Dead bytes from the order of nodes, and steps that fill them.
#include "session/poison.h"

#include "plan/byte_owners.h"

#include <algorithm>

namespace trrt {

static constexpr uint32_t kPoison = 0x7fc00000; // a NaN
static constexpr size_t kBlockWords = 1 << 14;

namespace {

// Calls fn(tensor, operand) for the tensors of layers in the pool that an op uses.
template <typename Fn> void forPooled(const Plan &plan, const Op &op, Fn fn) {
  const trk::OpInfo &info = trk::info(op.opcode);
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const uint32_t id = op.operands[i];
    if (id != kNone && !info.operands[i].range && plan.tensors[id].layer != kNone &&
        isPooled(plan.tensors[id].region))
      fn(id, info.operands[i]);
  }
}

} // namespace

std::vector<DeadBytes> findDeadBytes(const Plan &plan, const Schedule &schedule) {
  std::vector<uint32_t> lastUse(plan.tensors.size(), kNone);
  const auto opOf = [&](uint32_t node) -> const Op & { return plan.ops[schedule.nodes[node].op]; };
  for (uint32_t node = 0; node < schedule.nodes.size(); ++node)
    forPooled(plan, opOf(node), [&](uint32_t id, const trk::OperandInfo &) { lastUse[id] = node; });
  ByteOwners owners;
  std::vector<DeadBytes> dead;
  const auto endOf = [](const TensorInfo &tensor) { return tensor.offset + tensor.slot_bytes; };
  for (uint32_t node = 0; node < schedule.nodes.size(); ++node) {
    forPooled(plan, opOf(node), [&](uint32_t id, const trk::OperandInfo &operand) {
      const TensorInfo &tensor = plan.tensors[id];
      if (operand.access != trk::Access::Read)
        owners.take(tensor.offset, endOf(tensor), id, [](uint32_t) {});
    });
    forPooled(plan, opOf(node), [&](uint32_t id, const trk::OperandInfo &) {
      const TensorInfo &tensor = plan.tensors[id];
      if (lastUse[id] == node)
        owners.held(tensor.offset, endOf(tensor), id, [&](uint64_t begin, uint64_t end) {
          dead.push_back({node, begin, end - begin});
        });
    });
  }
  return dead;
}

PoisonedSteps::PoisonedSteps(const Plan &plan, const Schedule &schedule,
                             std::vector<CaptureId> nodes)
    : nodes(std::move(nodes)), dead(findDeadBytes(plan, schedule)) {
  for (uint32_t r = 0; r < kRegionCount; ++r)
    if (isPooled(static_cast<Region>(r)))
      pool.push_back(plan.regions[r]);
}

static void fill(Backend &device, uint8_t *data, uint64_t bytes) {
  static const std::vector<uint32_t> block(kBlockWords, kPoison);
  for (uint64_t done = 0; done < bytes;) {
    const uint64_t part = std::min<uint64_t>(bytes - done, kBlockWords * sizeof(uint32_t));
    device.upload(data + done, block.data(), part);
    done += part;
  }
}

void PoisonedSteps::run(Backend &device, uint8_t *arena) const {
  for (const RegionExtent &region : pool)
    fill(device, arena + region.offset, region.bytes);
  auto next = dead.begin();
  for (uint32_t node = 0; node < nodes.size(); ++node) {
    device.replay(nodes[node]);
    for (; next != dead.end() && next->node == node; ++next)
      fill(device, arena + next->offset, next->bytes);
  }
}

} // namespace trrt
