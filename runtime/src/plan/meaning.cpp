// SPDX-License-Identifier: Apache-2.0
//
// Meaning of a plan (checks V31, V41, V43-V45 of docs/plan-format.md): shapes fit the
// ops in every variant that runs them, nothing is written over by accident, and
// each schedule writes a value before it reads it.
#include "plan/meaning.h"

#include "plan/check.h"
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
        if (isNew)
          checkShapes(plan, record.first_op + i, v);
        else
          requireEqualShapes(plan, record.first_op + i, found->second, v);
    }
}

// ---- memory

void verifySlotsDisjoint(const Plan &plan) {
  std::vector<uint32_t> order(plan.tensors.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return plan.tensors[a].offset < plan.tensors[b].offset;
  });
  for (size_t i = 1; i < order.size(); ++i) {
    const TensorInfo &low = plan.tensors[order[i - 1]], &high = plan.tensors[order[i]];
    if (low.offset + low.slot_bytes > high.offset &&
        !(isPooled(low.region) && isPooled(high.region)))
      rejectPlan("TENSORS records " + std::to_string(order[i - 1]) + " ('" + low.name + "') and " +
                 std::to_string(order[i]) + " ('" + high.name + "'): their slots overlap");
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

bool overlap(const Touched &a, const Touched &b) {
  if (!a.range && !b.range)
    return a.tensor == b.tensor;
  return a.first <= b.last && b.first <= a.last;
}

bool mayShare(const trk::OpInfo &info, uint32_t a, uint32_t b) {
  const bool aReads = info.operands[a].access == trk::Access::Read;
  const bool bReads = info.operands[b].access == trk::Access::Read;
  if (aReads && bReads)
    return true;
  return aReads != bReads && trk::mayLieOn(info, aReads ? b : a, aReads ? a : b);
}

void verifyOperandsApart(const Plan &plan, uint32_t index) {
  const Op &op = plan.ops[index];
  const trk::OpInfo &info = trk::info(op.opcode);
  for (uint32_t i = 0; i < op.operands.size(); ++i)
    for (uint32_t j = i + 1; j < op.operands.size(); ++j) {
      const trk::OperandInfo &a = info.operands[i], &b = info.operands[j];
      if (op.operands[i] == kNone || op.operands[j] == kNone || mayShare(info, i, j) ||
          !overlap(touched(plan, a, op.operands[i]), touched(plan, b, op.operands[j])))
        continue;
      rejectPlan(opText(plan, index) + ": " + a.name + " and " + b.name +
                 " are in the same place, which this op does not allow");
    }
}

// ---- order

// Regions whose content a step makes anew; all others keep theirs between steps.
bool isMadeByStep(Region region) {
  return isPooled(region) || (region >= Region::GBnBias && region <= Region::GDeepConvFp16) ||
         region == Region::BNextMean || region == Region::BNextVar;
}

// Which values have been written so far in one schedule. Stamps are compared, so
// nothing is reset between schedules.
class Written {
public:
  explicit Written(size_t tensors) : tensorStamp(tensors), regionStamp(kRegionCount) {}

  void startSchedule() { ++stamp; }
  void write(const Touched &place) {
    if (!place.range)
      tensorStamp[place.tensor] = stamp;
    else
      for (Region r = place.first; r <= place.last; r = next(r))
        regionStamp[static_cast<size_t>(r)] = stamp;
  }
  bool has(const Touched &place) const {
    return tensorStamp[place.tensor] == stamp ||
           regionStamp[static_cast<size_t>(place.first)] == stamp;
  }

private:
  static Region next(Region region) {
    return static_cast<Region>(static_cast<uint32_t>(region) + 1);
  }

  uint32_t stamp = 0;
  std::vector<uint32_t> tensorStamp, regionStamp;
};

void verifyNodeOrder(const Plan &plan, const ScheduleNode &node, Written &written) {
  const Op &op = plan.ops[node.op];
  const trk::OpInfo &info = trk::info(op.opcode);
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const trk::OperandInfo &operand = info.operands[i];
    if (op.operands[i] == kNone || operand.range || operand.access == trk::Access::Write)
      continue;
    const Touched place = touched(plan, operand, op.operands[i]);
    if (isMadeByStep(place.first) && !written.has(place))
      rejectPlan(opText(plan, node.op) + ", " + operand.name + ": tensor '" +
                 plan.tensors[place.tensor].name + "' is read before anything in the schedule " +
                 "writes it");
  }
  for (size_t i = 0; i < op.operands.size(); ++i)
    if (op.operands[i] != kNone && info.operands[i].access != trk::Access::Read)
      written.write(touched(plan, info.operands[i], op.operands[i]));
}

void verifyOrder(const Plan &plan) {
  Written written(plan.tensors.size());
  for (const Schedule &schedule : plan.schedules) {
    written.startSchedule();
    for (const ScheduleNode &node : schedule.nodes)
      verifyNodeOrder(plan, node, written);
  }
}

} // namespace

void verifyMeaning(const Plan &plan) {
  verifyShapes(plan);
  verifySlotsDisjoint(plan);
  for (uint32_t i = 0; i < plan.ops.size(); ++i)
    verifyOperandsApart(plan, i);
  verifyOrder(plan);
}

} // namespace trrt
