// SPDX-License-Identifier: Apache-2.0
//
// Peak, bound and what is alive, from the lifetimes that the packer plans with.
#include "renaissance/Dialect/TR/Transforms/MemoryUse.h"

#include "PoolLifetimes.h"

#include "renaissance/Target/PlanTables.h"

#include <map>

using namespace mlir;
using namespace tr;

namespace {

class Meter {
public:
  explicit Meter(graph::ProgramOp program) : program(program) {}

  FailureOr<MemoryUse> run();

private:
  void measureRegions();
  ScheduleMemory measure(const PoolLifetimes &lifetimes, const PoolGroup &group);
  int64_t slotOf(uint32_t id) { return static_cast<int64_t>(*tensors[id].getSlot()); }
  int64_t endOf(uint32_t id) {
    return static_cast<int64_t>(*tensors[id].getOffset()) + slotOf(id) - poolBegin;
  }

  graph::ProgramOp program;
  SmallVector<graph::TensorOp> tensors;
  std::vector<StepOp> ops;
  MemoryUse use;
  int64_t poolBegin = -1;
};

void Meter::measureRegions() {
  int64_t pooledEnd = 0, pooledSum = 0;
  for (auto region : program.getOps<graph::RegionOp>()) {
    int64_t begin = region.getOffset(), end = begin + static_cast<int64_t>(region.getBytes());
    use.arenaBytes = std::max(use.arenaBytes, end);
    if (!plan::isPooled(*plan::symbolizeRegion(region.getRegion())))
      continue;
    if (poolBegin < 0)
      poolBegin = begin;
    pooledEnd = std::max(pooledEnd, end);
    pooledSum += end - begin;
    use.reuse |= begin == poolBegin && pooledSum > end - begin;
  }
  use.poolBytes = use.reuse ? pooledEnd - poolBegin : pooledSum;
}

ScheduleMemory Meter::measure(const PoolLifetimes &lifetimes, const PoolGroup &group) {
  ScheduleMemory result;
  result.training = group.training;
  int64_t residents = 0;
  for (uint32_t id : lifetimes.residents) {
    residents += slotOf(id);
    result.peakBytes = std::max(result.peakBytes, endOf(id));
  }
  result.noReuseBytes = residents;
  std::map<int64_t, int64_t> changes; // of the bytes alive, by node
  for (const Lifetime &lifetime : group.lifetimes) {
    result.noReuseBytes += slotOf(lifetime.tensor);
    result.peakBytes = std::max(result.peakBytes, endOf(lifetime.tensor));
    changes[lifetime.lower] += slotOf(lifetime.tensor);
    changes[lifetime.upper] -= slotOf(lifetime.tensor);
  }
  int64_t alive = residents, fullest = 0;
  result.boundBytes = residents;
  for (auto [node, change] : changes)
    if ((alive += change) > result.boundBytes) {
      result.boundBytes = alive;
      fullest = node;
    }
  for (uint32_t id : lifetimes.residents)
    result.alive.push_back(tensors[id]);
  for (const Lifetime &lifetime : group.lifetimes)
    if (lifetime.lower <= fullest && fullest < lifetime.upper)
      result.alive.push_back(tensors[lifetime.tensor]);
  plan::Schedule kind = group.training ? plan::Schedule::TrainA : plan::Schedule::ValA;
  for (auto schedule : program.getOps<graph::ScheduleOp>())
    if (*plan::symbolizeSchedule(schedule.getName()) == kind && !result.fullest)
      result.fullest = ops[schedule.getNodes()[fullest]].op;
  if (!use.reuse)
    result.peakBytes = result.noReuseBytes;
  return result;
}

FailureOr<MemoryUse> Meter::run() {
  tensors = llvm::to_vector(program.getOps<graph::TensorOp>());
  if (getExtents(program).size() != tensors.size())
    return program.emitOpError("expected slots and offsets; run --tr-graph-pipeline first");
  FailureOr<std::vector<StepOp>> collected = collectStepOps(program);
  if (failed(collected))
    return failure();
  ops = std::move(*collected);
  FailureOr<PoolLifetimes> lifetimes = findPoolLifetimes(program, ops);
  if (failed(lifetimes))
    return failure();
  measureRegions();
  for (const PoolGroup &group : lifetimes->groups)
    use.schedules.push_back(measure(*lifetimes, group));
  return std::move(use);
}

} // namespace

FailureOr<MemoryUse> tr::measureMemory(graph::ProgramOp program) { return Meter(program).run(); }
