// SPDX-License-Identifier: Apache-2.0
//
// Meaning of a plan: shapes fit the ops in every variant that runs them (V31, V35, V36), and
// no tensor lies where it must not (V43, V44). What ranges hold is checked by ranges.cpp, what
// schedules do by dataflow.cpp.
#include "meaning.h"

#include "channel_runs.h"
#include "check.h"
#include "ranges.h"
#include "trf/dataflow.h"
#include "trf/shape_rules.h"

#include <algorithm>
#include <unordered_map>

namespace trf {

namespace {

// `about`: ", x" for an operand x.
[[noreturn]] void rejectOp(const Plan &plan, uint32_t index, const std::string &about,
                           const std::string &fault) {
  const Op &op = plan.ops[index];
  const std::string layer = op.layer == kNone ? "" : " of layer " + plan.layers[op.layer].path;
  throw FormatError({Section::Ops, index}, " (" + std::string(op.info().name) + layer + ")" + about,
                    fault);
}
std::string aboutOperand(const OpInfo &info, size_t operand) {
  return ", " + std::string(info.operands[operand].name);
}

// ---- shapes, for each subgraph that a variant runs

// A capture that several variants share is bound once, so the shapes of its
// operands must be equal in all of them.
void requireEqualShapes(const Plan &plan, uint32_t index, uint32_t first, uint32_t other) {
  const Op &op = plan.ops[index];
  const OpInfo &info = op.info();
  for (size_t i = 0; i < op.operands.size(); ++i)
    if (!info.operands[i].isRun() && op.operands[i] != kNone &&
        plan.shape(op.operands[i], first) != plan.shape(op.operands[i], other))
      rejectOp(plan, index, aboutOperand(info, i),
               "variants " + plan.variants[first].name + " and " + plan.variants[other].name +
                   " share a capture, but have other shapes");
}

// Dims 0x0x0x0 say that the variant does not use the tensor.
void requireUsedTensors(const Plan &plan, uint32_t index, uint32_t variant) {
  const Op &op = plan.ops[index];
  const OpInfo &info = op.info();
  for (size_t i = 0; i < op.operands.size(); ++i)
    if (!info.operands[i].isRun() && op.operands[i] != kNone &&
        plan.shape(op.operands[i], variant)[0] == 0)
      rejectOp(plan, index, aboutOperand(info, i),
               "tensor '" + plan.tensors[op.operands[i]].name + "' has no shape in variant " +
                   plan.variants[variant].name + ", which runs the op");
}

void verifyShapes(const Plan &plan) {
  std::unordered_map<uint32_t, uint32_t> variantOf; // capture -> first variant
  for (uint32_t v = 0; v < plan.variants.size(); ++v)
    for (const SubgraphRow &subgraph : kSubgraphs) {
      const AtlasEntry &entry = plan.atlasEntry(v, subgraph.value);
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
bool maySharePool(const Plan &plan, const TensorInfo &tensor) {
  return plan.regionOf(tensor).isPooled() && tensor.layer != kNone;
}

[[noreturn]] void rejectOverlap(const Plan &plan, uint32_t first, uint32_t second) {
  const auto text = [&](uint32_t id) {
    return std::to_string(id) + " ('" + plan.tensors[id].name + "')";
  };
  throw FormatError("TENSORS records " + text(first) + " and " + text(second) +
                        ": their slots overlap",
                    "expected a slot of its own, but it overlaps that of tensor '" +
                        plan.tensors[first].name + "'",
                    {{Section::Tensors, second}, {Section::Tensors, first}});
}

// Runs of channels have the slot of their parent.
void verifySlotsDisjoint(const Plan &plan) {
  std::vector<uint32_t> order;
  for (uint32_t id = 0; id < plan.tensors.size(); ++id)
    if (plan.tensors[id].parent == kNone)
      order.push_back(id);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return plan.tensors[a].offset < plan.tensors[b].offset;
  });
  // Whose slot ends last so far: of all tensors, and of those that share with nobody.
  uint32_t last = kNone, lastApart = kNone;
  const auto end = [&](uint32_t id) {
    return id == kNone ? 0 : plan.tensors[id].offset + plan.tensors[id].slot_bytes;
  };
  for (const uint32_t id : order) {
    const bool shares = maySharePool(plan, plan.tensors[id]);
    const uint32_t other = shares ? lastApart : last;
    if (plan.tensors[id].slot_bytes != 0 && end(other) > plan.tensors[id].offset)
      rejectOverlap(plan, other, id);
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
  uint32_t first, last;
};

Touched touched(const Plan &plan, const OperandInfo &operand, uint32_t id) {
  if (operand.isRun())
    return {true, kNone, plan.ranges[id].first, plan.ranges[id].last};
  return {false, id, plan.tensors[id].region, plan.tensors[id].region};
}

bool overlap(const Plan &plan, const Touched &a, const Touched &b) {
  if (a.range || b.range)
    return a.first <= b.last && b.first <= a.last;
  const ChannelRun runA = channelRunOf(plan, a.tensor), runB = channelRunOf(plan, b.tensor);
  if (runA.root == runB.root)
    return runA.overlaps(runB);
  const TensorInfo &x = plan.tensors[a.tensor], &y = plan.tensors[b.tensor];
  return plan.isPooled(a.tensor) && plan.isPooled(b.tensor) && x.offset < y.offset + y.slot_bytes &&
         y.offset < x.offset + x.slot_bytes;
}

// In every variant that uses both. Slots are rounded up, so that theirs say less.
bool haveEqualSizes(const Plan &plan, uint32_t a, uint32_t b) {
  for (uint32_t v = 0; v < plan.variants.size(); ++v) {
    const int64_t one = elementsOf(plan.shape(a, v)), other = elementsOf(plan.shape(b, v));
    if (one != 0 && other != 0 && one != other)
      return false;
  }
  return plan.tensors[a].dtype == plan.tensors[b].dtype;
}

// Whether the bytes of two tensors begin at the same place and follow each other alike.
bool beginAlike(const Plan &plan, uint32_t a, uint32_t b) {
  const TensorInfo &x = plan.tensors[a], &y = plan.tensors[b];
  if (x.parent == kNone && y.parent == kNone)
    return x.offset == y.offset && x.slot_bytes == y.slot_bytes && haveEqualSizes(plan, a, b);
  return channelRunOf(plan, a) == channelRunOf(plan, b);
}

// What two operands of an op may have in common: all bytes, or those from one offset on.
bool mayShare(const Plan &plan, const Op &op, uint32_t a, uint32_t b) {
  const OpInfo &info = op.info();
  const bool aReads = !info.operands[a].writes();
  const bool bReads = !info.operands[b].writes();
  if (aReads == bReads)
    return aReads;
  return info.operands[aReads ? b : a].mayLieOn(aReads ? a : b) &&
         beginAlike(plan, op.operands[a], op.operands[b]);
}

// "x ('0.conv.output')"
std::string operandText(const Plan &plan, const Op &op, size_t operand) {
  const OperandInfo &info = op.info().operands[operand];
  const std::string name(info.name);
  return info.isRun() ? name : name + " ('" + plan.tensors[op.operands[operand]].name + "')";
}

void verifyOperandsApart(const Plan &plan, uint32_t index) {
  const Op &op = plan.ops[index];
  const OpInfo &info = op.info();
  for (uint32_t i = 0; i < op.operands.size(); ++i)
    for (uint32_t j = i + 1; j < op.operands.size(); ++j) {
      const OperandInfo &a = info.operands[i], &b = info.operands[j];
      if (op.operands[i] == kNone || op.operands[j] == kNone ||
          !overlap(plan, touched(plan, a, op.operands[i]), touched(plan, b, op.operands[j])) ||
          mayShare(plan, op, i, j))
        continue;
      rejectOp(plan, index, "",
               "expected operands in different places, but " + operandText(plan, op, i) + " and " +
                   operandText(plan, op, j) + " overlap, which this op does not allow");
    }
}

} // namespace

void verifyMeaning(const Plan &plan) {
  verifyShapes(plan);
  verifySlotsDisjoint(plan);
  verifyRanges(plan);
  for (uint32_t i = 0; i < plan.ops.size(); ++i)
    verifyOperandsApart(plan, i);
  verifyDataflow(plan);
}

} // namespace trf
