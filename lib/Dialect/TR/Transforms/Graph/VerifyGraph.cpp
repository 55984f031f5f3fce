// SPDX-License-Identifier: Apache-2.0
//
// --tr-verify-graph: what holds for a program after all phases.
#include "ScheduleDags.h"

#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Target/PlanTables.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

#include <array>

namespace tr {
#define GEN_PASS_DEF_VERIFYGRAPH
#include "renaissance/Dialect/TR/Transforms/GraphPasses.h.inc"
} // namespace tr

using namespace mlir;
using namespace tr;

namespace {

constexpr uint32_t kWeightKinds = static_cast<uint32_t>(plan::Region::WDeepConv) -
                                  static_cast<uint32_t>(plan::Region::WBnBias) + 1;

class GraphVerifier {
public:
  explicit GraphVerifier(graph::ProgramOp program) : program(program) {}

  LogicalResult run() {
    for (auto verify : {&GraphVerifier::collect, &GraphVerifier::checkRegions,
                        &GraphVerifier::checkTensors, &GraphVerifier::checkOptimizerOrder,
                        &GraphVerifier::checkParams, &GraphVerifier::checkSubgraphs,
                        &GraphVerifier::checkSchedules, &GraphVerifier::checkAtlas})
      if (failed((this->*verify)()))
        return failure();
    return success();
  }

private:
  LogicalResult collect();
  LogicalResult checkRegions();
  LogicalResult checkTensors();
  LogicalResult checkSlot(graph::TensorOp tensor);
  LogicalResult checkOptimizerOrder();
  LogicalResult checkParams();
  LogicalResult checkSubgraphs();
  LogicalResult checkCompute(graph::ComputeOp op);
  LogicalResult checkRange(graph::RangeOp op);
  LogicalResult checkOperand(Operation *op, const plan::OperandInfo &operand, int64_t id,
                             std::optional<plan::DType> &anyType);
  LogicalResult checkSchedules();
  LogicalResult checkMemory(graph::ScheduleOp schedule, ScheduleDags &dags);
  LogicalResult checkOperandsApart(const StepOp &step);
  LogicalResult checkAtlas();

  static plan::Region regionOf(graph::TensorOp tensor) {
    return *plan::symbolizeRegion(tensor.getRegion());
  }
  InFlightDiagnostic badId(Operation *op, StringRef what, int64_t id, size_t count) {
    return op->emitOpError("expected ") << what << " below " << count << ", but got " << id;
  }

  graph::ProgramOp program;
  SmallVector<graph::VariantOp> variants;
  std::vector<graph::RegionOp> regions;
  std::vector<graph::TensorOp> tensors;
  std::vector<graph::SubgraphOp> subgraphs;
  std::vector<graph::SubgraphOp> opOwners; // of each kernel op
  std::vector<StepOp> stepOps;
  std::vector<Extent> extents;
  int64_t layerCount = 0;
};

LogicalResult GraphVerifier::collect() {
  for (Operation &op : program.getBody().front()) {
    if (auto variant = dyn_cast<graph::VariantOp>(op))
      variants.push_back(variant);
    else if (auto region = dyn_cast<graph::RegionOp>(op))
      regions.push_back(region);
    else if (auto tensor = dyn_cast<graph::TensorOp>(op))
      tensors.push_back(tensor);
    else if (auto subgraph = dyn_cast<graph::SubgraphOp>(op))
      subgraphs.push_back(subgraph);
    layerCount += isa<graph::LayerOp>(op);
  }
  if (variants.empty())
    return program.emitOpError("expected at least one variant, but got none");
  llvm::StringMap<int> names;
  for (graph::VariantOp variant : variants)
    if (names[variant.getName()]++ > 0)
      return variant.emitOpError("expected different variant names, but got '")
             << variant.getName() << "' twice";
  return success();
}

LogicalResult GraphVerifier::checkRegions() {
  if (regions.size() != plan::kRegionCount)
    return program.emitOpError("expected ")
           << plan::kRegionCount << " regions, but got " << regions.size();
  int64_t end = 0;
  graph::RegionOp pool; // the first pooled region; others may be the same place
  for (auto [index, region] : llvm::enumerate(regions)) {
    StringRef expected = plan::stringify(static_cast<plan::Region>(index));
    if (region.getRegion() != expected)
      return region.emitOpError("expected region '")
             << expected << "', but got '" << region.getRegion() << "'";
    bool pooled = plan::isPooled(static_cast<plan::Region>(index));
    if (pooled && pool && region.getOffset() == pool.getOffset() &&
        region.getBytes() == pool.getBytes())
      continue;
    if (pooled && !pool)
      pool = region;
    if (int64_t(region.getOffset()) < end)
      return region.emitOpError("expected an offset of at least ")
             << end << ", where the region before ends, but got " << region.getOffset();
    end = region.getOffset() + region.getBytes();
  }
  return success();
}

LogicalResult GraphVerifier::checkTensors() {
  SmallVector<int64_t> ends(plan::kRegionCount, 0);
  for (graph::TensorOp tensor : tensors) {
    if (int64_t(tensor.getLayer()) >= layerCount)
      return badId(tensor, "a layer", tensor.getLayer(), layerCount);
    if (tensor.getShapes().size() != variants.size())
      return tensor.emitOpError("expected ")
             << variants.size() << " shapes, one for each variant, but got "
             << tensor.getShapes().size();
    if (!tensor.getSlot() || !tensor.getOffset())
      return tensor.emitOpError("expected a slot and an offset");
    if (failed(checkSlot(tensor)))
      return failure();
    int64_t offset = *tensor.getOffset(), bytes = *tensor.getSlot();
    plan::Region id = regionOf(tensor);
    graph::RegionOp region = regions[static_cast<uint32_t>(id)];
    int64_t begin = region.getOffset(), size = region.getBytes();
    if (offset < begin || bytes > size || offset - begin > size - bytes)
      return tensor.emitOpError("expected a slot inside region '")
             << region.getRegion() << "' of " << size << " bytes at " << begin << ", but got "
             << bytes << " bytes at " << offset;
    int64_t &end = ends[static_cast<uint32_t>(id)];
    if (!plan::isPooled(id) && offset < end)
      return tensor.emitOpError("expected an offset of at least ")
             << end << ", where the tensor before ends, but got " << offset;
    end = std::max(end, offset + bytes);
  }
  return success();
}

LogicalResult GraphVerifier::checkSlot(graph::TensorOp tensor) {
  plan::DType dtype = *plan::symbolizeDType(tensor.getDtype());
  for (auto shape : tensor.getShapes().getAsRange<DenseI64ArrayAttr>()) {
    int64_t bytes = plan::getBytes(dtype);
    for (int64_t dim : shape.asArrayRef())
      if (llvm::MulOverflow(bytes, dim, bytes) || bytes > int64_t(*tensor.getSlot()))
        return tensor.emitOpError("expected a slot that holds shape ")
               << shape << ", but got " << *tensor.getSlot() << " bytes";
  }
  return success();
}

// One range op updates all weights, so gradients and moments lie like the weights.
LogicalResult GraphVerifier::checkOptimizerOrder() {
  using R = plan::Region;
  std::array<SmallVector<graph::TensorOp>, plan::kRegionCount> byRegion;
  for (graph::TensorOp tensor : tensors)
    byRegion[static_cast<uint32_t>(regionOf(tensor))].push_back(tensor);
  for (uint32_t kind = 0; kind < kWeightKinds; ++kind) {
    auto &weights = byRegion[static_cast<uint32_t>(R::WBnBias) + kind];
    for (R start : {R::GBnBias, R::MBnBias, R::VBnBias}) {
      auto other = static_cast<R>(static_cast<uint32_t>(start) + kind);
      auto &partners = byRegion[static_cast<uint32_t>(other)];
      if (partners.empty())
        continue;
      if (partners.size() != weights.size())
        return program.emitOpError("expected ")
               << weights.size() << " tensors in region '" << plan::stringify(other)
               << "', as many as weights, but got " << partners.size();
      for (auto [weight, partner] : llvm::zip_equal(weights, partners))
        if (weight.getShapes() != partner.getShapes())
          return partner.emitOpError("expected the shapes of '")
                 << weight.getName() << "', the weight at its place, but '" << partner.getName()
                 << "' has " << partner.getShapes();
    }
  }
  return success();
}

LogicalResult GraphVerifier::checkParams() {
  llvm::StringMap<int> names;
  for (auto param : program.getOps<graph::ParamOp>()) {
    if (names[param.getName()]++ > 0)
      return param.emitOpError("expected different parameter names, but got '")
             << param.getName() << "' twice";
    for (int64_t id : {int64_t(param.getTensor()), int64_t(param.getGrad())})
      if (id >= int64_t(tensors.size()))
        return badId(param, "a tensor", id, tensors.size());
    graph::TensorOp tensor = tensors[param.getTensor()];
    if (!llvm::all_equal(tensor.getShapes()))
      return param.emitOpError("expected one shape under all variants, but got ")
             << tensor.getShapes();
    if (int64_t(param.getGrad()) >= 0 && tensors[param.getGrad()].getShapes() != tensor.getShapes())
      return param.emitOpError("expected a gradient of shape ")
             << tensor.getShapes()[0] << ", but got " << tensors[param.getGrad()].getShapes()[0];
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Kernel ops
//===----------------------------------------------------------------------===//

LogicalResult GraphVerifier::checkSubgraphs() {
  llvm::DenseMap<std::pair<int64_t, uint32_t>, graph::SubgraphOp> seen;
  for (graph::SubgraphOp subgraph : subgraphs) {
    auto id = static_cast<uint32_t>(*plan::symbolizeSubgraph(subgraph.getName()));
    if (!seen.insert({{subgraph.getGraph(), id}, subgraph}).second)
      return subgraph.emitOpError("expected one subgraph '")
             << subgraph.getName() << "' in graph " << subgraph.getGraph()
             << ", but got a second one";
    for (Operation &op : subgraph.getBody().front()) {
      opOwners.push_back(subgraph);
      auto compute = dyn_cast<graph::ComputeOp>(op);
      if (failed(compute ? checkCompute(compute) : checkRange(cast<graph::RangeOp>(op))))
        return failure();
    }
  }
  for (graph::VariantOp variant : variants)
    for (uint32_t id = 0; id < plan::kSubgraphCount; ++id)
      if (!seen.contains({variant.getGraph(), id}))
        return variant.emitOpError("expected a graph with all subgraphs, but graph ")
               << variant.getGraph() << " has no '"
               << plan::stringify(static_cast<plan::Subgraph>(id)) << "'";
  return success();
}

LogicalResult GraphVerifier::checkOperand(Operation *op, const plan::OperandInfo &operand,
                                          int64_t id, std::optional<plan::DType> &anyType) {
  if (id < 0)
    return success();
  if (id >= int64_t(tensors.size()))
    return badId(op, "a tensor", id, tensors.size());
  plan::DType got = *plan::symbolizeDType(tensors[id].getDtype());
  if (!operand.dtype && !anyType)
    anyType = got;
  // The index of a pooling is an operand of its own type, whatever the data is.
  plan::DType expected = operand.dtype ? *operand.dtype : *anyType;
  if (got != expected)
    return op->emitOpError("expected ")
           << plan::stringify(expected) << " for operand '" << operand.name << "', but tensor '"
           << tensors[id].getName() << "' is " << plan::stringify(got);
  return success();
}

LogicalResult GraphVerifier::checkCompute(graph::ComputeOp op) {
  if (int64_t(op.getLayer()) >= layerCount)
    return badId(op, "a layer", op.getLayer(), layerCount);
  const plan::KernelInfo &info = plan::getInfo(*plan::symbolizeKernel(op.getKernel()));
  std::optional<plan::DType> anyType;
  for (auto [operand, id] : llvm::zip_equal(info.operands, op.getTensors()))
    if (failed(checkOperand(op, operand, id, anyType)))
      return failure();
  return success();
}

LogicalResult GraphVerifier::checkRange(graph::RangeOp op) {
  const plan::KernelInfo &info = plan::getInfo(*plan::symbolizeKernel(op.getKernel()));
  std::optional<plan::DType> anyType;
  ArrayRef<int64_t> ids = op.getTensors();
  ArrayRef<Attribute> pairs = op.getRanges().getValue();
  std::optional<int64_t> length;
  for (const plan::OperandInfo &operand : info.operands) {
    if (!operand.range) {
      if (failed(checkOperand(op, operand, ids.front(), anyType)))
        return failure();
      ids = ids.drop_front();
      continue;
    }
    auto pair = cast<ArrayAttr>(pairs.front());
    pairs = pairs.drop_front();
    graph::RegionOp bounds[2];
    for (unsigned i = 0; i < 2; ++i)
      bounds[i] = regions[static_cast<uint32_t>(
          *plan::symbolizeRegion(cast<StringAttr>(pair[i]).getValue()))];
    int64_t bytes = bounds[1].getOffset() + bounds[1].getBytes() - bounds[0].getOffset();
    if (length && *length != bytes)
      return op.emitOpError("expected ranges of equal length, but operand '")
             << operand.name << "' has " << bytes << " bytes and the first range " << *length;
    length = bytes;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Schedules and atlas
//===----------------------------------------------------------------------===//

// Tensors of one op lie apart unless both are read or the kernel-op table lets them share.
LogicalResult GraphVerifier::checkOperandsApart(const StepOp &step) {
  auto overlap = [&](uint32_t a, uint32_t b) {
    return extents[a].offset < extents[b].offset + extents[b].bytes &&
           extents[b].offset < extents[a].offset + extents[a].bytes;
  };
  auto report = [&](uint32_t a, uint32_t b) {
    return step.op->emitOpError("expected operands in different places, but '")
           << tensors[a].getName() << "' and '" << tensors[b].getName() << "' overlap";
  };
  const Accesses &accesses = step.accesses;
  if (isa<graph::RangeOp>(step.op))
    return success(); // whole regions, which lie apart
  for (auto [i, out] : llvm::enumerate(accesses.writes)) {
    for (uint32_t in : accesses.reads) {
      bool allowed = llvm::is_contained(step.inPlace, std::make_pair(in, out)) &&
                     extents[in].offset == extents[out].offset;
      if (in != out && !allowed && overlap(in, out))
        return report(in, out);
    }
    for (uint32_t other : ArrayRef(accesses.writes).drop_front(i + 1))
      if (overlap(out, other))
        return report(out, other);
  }
  return success();
}

// An edge that the reduction asks for cannot be replaced by a path, so it must be listed.
LogicalResult GraphVerifier::checkMemory(graph::ScheduleOp schedule, ScheduleDags &dags) {
  if (std::optional<StaleRead> stale = dags.findStaleRead(schedule.getNodes()))
    return schedule.emitOpError("expected tensor '")
           << tensors[stale->tensor].getName() << "' to be whole when node " << stale->op
           << " reads it, but '" << tensors[stale->writtenOver].getName()
           << "' was written over it";
  llvm::DenseSet<std::pair<int64_t, int64_t>> listed;
  for (size_t i = 0; i + 1 < schedule.getEdges().size(); i += 2)
    listed.insert({schedule.getEdges()[i], schedule.getEdges()[i + 1]});
  for (auto [to, list] : llvm::enumerate(dags.getEdges(schedule.getNodes())))
    for (uint32_t from : list)
      if (!listed.contains({from, static_cast<int64_t>(to)}))
        return schedule.emitOpError("expected an edge from node ")
               << from << " to node " << to << ", whose tensors depend on each other";
  return success();
}

LogicalResult GraphVerifier::checkSchedules() {
  FailureOr<std::vector<StepOp>> collected = collectStepOps(program);
  if (failed(collected))
    return failure();
  stepOps = std::move(*collected);
  extents = getExtents(program);
  for (const StepOp &step : stepOps)
    if (failed(checkOperandsApart(step)))
      return failure();
  ScheduleDags dags(program, stepOps);
  for (auto schedule : program.getOps<graph::ScheduleOp>()) {
    std::vector<bool> seen(opOwners.size(), false);
    for (int64_t node : schedule.getNodes()) {
      if (node >= int64_t(opOwners.size()))
        return badId(schedule, "a kernel op", node, opOwners.size());
      if (seen[node])
        return schedule.emitOpError("expected each kernel op once, but got ") << node << " twice";
      seen[node] = true;
      if (opOwners[node].getGraph() != schedule.getGraph())
        return schedule.emitOpError("expected kernel ops of graph ")
               << schedule.getGraph() << ", but " << node << " is one of graph "
               << opOwners[node].getGraph();
    }
    if (failed(checkMemory(schedule, dags)))
      return failure();
  }
  return success();
}

LogicalResult GraphVerifier::checkAtlas() {
  auto rows = llvm::to_vector(program.getOps<graph::AtlasOp>());
  if (rows.size() != variants.size())
    return program.emitOpError("expected an atlas for each of ")
           << variants.size() << " variants, but got " << rows.size();
  llvm::DenseMap<int64_t, int64_t> subgraphOf; // capture -> subgraph
  for (auto [variant, row] : llvm::zip_equal(variants, rows)) {
    if (row.getVariant() != variant.getName())
      return row.emitOpError("expected the atlas of variant '")
             << variant.getName() << "', but got '" << row.getVariant() << "'";
    for (auto [id, place] : llvm::enumerate(row.getSubgraphs())) {
      if (place < 0)
        continue;
      if (place >= int64_t(subgraphs.size()))
        return badId(row, "a subgraph", place, subgraphs.size());
      graph::SubgraphOp subgraph = subgraphs[place];
      StringRef expected = plan::stringify(static_cast<plan::Subgraph>(id));
      if (subgraph.getName() != expected || subgraph.getGraph() != variant.getGraph())
        return row.emitOpError("expected '")
               << expected << "' of graph " << variant.getGraph() << " at entry " << id
               << ", but got '" << subgraph.getName() << "' of graph " << subgraph.getGraph();
      if (subgraphOf.insert({row.getCaptures()[id], place}).first->second != place)
        return row.emitOpError("expected one subgraph for each capture, but got several for ")
               << row.getCaptures()[id];
    }
  }
  return success();
}

struct VerifyGraphPass : tr::impl::VerifyGraphBase<VerifyGraphPass> {
  void runOnOperation() override {
    if (failed(GraphVerifier(getOperation()).run()))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
