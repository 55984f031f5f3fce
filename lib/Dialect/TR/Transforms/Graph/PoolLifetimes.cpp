// SPDX-License-Identifier: Apache-2.0
//
// Lifetimes in node positions. The A and the B schedule of a step have the same
// positions; where schedules of a group differ, a tensor lives as long as in any.
#include "PoolLifetimes.h"

#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace tr;

namespace {

constexpr unsigned kTraining = 0, kInference = 1;

struct Use {
  int64_t lower = -1, upper = -1; // -1: not used
  bool isUsed() const { return lower >= 0; }
};

class Finder {
public:
  Finder(graph::ProgramOp program, ArrayRef<StepOp> ops, bool inPlace)
      : program(program), ops(ops), inPlace(inPlace) {}

  FailureOr<PoolLifetimes> run();

private:
  void collectTensors();
  LogicalResult checkRanges();
  void findUses();
  void findResidents();
  void fillGroup(unsigned group);
  llvm::EquivalenceClasses<uint32_t> joinInPlace(unsigned group);
  bool mayTakeOver(const StepOp &step, int64_t node, unsigned group, uint32_t in,
                   uint32_t out) const;

  static unsigned groupOf(graph::ScheduleOp schedule) {
    return trf::row(schedule.getKind()).step == trf::StepKind::Train ? kTraining : kInference;
  }

  graph::ProgramOp program;
  ArrayRef<StepOp> ops;
  bool inPlace;
  std::vector<graph::TensorOp> tensors;
  std::vector<int64_t> slots;  // of pooled tensors that are no runs; -1 for others
  std::vector<uint32_t> roots; // itself, or the tensor that it is a run of
  std::vector<bool> hasRuns;
  std::vector<bool> isResident;
  std::vector<Use> uses[2];
  bool hasGroup[2] = {false, false};
  PoolLifetimes result;
};

FailureOr<PoolLifetimes> Finder::run() {
  collectTensors();
  if (failed(checkRanges()))
    return failure();
  findUses();
  findResidents();
  for (unsigned group : {kTraining, kInference})
    if (hasGroup[group])
      fillGroup(group);
  return std::move(result);
}

void Finder::collectTensors() {
  for (auto tensor : program.getOps<graph::TensorOp>()) {
    auto id = static_cast<uint32_t>(slots.size());
    tensors.push_back(tensor);
    bool pooled = tensor.getRegion().region.isPooled() && !tensor.getParent();
    slots.push_back(pooled ? static_cast<int64_t>(*tensor.getSlot()) : -1);
    roots.push_back(static_cast<uint32_t>(tensor.getParent().value_or(id)));
    // What belongs to no layer is read between steps.
    isResident.push_back(pooled && static_cast<int64_t>(tensor.getLayer()) < 0);
  }
  hasRuns.resize(slots.size(), false);
  for (uint32_t id = 0; id < slots.size(); ++id)
    if (roots[id] != id)
      hasRuns[roots[id]] = true;
}

LogicalResult Finder::checkRanges() {
  for (const StepOp &step : ops) {
    auto range = dyn_cast<graph::RangeOp>(step.op);
    if (!range)
      continue;
    for (ArrayRef<uint32_t> ids :
         {ArrayRef<uint32_t>(step.accesses.reads), ArrayRef<uint32_t>(step.accesses.writes)})
      for (uint32_t id : ids)
        if (slots[roots[id]] >= 0 && !llvm::is_contained(range.getTensors(), int64_t{id}))
          return range.emitOpError("expected regions outside the pool, whose tensors do not stay "
                                   "together");
  }
  return success();
}

void Finder::findUses() {
  std::vector<bool> scheduled(ops.size(), false);
  for (auto &list : uses)
    list.resize(slots.size());
  for (auto schedule : program.getOps<graph::ScheduleOp>()) {
    unsigned group = groupOf(schedule);
    hasGroup[group] = true;
    for (auto [position, node] : llvm::enumerate(schedule.getNodes())) {
      scheduled[node] = true;
      int64_t at = static_cast<int64_t>(position);
      const Accesses &accesses = ops[node].accesses;
      for (ArrayRef<uint32_t> ids :
           {ArrayRef<uint32_t>(accesses.reads), ArrayRef<uint32_t>(accesses.writes)})
        for (uint32_t id : ids) {
          Use &use = uses[group][roots[id]];
          use.lower = use.isUsed() ? std::min(use.lower, at) : at;
          use.upper = std::max(use.upper, at + 1);
        }
    }
  }
  // Kernel ops that run between steps.
  for (auto [index, step] : llvm::enumerate(ops))
    if (!scheduled[index])
      for (ArrayRef<uint32_t> ids :
           {ArrayRef<uint32_t>(step.accesses.reads), ArrayRef<uint32_t>(step.accesses.writes)})
        for (uint32_t id : ids)
          isResident[roots[id]] = slots[roots[id]] >= 0;
}

void Finder::findResidents() {
  for (uint32_t id = 0; id < slots.size(); ++id) {
    if (slots[id] < 0)
      continue;
    // One place must serve both groups, and what no op uses keeps a place too.
    if (uses[kTraining][id].isUsed() == uses[kInference][id].isUsed())
      isResident[id] = true;
    if (isResident[id])
      result.residents.push_back(id);
  }
}

// The input dies at this node, the output is born at it, and no other operand of the op is the
// input. Runs of channels lie between others, so nothing takes them over.
bool Finder::mayTakeOver(const StepOp &step, int64_t node, unsigned group, uint32_t in,
                         uint32_t out) const {
  if (slots[in] < 0 || slots[in] != slots[out] || isResident[in] || isResident[out] ||
      hasRuns[in] || hasRuns[out] || !haveEqualSizes(tensors[in], tensors[out]))
    return false;
  size_t allowed = llvm::count_if(
      step.inPlace, [&](std::pair<uint32_t, uint32_t> pair) { return pair.first == in; });
  return uses[group][in].upper == node + 1 && uses[group][out].lower == node &&
         static_cast<size_t>(llvm::count(step.accesses.reads, in)) == allowed;
}

// Shortens the lifetimes of inputs that are taken over, once the A and the B schedule have been
// looked at: a shortened lifetime would make an earlier op look like the last one.
llvm::EquivalenceClasses<uint32_t> Finder::joinInPlace(unsigned group) {
  llvm::EquivalenceClasses<uint32_t> classes;
  std::vector<int64_t> ends(slots.size(), -1);   // of inputs that are taken over
  std::vector<bool> placed(slots.size(), false); // outputs that took over
  if (!inPlace)
    return classes;
  for (auto schedule : program.getOps<graph::ScheduleOp>()) {
    if (groupOf(schedule) != group)
      continue;
    for (auto [position, node] : llvm::enumerate(schedule.getNodes()))
      for (auto [in, out] : ops[node].inPlace)
        if (!placed[out] && ends[in] < 0 &&
            mayTakeOver(ops[node], static_cast<int64_t>(position), group, in, out)) {
          placed[out] = true;
          ends[in] = static_cast<int64_t>(position);
          classes.unionSets(in, out);
        }
  }
  for (uint32_t id = 0; id < slots.size(); ++id)
    if (ends[id] >= 0)
      uses[group][id].upper = ends[id];
  return classes;
}

void Finder::fillGroup(unsigned group) {
  PoolGroup &packed = result.groups.emplace_back();
  packed.training = group == kTraining;
  llvm::EquivalenceClasses<uint32_t> classes = joinInPlace(group);
  std::vector<int64_t> bufferOf(slots.size(), -1); // of a class, at its leader
  for (uint32_t id = 0; id < slots.size(); ++id) {
    const Use &use = uses[group][id];
    if (slots[id] < 0 || isResident[id] || !use.isUsed())
      continue;
    packed.lifetimes.push_back({id, use.lower, use.upper});
    uint32_t leader = classes.contains(id) ? classes.getLeaderValue(id) : id;
    if (bufferOf[leader] < 0) {
      bufferOf[leader] = static_cast<int64_t>(packed.buffers.size());
      packed.buffers.push_back({use.lower, use.upper, slots[id], {id}});
      continue;
    }
    PoolBuffer &buffer = packed.buffers[bufferOf[leader]];
    buffer.lower = std::min(buffer.lower, use.lower);
    buffer.upper = std::max(buffer.upper, use.upper);
    buffer.tensors.push_back(id);
  }
}

} // namespace

FailureOr<PoolLifetimes> tr::findPoolLifetimes(graph::ProgramOp program, ArrayRef<StepOp> ops,
                                               bool inPlace) {
  return Finder(program, ops, inPlace).run();
}
