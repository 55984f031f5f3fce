// SPDX-License-Identifier: Apache-2.0
//
// One walk over each schedule in its order. For each byte of the pool the walk knows
// which tensor was written there last, for each tensor its last writer and the nodes
// that read it since. Kept tensors overlap nothing, so only pooled ones need bytes.
#include "plan/dataflow.h"

#include "plan/byte_owners.h"
#include "plan/check.h"
#include "plan/paths.h"

#include <algorithm>
#include <utility>

namespace trrt {

namespace {

constexpr const char *kScheduleNames[] = {
#define X(value, name, spelling) spelling,
    TRRT_SCHEDULES(X)
#undef X
};

// Regions whose content a step makes anew; all others keep theirs between steps.
bool isMadeByStep(Region region) {
  return isPooled(region) || (region >= Region::GBnBias && region <= Region::GDeepConvFp16) ||
         region == Region::BNextMean || region == Region::BNextVar;
}

// What only training and folding may change.
bool isTrained(Region region) { return region <= Region::NDeepConv && region != Region::RResult; }

// Tensors that operand `position` of an op touches: a range is all tensors of its regions.
class OperandTensors {
public:
  explicit OperandTensors(const Plan &plan) : plan(plan) {
    for (uint32_t id = 0; id < plan.tensors.size(); ++id)
      byRegion[static_cast<size_t>(plan.tensors[id].region)].push_back(id);
  }

  template <typename Fn> void forEach(const Op &op, size_t position, Fn fn) const {
    const uint32_t id = op.operands[position];
    if (id == kNone)
      return;
    if (!trk::info(op.opcode).operands[position].range)
      return fn(id);
    const Range &range = plan.ranges[id];
    for (auto r = static_cast<uint32_t>(range.first); r <= static_cast<uint32_t>(range.last); ++r)
      for (const uint32_t tensor : byRegion[r])
        fn(tensor);
  }

private:
  const Plan &plan;
  std::array<std::vector<uint32_t>, kRegionCount> byRegion;
};

class ScheduleWalk {
public:
  ScheduleWalk(const Plan &plan, const Schedule &schedule, const OperandTensors &tensors,
               WorkBudget &budget)
      : plan(plan), schedule(schedule), tensors(tensors), budget(budget), paths(schedule, budget),
        states(plan.tensors.size()) {}

  void run() {
    std::vector<bool> seen(plan.ops.size());
    for (at = 0; at < schedule.nodes.size(); ++at) {
      op = &plan.ops[schedule.nodes[at].op];
      if (seen[schedule.nodes[at].op])
        reject("the schedule runs this op twice");
      seen[schedule.nodes[at].op] = true;
      readOperands();
      writeOperands();
      requirePaths();
      note();
    }
  }

private:
  struct State {
    uint32_t writer = kNone;       // the last node that wrote the tensor
    uint32_t takenBy = kNone;      // the tensor that was written over its bytes since
    std::vector<uint32_t> readers; // since the last write
  };
  // An earlier node that must be done, and why.
  struct Conflict {
    uint32_t node, tensor;
  };

  std::string nodeText(uint32_t node) const {
    const uint32_t index = schedule.nodes[node].op;
    const Op &which = plan.ops[index];
    std::string text = "node " + std::to_string(node) + " (OPS record " + std::to_string(index) +
                       ", " + trk::info(which.opcode).name;
    return text + (which.layer == kNone ? ")" : " of layer " + plan.layers[which.layer].path + ")");
  }
  std::string tensorText(uint32_t id) const { return "tensor '" + plan.tensors[id].name + "'"; }
  [[noreturn]] void reject(const std::string &message) const {
    rejectPlan(std::string("schedule ") + kScheduleNames[static_cast<size_t>(schedule.kind)] +
               " of graph " + std::to_string(schedule.graph) + ", " + nodeText(at) + ": " +
               message);
  }
  const trk::OperandInfo &operandInfo(size_t position) const {
    return trk::info(op->opcode).operands[position];
  }

  void readOperands();
  void writeOperands();
  void requireContent(const trk::OperandInfo &operand, uint32_t id) const;
  void requireWritable(const trk::OperandInfo &operand, uint32_t id) const;
  void conflictWithAll(uint32_t id, bool readers);
  void takeBytes(uint32_t id);
  void requirePaths();
  void note();

  const Plan &plan;
  const Schedule &schedule;
  const OperandTensors &tensors;
  WorkBudget &budget;
  Paths paths;
  std::vector<State> states;
  ByteOwners owners;
  const Op *op = nullptr;
  uint32_t at = 0; // node
  std::vector<Conflict> conflicts;
  std::vector<uint32_t> sources, reads, writes;
};

// A whole range may hold tensors that this step does not make.
void ScheduleWalk::requireContent(const trk::OperandInfo &operand, uint32_t id) const {
  const State &state = states[id];
  if (state.takenBy != kNone)
    reject(std::string(operand.name) + ": " + tensorText(id) + " is read, but " +
           tensorText(state.takenBy) + " was written over it");
  if (state.writer == kNone && !operand.range && isMadeByStep(plan.tensors[id].region))
    reject(std::string(operand.name) + ": " + tensorText(id) +
           " is read before anything in the schedule writes it");
}

void ScheduleWalk::requireWritable(const trk::OperandInfo &operand, uint32_t id) const {
  const Region region = plan.tensors[id].region;
  if (schedule.kind > ScheduleKind::TrainB && isTrained(region))
    reject(std::string(operand.name) + ": " + tensorText(id) +
           " is written, but only training changes it");
  // An op that reads what it writes over adds to it.
  if (isPooled(region) && states[id].writer != kNone &&
      std::find(reads.begin(), reads.end(), id) == reads.end())
    reject(std::string(operand.name) + ": " + tensorText(id) + " is written a second time");
}

// `readers`: also the nodes that read the tensor since it was written.
void ScheduleWalk::conflictWithAll(uint32_t id, bool readers) {
  const State &state = states[id];
  if (state.writer != kNone)
    conflicts.push_back({state.writer, id});
  if (!readers)
    return;
  budget.spend(state.readers.size());
  for (const uint32_t node : state.readers)
    conflicts.push_back({node, id});
}

void ScheduleWalk::readOperands() {
  conflicts.clear();
  reads.clear();
  for (size_t i = 0; i < op->operands.size(); ++i)
    if (operandInfo(i).access != trk::Access::Write)
      tensors.forEach(*op, i, [&](uint32_t id) {
        budget.spend(1);
        requireContent(operandInfo(i), id);
        conflictWithAll(id, /*readers=*/false);
        reads.push_back(id);
      });
}

// The bytes go to this tensor; whoever used what was there must be done.
void ScheduleWalk::takeBytes(uint32_t id) {
  const TensorInfo &tensor = plan.tensors[id];
  owners.take(tensor.offset, tensor.offset + tensor.slot_bytes, id, [&](uint32_t other) {
    budget.spend(1);
    conflictWithAll(other, /*readers=*/true);
    states[other].takenBy = id;
  });
  states[id].takenBy = kNone;
}

void ScheduleWalk::writeOperands() {
  writes.clear();
  for (size_t i = 0; i < op->operands.size(); ++i)
    if (operandInfo(i).access != trk::Access::Read)
      tensors.forEach(*op, i, [&](uint32_t id) {
        budget.spend(1);
        requireWritable(operandInfo(i), id);
        conflictWithAll(id, /*readers=*/true);
        if (isPooled(plan.tensors[id].region))
          takeBytes(id);
        writes.push_back(id);
      });
}

void ScheduleWalk::requirePaths() {
  sources.clear();
  for (const Conflict &conflict : conflicts)
    sources.push_back(conflict.node);
  paths.dropLeading(at, sources);
  if (sources.empty())
    return;
  const uint32_t node = sources.back();
  const auto conflict = std::find_if(conflicts.begin(), conflicts.end(),
                                     [&](const Conflict &c) { return c.node == node; });
  reject("no path of edges leads from " + nodeText(node) + ", which uses " +
         tensorText(conflict->tensor) + " before");
}

void ScheduleWalk::note() {
  for (const uint32_t id : reads)
    states[id].readers.push_back(at);
  for (const uint32_t id : writes) {
    states[id].writer = at;
    states[id].readers.clear();
  }
}

// ---- kernel ops by themselves

[[noreturn]] void rejectOperand(const Plan &plan, uint32_t index, const trk::OperandInfo &operand,
                                const std::string &message) {
  rejectPlan("OPS record " + std::to_string(index) + " (" + trk::info(plan.ops[index].opcode).name +
             "), " + operand.name + ": " + message);
}

// Regions that operand `position` touches.
std::pair<Region, Region> regionsOf(const Plan &plan, const Op &op, size_t position) {
  const uint32_t id = op.operands[position];
  if (trk::info(op.opcode).operands[position].range)
    return {plan.ranges[id].first, plan.ranges[id].last};
  return {plan.tensors[id].region, plan.tensors[id].region};
}

// The host fills input halves while a step runs, so only transfers write them.
void verifyHalves(const Plan &plan, uint32_t index) {
  const Op &op = plan.ops[index];
  for (size_t i = 0; i < op.operands.size() && op.opcode != trk::Opcode::range_h2d; ++i) {
    const trk::OperandInfo &operand = trk::info(op.opcode).operands[i];
    if (operand.access == trk::Access::Read || op.operands[i] == kNone)
      continue;
    const auto [first, last] = regionsOf(plan, op, i);
    if (first <= Region::IBData && last >= Region::IALabel)
      rejectOperand(plan, index, operand, "an input half is written, but only a transfer may");
  }
}

// Folding and clearing run between steps, when the pool holds nothing.
void verifyBetweenSteps(const Plan &plan) {
  for (const SubgraphInfo &subgraph : plan.subgraphs) {
    if (subgraph.subgraph != Subgraph::UpdateBnInfParams &&
        subgraph.subgraph != Subgraph::ClearMetrics)
      continue;
    for (uint32_t index = subgraph.first_op; index < subgraph.first_op + subgraph.op_count;
         ++index) {
      const Op &op = plan.ops[index];
      for (size_t i = 0; i < op.operands.size(); ++i) {
        const trk::OperandInfo &operand = trk::info(op.opcode).operands[i];
        if (operand.range || op.operands[i] == kNone)
          continue; // ranges are outside the pool
        const TensorInfo &tensor = plan.tensors[op.operands[i]];
        if (isPooled(tensor.region))
          rejectOperand(plan, index, operand,
                        "tensor '" + tensor.name +
                            "' lies in the pool, which holds nothing between steps");
      }
    }
  }
}

// Tensors of a whole pooled region do not stay together.
void verifyRange(const Plan &plan, uint32_t index) {
  const Op &op = plan.ops[index];
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const trk::OperandInfo &operand = trk::info(op.opcode).operands[i];
    if (!operand.range || op.operands[i] == kNone)
      continue;
    const Range &range = plan.ranges[op.operands[i]];
    for (auto r = static_cast<uint32_t>(range.first); r <= static_cast<uint32_t>(range.last); ++r)
      if (isPooled(static_cast<Region>(r)))
        rejectOperand(plan, index, operand,
                      "region " + std::to_string(r) + " is pooled, so no range may hold it");
  }
}

} // namespace

void verifyDataflow(const Plan &plan) {
  WorkBudget budget(plan);
  const OperandTensors tensors(plan);
  for (uint32_t index = 0; index < plan.ops.size(); ++index) {
    verifyRange(plan, index);
    verifyHalves(plan, index);
  }
  verifyBetweenSteps(plan);
  for (const Schedule &schedule : plan.schedules) {
    budget.spend(plan.tensors.size() + plan.ops.size());
    ScheduleWalk(plan, schedule, tensors, budget).run();
  }
}

} // namespace trrt
