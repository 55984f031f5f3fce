// SPDX-License-Identifier: Apache-2.0
//
// Lifetimes from the order of nodes, and sweeps over them.
#include "trf/liveness.h"

#include <algorithm>

namespace trf {

namespace {

// Offsets in the pool. Where the pooled regions are not one place, they count as if they
// followed each other without the kept ones between.
class Pool {
public:
  explicit Pool(const Plan &plan) : plan(plan), starts(plan.regions.size(), 0) {
    const RegionInfo *first = nullptr;
    for (size_t r = 0; r < plan.regions.size(); ++r) {
      const RegionInfo &region = plan.regions[r];
      if (!region.isPooled() ||
          (first && region.offset == first->offset && region.bytes == first->bytes))
        continue; // starts[r] is 0, as for the first
      if (!first)
        first = &region;
      starts[r] = bytes;
      bytes += region.bytes;
    }
  }
  uint64_t offsetOf(const TensorInfo &tensor) const {
    return starts[tensor.region] + (tensor.offset - plan.regionOf(tensor).offset);
  }

  uint64_t bytes = 0;

private:
  const Plan &plan;
  std::vector<uint64_t> starts;
};

// A tensor with runs of channels is used whenever one of them is.
class LifetimeFinder {
public:
  LifetimeFinder(const Plan &plan, const StepSchedule &schedule)
      : plan(plan), schedule(schedule), found(plan.tensors.size()) {}

  std::vector<Lifetime> run() {
    for (uint32_t node = 0; node < schedule.nodes.size(); ++node) {
      const Op &op = plan.ops[schedule.nodes[node].op];
      for (size_t i = 0; i < op.operands.size(); ++i) // ranges are outside the pool
        if (op.operands[i] != kNone && !op.info().operands[i].isRun())
          use(plan.rootOf(op.operands[i]), node);
    }
    for (uint32_t node = 0; node < schedule.nodes.size(); ++node)
      takeOver(plan.ops[schedule.nodes[node].op], node);
    return collect();
  }

private:
  bool isResident(uint32_t id) const { return plan.tensors[id].layer == kNone; }
  void use(uint32_t id, uint32_t node) {
    Lifetime &life = found[id];
    if (life.tensor == kNone)
      life.lower = node;
    life.tensor = id;
    life.upper = node + 1;
  }
  void takeOver(const Op &op, uint32_t node);
  bool mayTakeOver(const Op &op, uint32_t node, size_t out, size_t in) const;
  std::vector<Lifetime> collect() const;

  const Plan &plan;
  const StepSchedule &schedule;
  std::vector<Lifetime> found;
};

// The input ends where the output on it begins. Runs of channels lie between others, so none
// of them takes a slot over.
void LifetimeFinder::takeOver(const Op &op, uint32_t node) {
  const OpInfo &info = op.info();
  for (size_t out = 0; out < op.operands.size(); ++out)
    for (size_t in = 0; in < op.operands.size(); ++in)
      if (info.operands[out].mayLieOn(static_cast<uint32_t>(in)) &&
          mayTakeOver(op, node, out, in)) {
        Lifetime &life = found[op.operands[in]];
        life.upper = node;
        life.takenOver = true;
      }
}

bool LifetimeFinder::mayTakeOver(const Op &op, uint32_t node, size_t out, size_t in) const {
  const uint32_t outId = op.operands[out], inId = op.operands[in];
  if (outId == kNone || inId == kNone || outId == inId || isResident(inId) || isResident(outId))
    return false;
  const TensorInfo &a = plan.tensors[inId], &b = plan.tensors[outId];
  if (a.parent != kNone || b.parent != kNone)
    return false;
  return plan.isPooled(inId) && plan.isPooled(outId) && a.offset == b.offset &&
         a.slot_bytes == b.slot_bytes && found[inId].upper == node + 1 &&
         found[outId].lower == node;
}

std::vector<Lifetime> LifetimeFinder::collect() const {
  const Pool pool(plan);
  std::vector<Lifetime> result;
  for (uint32_t id = 0; id < found.size(); ++id) {
    const TensorInfo &tensor = plan.tensors[id];
    Lifetime life = found[id];
    if (!plan.isPooled(id) || tensor.parent != kNone)
      continue;
    if (isResident(id)) {
      life.tensor = id;
      life.lower = 0;
      life.upper = static_cast<uint32_t>(schedule.nodes.size());
    }
    if (life.tensor == kNone)
      continue;
    life.bytes = tensor.slot_bytes;
    life.offset = pool.offsetOf(tensor);
    result.push_back(life);
  }
  return result;
}

uint64_t maxLive(const std::vector<Lifetime> &lifetimes, size_t nodes) {
  std::vector<int64_t> change(nodes + 1, 0); // of the bytes alive, at each node
  for (const Lifetime &life : lifetimes) {
    change[life.lower] += static_cast<int64_t>(life.bytes);
    change[life.upper] -= static_cast<int64_t>(life.bytes);
  }
  int64_t alive = 0, most = 0;
  for (const int64_t step : change)
    most = std::max(most, alive += step);
  return static_cast<uint64_t>(most);
}

} // namespace

ScheduleMemory measureMemory(const Plan &plan, const StepSchedule &schedule) {
  ScheduleMemory memory;
  memory.lifetimes = LifetimeFinder(plan, schedule).run();
  memory.lowerBound = maxLive(memory.lifetimes, schedule.nodes.size());
  for (const Lifetime &life : memory.lifetimes) {
    memory.peak = std::max(memory.peak, life.offset + life.bytes);
    memory.noReuse += life.bytes;
  }
  return memory;
}

const StepSchedule *findSchedule(const Plan &plan, bool training) {
  for (const ScheduleRow &kind : kSchedules)
    for (const StepSchedule &schedule : plan.schedules)
      if (schedule.kind == kind.value && (kind.step == StepKind::Train) == training)
        return &schedule;
  return nullptr;
}

uint64_t poolBytes(const Plan &plan) { return Pool(plan).bytes; }

bool reusesMemory(const Plan &plan) {
  std::vector<const TensorInfo *> pooled;
  for (const TensorInfo &tensor : plan.tensors)
    if (plan.regionOf(tensor).isPooled() && tensor.parent == kNone && tensor.slot_bytes != 0)
      pooled.push_back(&tensor);
  std::sort(pooled.begin(), pooled.end(),
            [](const TensorInfo *a, const TensorInfo *b) { return a->offset < b->offset; });
  for (size_t i = 1; i < pooled.size(); ++i)
    if (pooled[i - 1]->offset + pooled[i - 1]->slot_bytes > pooled[i]->offset)
      return true;
  return false;
}

} // namespace trf
