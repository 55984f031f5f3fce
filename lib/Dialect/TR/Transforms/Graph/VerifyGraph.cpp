// SPDX-License-Identifier: Apache-2.0
//
// --tr-verify-graph: what holds for a program before it becomes a plan. That the runtime's
// verifier checks much of it again with code of its own is the point of it.
#include "ScheduleDags.h"

#include "renaissance/Dialect/TR/Transforms/Passes.h"

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
  LogicalResult checkRun(graph::TensorOp tensor);
  LogicalResult checkOptimizerOrder();
  LogicalResult checkParams();
  LogicalResult checkSubgraphs();
  LogicalResult checkCompute(graph::ComputeOp op);
  LogicalResult checkRange(graph::RangeOp op);
  LogicalResult checkOperand(Operation *op, const trf::OperandInfo &operand, trf::Instance instance,
                             int64_t id, std::optional<trf::DType> &anyType);
  LogicalResult checkSchedules();
  LogicalResult checkMemory(graph::ScheduleOp schedule, ScheduleDags &dags);
  LogicalResult checkOperandsApart(const StepOp &step);
  LogicalResult checkAtlas();

  graph::RegionOp findRegion(trf::TypedRegion region) const {
    auto found =
        llvm::find_if(regions, [&](graph::RegionOp op) { return op.getRegion() == region; });
    return found == regions.end() ? graph::RegionOp() : *found;
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
  Pieces pieces;
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
  int64_t end = 0;
  graph::RegionOp pool; // the first pooled region; others may be the same place
  for (graph::RegionOp region : regions) {
    if (findRegion(region.getRegion()) != region)
      return region.emitOpError("expected each region once, but got '")
             << spell(region.getRegion()) << "' again";
    bool pooled = region.getRegion().region.isPooled();
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
  llvm::DenseMap<unsigned, int64_t> ends;
  for (graph::TensorOp tensor : tensors) {
    if (int64_t(tensor.getLayer()) >= layerCount)
      return badId(tensor, "a layer", tensor.getLayer(), layerCount);
    if (tensor.getShapes().size() != variants.size())
      return tensor.emitOpError("expected ")
             << variants.size() << " shapes, one for each variant, but got "
             << tensor.getShapes().size();
    if (!tensor.getSlot() || !tensor.getOffset())
      return tensor.emitOpError("expected a slot and an offset");
    if (failed(tensor.getParent() ? checkRun(tensor) : checkSlot(tensor)))
      return failure();
    int64_t offset = *tensor.getOffset(), bytes = *tensor.getSlot();
    graph::RegionOp region = findRegion(tensor.getRegion());
    if (!region)
      return tensor.emitOpError("expected the program to place region '")
             << spell(tensor.getRegion()) << "', but got no tr.graph.region of it";
    int64_t begin = region.getOffset(), size = region.getBytes();
    if (offset < begin || bytes > size || offset - begin > size - bytes)
      return tensor.emitOpError("expected a slot inside region '")
             << spell(region.getRegion()) << "' of " << size << " bytes at " << begin
             << ", but got " << bytes << " bytes at " << offset;
    int64_t &end = ends[toKey(tensor.getRegion())];
    if (!tensor.getRegion().region.isPooled() && offset < end)
      return tensor.emitOpError("expected an offset of at least ")
             << end << ", where the tensor before ends, but got " << offset;
    end = std::max(end, offset + bytes);
  }
  return success();
}

LogicalResult GraphVerifier::checkRun(graph::TensorOp tensor) {
  if (*tensor.getParent() >= int64_t(tensors.size()))
    return badId(tensor, "a parent", *tensor.getParent(), tensors.size());
  graph::TensorOp parent = tensors[*tensor.getParent()];
  if (tensor.getSlot() != parent.getSlot() || tensor.getOffset() != parent.getOffset())
    return tensor.emitOpError("expected the slot and the offset of its parent '")
           << parent.getName() << "'";
  return success();
}

LogicalResult GraphVerifier::checkSlot(graph::TensorOp tensor) {
  for (auto shape : tensor.getShapes().getAsRange<DenseI64ArrayAttr>()) {
    int64_t bytes = trf::bytesOf(tensor.getDtype());
    for (int64_t dim : shape.asArrayRef())
      if (llvm::MulOverflow(bytes, dim, bytes) || bytes > int64_t(*tensor.getSlot()))
        return tensor.emitOpError("expected a slot that holds shape ")
               << shape << ", but got " << *tensor.getSlot() << " bytes";
  }
  return success();
}

// One range op updates all weights, so gradients and moments lie like the weights.
LogicalResult GraphVerifier::checkOptimizerOrder() {
  llvm::DenseMap<unsigned, SmallVector<graph::TensorOp>> byRegion;
  for (graph::TensorOp tensor : tensors)
    byRegion[toKey(tensor.getRegion())].push_back(tensor);
  auto tensorsOf = [&](trf::Role role, trf::Group group) {
    return byRegion.lookup(toKey({{role, group}, trf::row(role).home}));
  };
  using trf::Role;
  for (const trf::GroupRow &group : trf::kGroups) {
    SmallVector<graph::TensorOp> weights = tensorsOf(Role::Weight, group.value);
    for (Role role : {Role::Gradient, Role::Moment1, Role::Moment2}) {
      SmallVector<graph::TensorOp> partners = tensorsOf(role, group.value);
      if (partners.empty())
        continue;
      std::string name = trf::regionName({role, group.value});
      if (partners.size() != weights.size())
        return program.emitOpError("expected ")
               << weights.size() << " tensors in region '" << name
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
    auto id = static_cast<uint32_t>(subgraph.getId());
    if (!seen.insert({{subgraph.getGraph(), id}, subgraph}).second)
      return subgraph.emitOpError("expected one subgraph '")
             << spell(subgraph.getId()) << "' in graph " << subgraph.getGraph()
             << ", but got a second one";
    for (Operation &op : subgraph.getBody().front()) {
      opOwners.push_back(subgraph);
      auto compute = dyn_cast<graph::ComputeOp>(op);
      if (failed(compute ? checkCompute(compute) : checkRange(cast<graph::RangeOp>(op))))
        return failure();
    }
  }
  for (graph::VariantOp variant : variants)
    for (uint32_t id = 0; id < trf::kCount<trf::Subgraph>; ++id)
      if (!seen.contains({variant.getGraph(), id}))
        return variant.emitOpError("expected a graph with all subgraphs, but graph ")
               << variant.getGraph() << " has no '" << spell(static_cast<trf::Subgraph>(id)) << "'";
  return success();
}

LogicalResult GraphVerifier::checkOperand(Operation *op, const trf::OperandInfo &operand,
                                          trf::Instance instance, int64_t id,
                                          std::optional<trf::DType> &anyType) {
  if (id < 0)
    return success();
  if (id >= int64_t(tensors.size()))
    return badId(op, "a tensor", id, tensors.size());
  trf::DType got = tensors[id].getDtype();
  std::optional<trf::DType> expected = trf::typeOf(operand.type, instance);
  if (operand.type == trf::OperandType::Any)
    expected = anyType = anyType.value_or(got);
  if (operand.type == trf::OperandType::I) // which of the two, shapes tell
    expected = got == trf::DType::I32 ? trf::DType::I32 : trf::DType::U8;
  if (tensors[id].getParent() && !operand.takesPitch())
    return op->emitOpError("expected a whole tensor for operand '")
           << toRef(operand.name) << "', but '" << tensors[id].getName()
           << "' is channels of another one";
  if (got != *expected)
    return op->emitOpError("expected ")
           << spell(*expected) << " for operand '" << toRef(operand.name) << "', but tensor '"
           << tensors[id].getName() << "' is " << spell(got);
  return success();
}

LogicalResult GraphVerifier::checkCompute(graph::ComputeOp op) {
  if (int64_t(op.getLayer()) >= layerCount)
    return badId(op, "a layer", op.getLayer(), layerCount);
  std::optional<trf::DType> anyType;
  for (auto [operand, id] : llvm::zip_equal(trf::info(op.getKernel()).operands, op.getTensors()))
    if (failed(checkOperand(op, operand, op.getInstance(), id, anyType)))
      return failure();
  return success();
}

LogicalResult GraphVerifier::checkRange(graph::RangeOp op) {
  std::optional<trf::DType> anyType;
  ArrayRef<int64_t> ids = op.getTensors();
  std::optional<int64_t> length;
  unsigned range = 0;
  for (const trf::OperandInfo &operand : trf::info(op.getKernel()).operands) {
    if (!operand.isRun()) {
      if (failed(checkOperand(op, operand, trf::Instance{}, ids.front(), anyType)))
        return failure();
      ids = ids.drop_front();
      continue;
    }
    FailureOr<graph::RegionRun> run = graph::findRun(op, range++, regions);
    if (failed(run))
      return failure();
    graph::RegionOp first = regions[run->first], last = regions[run->last];
    int64_t bytes = last.getOffset() + last.getBytes() - first.getOffset();
    if (length && *length != bytes)
      return op.emitOpError("expected ranges of equal length, but operand '")
             << toRef(operand.name) << "' has " << bytes << " bytes and the first range "
             << *length;
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
    if (pieces.getRoot(a) == pieces.getRoot(b))
      return pieces.overlap(a, b);
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
      bool allowed =
          llvm::is_contained(step.inPlace, std::make_pair(in, out)) && pieces.getRoot(in) == in &&
          pieces.getRoot(out) == out && extents[in].offset == extents[out].offset &&
          extents[in].bytes == extents[out].bytes && haveEqualSizes(tensors[in], tensors[out]);
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
  pieces = getPieces(program);
  for (const StepOp &step : stepOps)
    if (failed(checkOperandsApart(step)))
      return failure();
  ScheduleDags dags(program, stepOps);
  for (auto schedule : program.getOps<graph::ScheduleOp>()) {
    std::vector<bool> seen(opOwners.size(), false);
    for (int64_t node : schedule.getNodes()) {
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
      auto expected = static_cast<trf::Subgraph>(id);
      if (subgraph.getId() != expected || subgraph.getGraph() != variant.getGraph())
        return row.emitOpError("expected '")
               << spell(expected) << "' of graph " << variant.getGraph() << " at entry " << id
               << ", but got '" << spell(subgraph.getId()) << "' of graph " << subgraph.getGraph();
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
