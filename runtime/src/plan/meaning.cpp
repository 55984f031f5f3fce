// SPDX-License-Identifier: Apache-2.0
//
// Meaning of a plan: shapes fit the ops in every variant that runs them (V31, V35, V36), and
// no tensor lies where it must not (V43, V44). What schedules do is checked by dataflow.cpp.
#include "plan/meaning.h"

#include "plan/check.h"
#include "plan/dataflow.h"
#include "plan/shape_rules.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace trrt {

namespace {

std::string opText(const Plan &plan, uint32_t index) {
  const Op &op = plan.ops[index];
  std::string text = "OPS record " + std::to_string(index) + " (" + trk::info(op.opcode).name;
  return text + (op.layer == kNone ? ")" : " of layer " + plan.layers[op.layer].path + ")");
}

// ---- shapes, for each subgraph that a variant runs

// A capture that several variants share is bound once, so the shapes of its
// operands must be equal in all of them.
void requireEqualShapes(const Plan &plan, uint32_t index, uint32_t first, uint32_t other) {
  const Op &op = plan.ops[index];
  const trk::OpInfo &info = trk::info(op.opcode);
  for (size_t i = 0; i < op.operands.size(); ++i)
    if (!info.operands[i].range && op.operands[i] != kNone &&
        plan.shape(op.operands[i], first) != plan.shape(op.operands[i], other))
      rejectPlan(opText(plan, index) + ", " + info.operands[i].name + ": variants " +
                 plan.variants[first].name + " and " + plan.variants[other].name +
                 " share a capture, but have other shapes");
}

// Dims 0x0x0x0 say that the variant does not use the tensor.
void requireUsedTensors(const Plan &plan, uint32_t index, uint32_t variant) {
  const Op &op = plan.ops[index];
  const trk::OpInfo &info = trk::info(op.opcode);
  for (size_t i = 0; i < op.operands.size(); ++i)
    if (!info.operands[i].range && op.operands[i] != kNone &&
        plan.shape(op.operands[i], variant)[0] == 0)
      rejectPlan(opText(plan, index) + ", " + info.operands[i].name + ": tensor '" +
                 plan.tensors[op.operands[i]].name + "' has no shape in variant " +
                 plan.variants[variant].name + ", which runs the op");
}

void verifyShapes(const Plan &plan) {
  std::unordered_map<uint32_t, uint32_t> variantOf; // capture -> first variant
  for (uint32_t v = 0; v < plan.variants.size(); ++v)
    for (uint32_t s = 0; s < TRRT_SUBGRAPH_COUNT; ++s) {
      const AtlasEntry &entry = plan.atlas[size_t{v} * TRRT_SUBGRAPH_COUNT + s];
      if (entry.subgraph_record == kNone)
        continue;
      const SubgraphInfo &record = plan.subgraphs[entry.subgraph_record];
      const auto [found, isNew] = variantOf.emplace(entry.capture, v);
      for (uint32_t i = 0; i < record.op_count; ++i)
        if (isNew) {
          requireUsedTensors(plan, record.first_op + i, v);
          checkShapes(plan, record.first_op + i, v);
        } else {
          requireEqualShapes(plan, record.first_op + i, found->second, v);
        }
    }
}

// ---- memory

// Only tensors that belong to a layer and hold nothing between steps may share bytes.
bool maySharePool(const TensorInfo &tensor) {
  return isPooled(tensor.region) && tensor.layer != kNone;
}

void verifySlotsDisjoint(const Plan &plan) {
  std::vector<uint32_t> order(plan.tensors.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return plan.tensors[a].offset < plan.tensors[b].offset;
  });
  // Whose slot ends last so far: of all tensors, and of those that share with nobody.
  uint32_t last = kNone, lastApart = kNone;
  const auto end = [&](uint32_t id) {
    return id == kNone ? 0 : plan.tensors[id].offset + plan.tensors[id].slot_bytes;
  };
  for (const uint32_t id : order) {
    const bool shares = maySharePool(plan.tensors[id]);
    const uint32_t other = shares ? lastApart : last;
    if (plan.tensors[id].slot_bytes != 0 && end(other) > plan.tensors[id].offset)
      rejectPlan("TENSORS records " + std::to_string(other) + " ('" + plan.tensors[other].name +
                 "') and " + std::to_string(id) + " ('" + plan.tensors[id].name +
                 "'): their slots overlap");
    if (end(id) > end(last))
      last = id;
    if (!shares && end(id) > end(lastApart))
      lastApart = id;
  }
}

// Regions [first, last] that an operand touches, or the tensor itself.
struct Touched {
  bool range;
  uint32_t tensor;
  Region first, last;
};

Touched touched(const Plan &plan, const trk::OperandInfo &operand, uint32_t id) {
  if (operand.range)
    return {true, kNone, plan.ranges[id].first, plan.ranges[id].last};
  return {false, id, plan.tensors[id].region, plan.tensors[id].region};
}

bool overlap(const Plan &plan, const Touched &a, const Touched &b) {
  if (a.range || b.range)
    return a.first <= b.last && b.first <= a.last;
  if (a.tensor == b.tensor)
    return true;
  const TensorInfo &x = plan.tensors[a.tensor], &y = plan.tensors[b.tensor];
  return isPooled(x.region) && isPooled(y.region) && x.offset < y.offset + y.slot_bytes &&
         y.offset < x.offset + x.slot_bytes;
}

// What two operands of an op may have in common: all bytes, or those from one offset on.
bool mayShare(const Plan &plan, const Op &op, uint32_t a, uint32_t b) {
  const trk::OpInfo &info = trk::info(op.opcode);
  const bool aReads = info.operands[a].access == trk::Access::Read;
  const bool bReads = info.operands[b].access == trk::Access::Read;
  if (aReads == bReads)
    return aReads;
  return trk::mayLieOn(info, aReads ? b : a, aReads ? a : b) &&
         plan.tensors[op.operands[a]].offset == plan.tensors[op.operands[b]].offset;
}

void verifyOperandsApart(const Plan &plan, uint32_t index) {
  const Op &op = plan.ops[index];
  const trk::OpInfo &info = trk::info(op.opcode);
  for (uint32_t i = 0; i < op.operands.size(); ++i)
    for (uint32_t j = i + 1; j < op.operands.size(); ++j) {
      const trk::OperandInfo &a = info.operands[i], &b = info.operands[j];
      if (op.operands[i] == kNone || op.operands[j] == kNone ||
          !overlap(plan, touched(plan, a, op.operands[i]), touched(plan, b, op.operands[j])) ||
          mayShare(plan, op, i, j))
        continue;
      rejectPlan(opText(plan, index) + ": " + a.name + " and " + b.name +
                 " are in the same place, which this op does not allow");
    }
}

} // namespace

void verifyMeaning(const Plan &plan) {
  verifyShapes(plan);
  verifySlotsDisjoint(plan);
  for (uint32_t i = 0; i < plan.ops.size(); ++i)
    verifyOperandsApart(plan, i);
  verifyDataflow(plan);
}

} // namespace trrt
