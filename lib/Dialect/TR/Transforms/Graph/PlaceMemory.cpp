// SPDX-License-Identifier: Apache-2.0
//
// --tr-graph-place-memory: slots that serve every variant, kept regions in order, one pool for
// what is not alive at the same time, and the edges that follow from where tensors lie.
#include "../LevelPass.h"
#include "PoolLifetimes.h"
#include "ScheduleDags.h"

#include "renaissance/Dialect/TR/Transforms/Counts.h"
#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Dialect/TR/Transforms/Trace.h"
#include "renaissance/Planner/Planner.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

namespace tr {
#define GEN_PASS_DEF_GRAPHPLACEMEMORY
#include "renaissance/Dialect/TR/Transforms/GraphPasses.h.inc"
} // namespace tr

using namespace mlir;
using namespace tr;

namespace {
constexpr StringLiteral kFlag = "tr-graph-place-memory";

// The most elements that a tensor has under a variant, and the slot for them.
void setSlot(graph::TensorOp tensor) {
  int64_t most = 0;
  DenseI64ArrayAttr largest;
  for (auto shape : tensor.getShapes().getAsRange<DenseI64ArrayAttr>()) {
    int64_t elements = 1;
    for (int64_t dim : shape.asArrayRef())
      elements *= dim;
    if (elements > most || !largest)
      largest = shape;
    most = std::max(most, elements);
  }
  tensor.setSlot(trf::slotBytes(tensor.getDtype(), most));
  trace(tensor.getLoc(), kFlag, [&] {
    return llvm::formatv("{0}: slot of {1} bytes for shape {2}", tensor.getName(),
                         *tensor.getSlot(), Attribute(largest));
  });
}

int64_t slotOf(graph::TensorOp tensor) { return static_cast<int64_t>(*tensor.getSlot()); }

// Pooled tensors packed over time, as offsets in the pool.
class PoolPacker {
public:
  PoolPacker(graph::ProgramOp program, ArrayRef<StepOp> ops, ArrayRef<graph::TensorOp> tensors)
      : offsets(tensors.size(), 0), program(program), ops(ops), tensors(tensors) {}

  LogicalResult run();

  std::vector<int64_t> offsets; // by tensor; of pooled ones
  int64_t bytes = 0;
  int64_t packed = 0;

private:
  LogicalResult placeGroup(const PoolGroup &group, int64_t base);

  graph::ProgramOp program;
  ArrayRef<StepOp> ops;
  ArrayRef<graph::TensorOp> tensors;
};

// Tensors that live through every step lie first, in the order of the table.
LogicalResult PoolPacker::run() {
  FailureOr<PoolLifetimes> lifetimes = findPoolLifetimes(program, ops);
  if (failed(lifetimes))
    return failure();
  for (uint32_t id : lifetimes->residents) {
    offsets[id] = bytes;
    bytes += slotOf(tensors[id]);
  }
  int64_t base = bytes;
  for (const PoolGroup &group : lifetimes->groups)
    if (failed(placeGroup(group, base)))
      return failure();
  return success();
}

LogicalResult PoolPacker::placeGroup(const PoolGroup &group, int64_t base) {
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
      offsets[id] = base + offset;
  trace(program.getLoc(), kFlag, [&] {
    return llvm::formatv("{0}: {1} tensors as {2} buffers, {3} bytes (at least {4}), found by {5}",
                         group.training ? "training" : "validation and inference",
                         group.lifetimes.size(), buffers.size(), result.placement.peak,
                         planner::lowerBound(buffers), result.placement.rule);
  });
  packed += static_cast<int64_t>(group.lifetimes.size());
  bytes = std::max(bytes, base + result.placement.peak);
  return success();
}

class Placer {
public:
  explicit Placer(graph::ProgramOp program)
      : program(program), reuse(getOptions(program).getValues().reuse),
        tensors(llvm::to_vector(program.getOps<graph::TensorOp>())) {}

  LogicalResult run();

  int64_t packed = 0, arenaBytes = 0, poolBytes = 0, edgeCount = 0;

private:
  struct Place {
    trf::TypedRegion region;
    SmallVector<graph::TensorOp> tensors;
  };

  LogicalResult setSlots();
  void collectRegions();
  void placeInOrder(const Place &place);
  void placeInPool(const PoolPacker &pool);
  void writeRegion(trf::TypedRegion region, int64_t offset, int64_t bytes, size_t count);
  void placeRuns();
  void writeEdges();

  graph::ProgramOp program;
  bool reuse;
  SmallVector<graph::TensorOp> tensors;
  std::vector<StepOp> ops;
  std::vector<Place> places; // in the order of addresses
};

LogicalResult Placer::run() {
  if (failed(setSlots()))
    return failure();
  ops = collectStepOps(program);
  PoolPacker pool(program, ops, tensors);
  if (reuse && failed(pool.run()))
    return failure();
  packed = pool.packed;
  collectRegions();
  bool placedPool = false;
  for (const Place &place : places) {
    if (!reuse || !place.region.region.isPooled()) {
      placeInOrder(place);
      continue;
    }
    if (!placedPool)
      placeInPool(pool);
    placedPool = true;
  }
  placeRuns();
  writeEdges();
  return success();
}

// A run lies where its parent does.
void Placer::placeRuns() {
  for (graph::TensorOp tensor : tensors)
    if (tensor.getParent()) {
      tensor.setSlot(tensors[*tensor.getParent()].getSlot());
      tensor.setOffset(tensors[*tensor.getParent()].getOffset());
    }
}

// No offset can be larger than the sum of all slots.
LogicalResult Placer::setSlots() {
  int64_t sum = 0;
  for (graph::TensorOp tensor : tensors) {
    if (tensor.getParent())
      continue;
    setSlot(tensor);
    sum += slotOf(tensor);
    if (sum > graph::kMostBytes)
      return tensor.emitOpError("expected an arena of at most ") << graph::kMostBytes << " bytes";
  }
  return success();
}

// Only regions that hold something.
void Placer::collectRegions() {
  for (graph::RegionOp region : llvm::to_vector(program.getOps<graph::RegionOp>()))
    region.erase();
  llvm::MapVector<unsigned, Place> found;
  for (graph::TensorOp tensor : tensors) {
    if (tensor.getParent())
      continue;
    Place &place = found[toKey(tensor.getRegion())];
    place.region = tensor.getRegion();
    place.tensors.push_back(tensor);
  }
  for (auto &[key, place] : found) {
    // A pooled region holds several types, which stand together.
    llvm::stable_sort(place.tensors, [](graph::TensorOp a, graph::TensorOp b) {
      return a.getDtype() < b.getDtype();
    });
    places.push_back(std::move(place));
  }
  llvm::sort(places, [](const Place &a, const Place &b) {
    if (a.region.region != b.region.region)
      return trf::isBefore(a.region.region, b.region.region);
    return a.region.dtype < b.region.dtype;
  });
}

void Placer::placeInOrder(const Place &place) {
  int64_t start = arenaBytes;
  for (graph::TensorOp tensor : place.tensors) {
    tensor.setOffset(arenaBytes);
    arenaBytes += slotOf(tensor);
  }
  if (place.region.region.isPooled())
    poolBytes += arenaBytes - start;
  writeRegion(place.region, start, arenaBytes - start, place.tensors.size());
}

// All pooled regions are the pool, at the place of the first.
void Placer::placeInPool(const PoolPacker &pool) {
  for (auto [id, tensor] : llvm::enumerate(tensors))
    if (tensor.getRegion().region.isPooled() && !tensor.getParent())
      tensor.setOffset(arenaBytes + pool.offsets[id]);
  for (const Place &place : places)
    if (place.region.region.isPooled())
      writeRegion(place.region, arenaBytes, pool.bytes, place.tensors.size());
  poolBytes = pool.bytes;
  arenaBytes += pool.bytes;
}

void Placer::writeRegion(trf::TypedRegion region, int64_t offset, int64_t bytes, size_t count) {
  OpBuilder builder = OpBuilder::atBlockBegin(&program.getBody().front());
  for (Operation &op : program.getBody().front()) {
    if (!isa<graph::VariantOp, graph::RegionOp>(op))
      break;
    builder.setInsertionPointAfter(&op);
  }
  graph::RegionOp::create(builder, program.getLoc(), region, offset, bytes);
  trace(program.getLoc(), kFlag, [&] {
    return llvm::formatv("region {0}: {1} tensors, {2} bytes at {3}", spell(region), count, bytes,
                         offset);
  });
}

void Placer::writeEdges() {
  ScheduleDags dags(program, ops);
  for (auto schedule : program.getOps<graph::ScheduleOp>()) {
    SmallVector<int64_t> edges = flattenEdges(dags.getEdges(schedule.getNodes()));
    edgeCount += static_cast<int64_t>(edges.size() / 2);
    schedule.setEdges(edges);
  }
}

struct GraphPlaceMemoryPass
    : LevelPass<tr::impl::GraphPlaceMemoryBase<GraphPlaceMemoryPass>, graph::ProgramOp> {
  LogicalResult runOn(graph::ProgramOp program) override {
    Placer placer(program);
    if (failed(placer.run()))
      return failure();
    addCount(numPacked, kFlag, "num-packed", placer.packed, program);
    addCount(numBytes, kFlag, "num-bytes", placer.arenaBytes, program);
    addCount(numPoolBytes, kFlag, "num-pool-bytes", placer.poolBytes, program);
    addCount(numEdges, kFlag, "num-edges", placer.edgeCount, program);
    return success();
  }
};

} // namespace
