// SPDX-License-Identifier: Apache-2.0
//
// --tr-graph-pack-transients: the pooled tensors share one pool over time.
#include "PoolLifetimes.h"
#include "ScheduleDags.h"

#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Dialect/TR/Transforms/Trace.h"
#include "renaissance/Planner/Planner.h"
#include "renaissance/Target/PlanTables.h"

#include "llvm/Support/FormatVariadic.h"

namespace tr {
#define GEN_PASS_DEF_GRAPHPACKTRANSIENTS
#include "renaissance/Dialect/TR/Transforms/GraphPasses.h.inc"
} // namespace tr

using namespace mlir;
using namespace tr;

namespace {
constexpr StringLiteral kFlag = "tr-graph-pack-transients";

class Packer {
public:
  explicit Packer(graph::ProgramOp program) : program(program) {}

  LogicalResult run();

  int64_t packed = 0;
  int64_t poolBytes = 0;

private:
  LogicalResult collect();
  void placeResidents();
  LogicalResult placeGroup(const PoolGroup &group, int64_t base);
  void writeOffsets();
  void writeEdges();

  graph::ProgramOp program;
  std::vector<StepOp> ops;
  SmallVector<graph::TensorOp> tensors;
  SmallVector<graph::RegionOp> regions;
  PoolLifetimes lifetimes;
  std::vector<int64_t> inPool; // offset in the pool, for pooled tensors
};

LogicalResult Packer::run() {
  if (failed(collect()))
    return failure();
  inPool.assign(tensors.size(), 0);
  placeResidents();
  int64_t base = poolBytes;
  for (const PoolGroup &group : lifetimes.groups)
    if (failed(placeGroup(group, base)))
      return failure();
  writeOffsets();
  writeEdges();
  return success();
}

LogicalResult Packer::collect() {
  tensors = llvm::to_vector(program.getOps<graph::TensorOp>());
  regions = llvm::to_vector(program.getOps<graph::RegionOp>());
  if (regions.size() != plan::kRegionCount || getExtents(program).size() != tensors.size())
    return program.emitOpError("expected regions and offsets; --tr-graph-plan-memory sets them");
  FailureOr<std::vector<StepOp>> collected = collectStepOps(program);
  if (failed(collected))
    return failure();
  ops = std::move(*collected);
  FailureOr<PoolLifetimes> found = findPoolLifetimes(program, ops);
  if (failed(found))
    return failure();
  lifetimes = std::move(*found);
  return success();
}

// Tensors that live through every step lie first, in the order of the table.
void Packer::placeResidents() {
  for (uint32_t id : lifetimes.residents) {
    inPool[id] = poolBytes;
    poolBytes += static_cast<int64_t>(*tensors[id].getSlot());
  }
}

LogicalResult Packer::placeGroup(const PoolGroup &group, int64_t base) {
  std::vector<planner::Buffer> buffers;
  buffers.reserve(group.buffers.size());
  for (const PoolBuffer &buffer : group.buffers)
    buffers.push_back({buffer.lower, buffer.upper, buffer.bytes});
  planner::PlanResult result = planner::plan(buffers);
  std::optional<std::string> fault = result.error;
  if (!fault)
    fault = planner::findFault(buffers, result.placement.offsets);
  if (fault)
    return program.emitOpError("expected a memory plan, but the planner says: ") << *fault;
  for (auto [buffer, offset] : llvm::zip_equal(group.buffers, result.placement.offsets))
    for (uint32_t id : buffer.tensors)
      inPool[id] = base + offset;
  trace(program.getLoc(), kFlag, [&] {
    return llvm::formatv("{0}: {1} tensors as {2} buffers, {3} bytes (at least {4}), found by {5}",
                         group.training ? "training" : "validation and inference",
                         group.lifetimes.size(), buffers.size(), result.placement.peak,
                         planner::lowerBound(buffers), result.placement.rule);
  });
  packed += static_cast<int64_t>(group.lifetimes.size());
  poolBytes = std::max(poolBytes, base + result.placement.peak);
  return success();
}

// All pooled regions become the pool, at the place of the first; the others close up.
void Packer::writeOffsets() {
  std::vector<int64_t> shift(plan::kRegionCount, 0);
  int64_t end = 0, pool = -1;
  for (auto [index, region] : llvm::enumerate(regions)) {
    if (plan::isPooled(static_cast<plan::Region>(index))) {
      if (pool < 0) {
        pool = end;
        end += poolBytes;
      }
      region.setOffset(pool);
      region.setBytes(poolBytes);
      continue;
    }
    shift[index] = end - static_cast<int64_t>(region.getOffset());
    region.setOffset(end);
    end += static_cast<int64_t>(region.getBytes());
  }
  for (auto [id, tensor] : llvm::enumerate(tensors)) {
    plan::Region region = *plan::symbolizeRegion(tensor.getRegion());
    tensor.setOffset(plan::isPooled(region) ? pool + inPool[id]
                                            : static_cast<int64_t>(*tensor.getOffset()) +
                                                  shift[static_cast<uint32_t>(region)]);
  }
}

void Packer::writeEdges() {
  ScheduleDags dags(program, ops);
  for (auto schedule : program.getOps<graph::ScheduleOp>())
    schedule.setEdges(flattenEdges(dags.getEdges(schedule.getNodes())));
}

struct GraphPackTransientsPass : tr::impl::GraphPackTransientsBase<GraphPackTransientsPass> {
  void runOnOperation() override {
    Packer packer(getOperation());
    if (failed(packer.run()))
      return signalPassFailure();
    numPacked += packer.packed;
    numBytes += packer.poolBytes;
  }
};

} // namespace
