// SPDX-License-Identifier: Apache-2.0
//
// Peak, bound and what is alive, from the lifetimes that the packer plans with.
#include "renaissance/Dialect/TR/Transforms/MemoryUse.h"

#include "PoolLifetimes.h"

#include "llvm/ADT/DenseMap.h"

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
  std::vector<PooledTensor> place(const PoolLifetimes &lifetimes, const PoolGroup &group,
                                  int64_t nodes);

  graph::ProgramOp program;
  SmallVector<graph::TensorOp> tensors;
  std::vector<StepOp> ops;
  MemoryUse use;
  // Of each pooled region, what leads from an offset in the arena to one in the pool. Regions
  // that are not one place count as if they followed each other.
  llvm::DenseMap<unsigned, int64_t> shifts;
};

void Meter::measureRegions() {
  std::optional<std::pair<int64_t, int64_t>> first; // offset and bytes
  for (auto region : program.getOps<graph::RegionOp>()) {
    int64_t begin = region.getOffset(), bytes = region.getBytes();
    use.arenaBytes = std::max(use.arenaBytes, begin + bytes);
    if (!region.getRegion().region.isPooled())
      continue;
    int64_t &shift = shifts[toKey(region.getRegion())];
    if (first && *first == std::pair(begin, bytes)) {
      use.reuse |= bytes != 0;
      shift = -begin;
      continue;
    }
    if (!first)
      first = {begin, bytes};
    shift = use.poolBytes - begin;
    use.poolBytes += bytes;
  }
}

std::vector<PooledTensor> Meter::place(const PoolLifetimes &lifetimes, const PoolGroup &group,
                                       int64_t nodes) {
  std::vector<PooledTensor> placed;
  auto add = [&](uint32_t id, int64_t lower, int64_t upper) {
    graph::TensorOp tensor = tensors[id];
    int64_t shift = shifts.lookup(toKey(tensor.getRegion()));
    placed.push_back({tensor, lower, upper, static_cast<int64_t>(*tensor.getSlot()),
                      static_cast<int64_t>(*tensor.getOffset()) + shift});
  };
  for (uint32_t id : lifetimes.residents)
    add(id, 0, nodes);
  for (const Lifetime &lifetime : group.lifetimes)
    add(lifetime.tensor, lifetime.lower, lifetime.upper);
  llvm::sort(placed, [](PooledTensor &a, PooledTensor &b) {
    return static_cast<int64_t>(a.tensor.getId()) < static_cast<int64_t>(b.tensor.getId());
  });
  return placed;
}

ScheduleMemory Meter::measure(const PoolLifetimes &lifetimes, const PoolGroup &group) {
  ScheduleMemory result;
  result.training = group.training;
  trf::StepKind step = group.training ? trf::StepKind::Train : trf::StepKind::Validate;
  trf::Schedule kind = trf::scheduleOf(step, trf::Half::A);
  for (auto op : program.getOps<graph::ScheduleOp>())
    if (!result.schedule && op.getKind() == kind)
      result.schedule = op;
  ArrayRef<int64_t> nodes = result.schedule ? result.schedule.getNodes() : ArrayRef<int64_t>();
  result.tensors = place(lifetimes, group, static_cast<int64_t>(nodes.size()));
  std::map<int64_t, int64_t> changes; // of the bytes alive, by node
  for (const PooledTensor &tensor : result.tensors) {
    result.noReuseBytes += tensor.bytes;
    result.peakBytes = std::max(result.peakBytes, tensor.offset + tensor.bytes);
    changes[tensor.lower] += tensor.bytes;
    changes[tensor.upper] -= tensor.bytes;
  }
  int64_t alive = 0;
  for (auto [node, change] : changes)
    if ((alive += change) > result.boundBytes) {
      result.boundBytes = alive;
      result.fullestNode = node;
    }
  if (!nodes.empty())
    result.fullest = ops[nodes[result.fullestNode]].op;
  return result;
}

FailureOr<MemoryUse> Meter::run() {
  tensors = llvm::to_vector(program.getOps<graph::TensorOp>());
  if (getExtents(program).size() != tensors.size())
    return program.emitOpError("expected slots and offsets; run --tr-graph-pipeline first");
  ops = collectStepOps(program);
  measureRegions();
  FailureOr<PoolLifetimes> lifetimes = findPoolLifetimes(program, ops, /*inPlace=*/use.reuse);
  if (failed(lifetimes))
    return failure();
  for (const PoolGroup &group : lifetimes->groups)
    use.schedules.push_back(measure(*lifetimes, group));
  return std::move(use);
}

} // namespace

FailureOr<MemoryUse> tr::measureMemory(graph::ProgramOp program) { return Meter(program).run(); }
