// SPDX-License-Identifier: Apache-2.0
//
// One walk over each schedule in its order. For each byte of the pool the walk knows
// which tensor was written there last, for each piece of a tensor its last writer and the
// nodes that read it since. Kept tensors overlap nothing, so only pooled ones need bytes.
// A run of channels is some pieces of its root, and its bytes are the root's.
#include "trf/dataflow.h"

#include "channel_runs.h"
#include "check.h"
#include "paths.h"
#include "trf/byte_owners.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace trf {

namespace {

// Tensors that operand `position` of an op touches: a range is all tensors of its regions, each
// with its runs of channels.
class OperandTensors {
public:
  explicit OperandTensors(const Plan &plan) : plan(plan), byRegion(plan.regions.size()) {
    for (uint32_t id = 0; id < plan.tensors.size(); ++id)
      if (plan.tensors[id].parent == kNone)
        byRegion[plan.tensors[id].region].push_back(id);
  }

  template <typename Fn> void forEach(const Op &op, size_t position, Fn fn) const {
    const uint32_t id = op.operands[position];
    if (id == kNone)
      return;
    if (!op.info().operands[position].isRun())
      return fn(id);
    const Range &range = plan.ranges[id];
    for (uint32_t r = range.first; r <= range.last; ++r)
      for (const uint32_t tensor : byRegion[r])
        fn(tensor);
  }

private:
  const Plan &plan;
  std::vector<std::vector<uint32_t>> byRegion;
};

class ScheduleWalk {
public:
  ScheduleWalk(const Plan &plan, const StepSchedule &schedule, const OperandTensors &tensors,
               const ChannelPieces &pieces, WorkBudget &budget)
      : plan(plan), schedule(schedule), tensors(tensors), pieces(pieces), budget(budget),
        paths(schedule, budget), states(pieces.count()) {}

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
  // An earlier node that must be done, and why.
  struct Conflict {
    uint32_t node, tensor;
  };
  // Of a piece.
  struct State {
    uint32_t writer = kNone;       // the last node that wrote it
    uint32_t takenBy = kNone;      // the tensor that was written over its bytes since
    std::vector<uint32_t> readers; // since the last write
    // What used the bytes before the root took them, as a run that is written later finds them
    // taken.
    std::vector<Conflict> before;
  };

  std::string nodeText(uint32_t node) const {
    const uint32_t index = schedule.nodes[node].op;
    const Op &which = plan.ops[index];
    std::string text = "node " + std::to_string(node) + " (OPS record " + std::to_string(index) +
                       ", " + std::string(which.info().name);
    return text + (which.layer == kNone ? ")" : " of layer " + plan.layers[which.layer].path + ")");
  }
  Region regionOf(uint32_t id) const { return plan.regionOf(plan.tensors[id]).region; }
  std::string tensorText(uint32_t id) const { return "tensor '" + plan.tensors[id].name + "'"; }
  // The schedule, then the kernel ops of the two nodes.
  std::vector<Place> places(std::optional<uint32_t> other) const {
    std::vector<Place> list = {
        {Section::Schedules, static_cast<uint32_t>(&schedule - plan.schedules.data())},
        {Section::Ops, schedule.nodes[at].op}};
    if (other)
      list.push_back({Section::Ops, schedule.nodes[*other].op});
    return list;
  }
  // `other`: a node that has to do with it too.
  [[noreturn]] void reject(const std::string &message,
                           std::optional<uint32_t> other = std::nullopt) const {
    const std::string fault = nodeText(at) + ": " + message;
    throw FormatError("schedule " + std::string(name(schedule.kind)) + " of graph " +
                          std::to_string(schedule.graph) + ", " + fault,
                      fault, places(other));
  }
  const OperandInfo &operandInfo(size_t position) const { return op->info().operands[position]; }

  void readOperands();
  void writeOperands();
  void requireContent(const OperandInfo &operand, uint32_t id, uint32_t piece) const;
  void requireWritable(const OperandInfo &operand, uint32_t id, uint32_t piece) const;
  void conflictWith(uint32_t id, uint32_t piece, bool readers);
  void takeBytes(uint32_t id);
  void requirePaths();
  void note();

  const Plan &plan;
  const StepSchedule &schedule;
  const OperandTensors &tensors;
  const ChannelPieces &pieces;
  WorkBudget &budget;
  Paths paths;
  std::vector<State> states; // of each piece
  ByteOwners owners;
  const Op *op = nullptr;
  uint32_t at = 0; // node
  std::vector<Conflict> conflicts;
  std::vector<uint32_t> sources;
  std::vector<uint32_t> reads, writes; // pieces
};

// A whole range may hold tensors that this step does not make.
void ScheduleWalk::requireContent(const OperandInfo &operand, uint32_t id, uint32_t piece) const {
  const State &state = states[piece];
  if (state.takenBy != kNone)
    reject(std::string(operand.name) + ": " + tensorText(id) + " is read, but " +
           tensorText(state.takenBy) + " was written over it");
  if (state.writer == kNone && !operand.isRun() && regionOf(id).row().isMadeByStep())
    reject(std::string(operand.name) + ": " + tensorText(id) +
           " is read before anything in the schedule writes it");
}

void ScheduleWalk::requireWritable(const OperandInfo &operand, uint32_t id, uint32_t piece) const {
  const Region region = regionOf(id);
  if (row(schedule.kind).step != StepKind::Train && region.row().isTrained())
    reject(std::string(operand.name) + ": " + tensorText(id) +
           " is written, but only training changes it");
  // An op that reads what it writes over adds to it.
  if (region.isPooled() && states[piece].writer != kNone &&
      std::find(reads.begin(), reads.end(), piece) == reads.end())
    reject(std::string(operand.name) + ": " + tensorText(id) + " is written a second time");
}

// `readers`: also the nodes that read the piece of tensor `id` since it was written.
void ScheduleWalk::conflictWith(uint32_t id, uint32_t piece, bool readers) {
  const State &state = states[piece];
  if (state.writer != kNone)
    conflicts.push_back({state.writer, id});
  if (!readers)
    return;
  budget.spend(state.readers.size());
  for (const uint32_t node : state.readers)
    conflicts.push_back({node, id});
  budget.spend(state.before.size());
  conflicts.insert(conflicts.end(), state.before.begin(), state.before.end());
}

void ScheduleWalk::readOperands() {
  conflicts.clear();
  reads.clear();
  for (size_t i = 0; i < op->operands.size(); ++i)
    if (operandInfo(i).reads())
      tensors.forEach(*op, i, [&](uint32_t id) {
        pieces.forEach(id, [&](uint32_t piece) {
          budget.spend(1);
          requireContent(operandInfo(i), id, piece);
          conflictWith(id, piece, /*readers=*/false);
          reads.push_back(piece);
        });
      });
}

// The bytes go to this tensor's root; whoever used what was there must be done. Other runs of
// the root that lost theirs before do not get them back.
void ScheduleWalk::takeBytes(uint32_t id) {
  const TensorInfo &tensor = plan.tensors[id];
  const size_t first = conflicts.size();
  owners.take(tensor.offset, tensor.offset + tensor.slot_bytes, plan.rootOf(id),
              [&](uint32_t other) {
                pieces.forEach(other, [&](uint32_t piece) {
                  budget.spend(1);
                  conflictWith(other, piece, /*readers=*/true);
                  states[piece].takenBy = id;
                });
              });
  const std::vector<Conflict> taken(conflicts.begin() + first, conflicts.end());
  pieces.forEach(plan.rootOf(id), [&](uint32_t piece) {
    budget.spend(taken.size());
    states[piece].before.insert(states[piece].before.end(), taken.begin(), taken.end());
  });
  pieces.forEach(id, [&](uint32_t piece) { states[piece].takenBy = kNone; });
}

void ScheduleWalk::writeOperands() {
  writes.clear();
  for (size_t i = 0; i < op->operands.size(); ++i)
    if (operandInfo(i).writes())
      tensors.forEach(*op, i, [&](uint32_t id) {
        pieces.forEach(id, [&](uint32_t piece) {
          budget.spend(1);
          requireWritable(operandInfo(i), id, piece);
          conflictWith(id, piece, /*readers=*/true);
          writes.push_back(piece);
        });
        if (plan.isPooled(id))
          takeBytes(id);
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
             tensorText(conflict->tensor) + " before",
         node);
}

void ScheduleWalk::note() {
  for (const uint32_t piece : reads)
    states[piece].readers.push_back(at);
  for (const uint32_t piece : writes) {
    states[piece].writer = at;
    states[piece].readers.clear();
    states[piece].before.clear();
  }
}

// ---- kernel ops by themselves

[[noreturn]] void rejectOperand(const Plan &plan, uint32_t index, const OperandInfo &operand,
                                const std::string &message) {
  throw FormatError(
      {Section::Ops, index},
      " (" + std::string(plan.ops[index].info().name) + "), " + std::string(operand.name), message);
}

// Regions that operand `position` touches.
Range regionsOf(const Plan &plan, const Op &op, size_t position) {
  const uint32_t id = op.operands[position];
  if (op.info().operands[position].isRun())
    return plan.ranges[id];
  return {plan.tensors[id].region, plan.tensors[id].region};
}

// The host fills input halves while a step runs, so only transfers write them.
void verifyHalves(const Plan &plan, uint32_t index) {
  const Op &op = plan.ops[index];
  for (size_t i = 0; i < op.operands.size() && op.opcode != Opcode::range_h2d; ++i) {
    const OperandInfo &operand = op.info().operands[i];
    if (!operand.writes() || op.operands[i] == kNone)
      continue;
    const Range regions = regionsOf(plan, op, i);
    for (uint32_t r = regions.first; r <= regions.last; ++r)
      if (plan.regions[r].region.row().half != Half::Both)
        rejectOperand(plan, index, operand, "an input half is written, but only a transfer may");
  }
}

// Folding and clearing run between steps, when the pool holds nothing.
void verifyBetweenSteps(const Plan &plan) {
  for (const SubgraphInfo &subgraph : plan.subgraphs) {
    if (row(subgraph.subgraph).runsIn != RunsIn::Between)
      continue;
    for (uint32_t index = subgraph.first_op; index < subgraph.first_op + subgraph.op_count;
         ++index) {
      const Op &op = plan.ops[index];
      for (size_t i = 0; i < op.operands.size(); ++i) {
        const OperandInfo &operand = op.info().operands[i];
        if (operand.isRun() || op.operands[i] == kNone)
          continue; // ranges are outside the pool
        const TensorInfo &tensor = plan.tensors[op.operands[i]];
        if (plan.regionOf(tensor).isPooled())
          rejectOperand(plan, index, operand,
                        "tensor '" + tensor.name +
                            "' lies in the pool, which holds nothing between steps");
      }
    }
  }
}

} // namespace

void verifyDataflow(const Plan &plan) {
  WorkBudget budget(plan);
  const OperandTensors tensors(plan);
  const ChannelPieces pieces(plan);
  for (uint32_t index = 0; index < plan.ops.size(); ++index)
    verifyHalves(plan, index);
  verifyBetweenSteps(plan);
  for (const StepSchedule &schedule : plan.schedules) {
    budget.spend(plan.tensors.size() + plan.ops.size());
    ScheduleWalk(plan, schedule, tensors, pieces, budget).run();
  }
}

} // namespace trf
