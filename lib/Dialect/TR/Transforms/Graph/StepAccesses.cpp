// SPDX-License-Identifier: Apache-2.0
//
// Operand roles of the kernel-op table applied to a program.
#include "StepAccesses.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace tr;

namespace {

class Collector {
public:
  explicit Collector(graph::ProgramOp program) : program(program) {
    for (auto tensor : program.getOps<graph::TensorOp>())
      byRegion[toKey(tensor.getRegion())].push_back(static_cast<uint32_t>(tensorCount++));
  }

  FailureOr<std::vector<StepOp>> run() {
    std::vector<StepOp> ops;
    for (auto subgraph : program.getOps<graph::SubgraphOp>())
      for (Operation &op : subgraph.getBody().front()) {
        StepOp &step = ops.emplace_back();
        step.op = &op;
        step.graph = subgraph.getGraph();
        auto compute = dyn_cast<graph::ComputeOp>(op);
        if (failed(compute ? collect(compute, step) : collect(cast<graph::RangeOp>(op), step)))
          return failure();
      }
    if (failed(checkSchedules(static_cast<int64_t>(ops.size()))))
      return failure();
    return ops;
  }

private:
  LogicalResult collect(graph::ComputeOp compute, StepOp &step) const;
  LogicalResult collect(graph::RangeOp range, StepOp &step) const;
  LogicalResult addTensor(const trf::OperandInfo &operand, int64_t id, StepOp &step) const;
  LogicalResult checkSchedules(int64_t count);

  graph::ProgramOp program;
  llvm::DenseMap<unsigned, SmallVector<uint32_t>> byRegion;
  int64_t tensorCount = 0;
};

LogicalResult Collector::addTensor(const trf::OperandInfo &operand, int64_t id,
                                   StepOp &step) const {
  if (id < 0)
    return success();
  if (id >= tensorCount)
    return step.op->emitOpError("expected one of ")
           << tensorCount << " tensors as operand '" << toRef(operand.name) << "', but got " << id;
  if (operand.reads())
    step.accesses.reads.push_back(static_cast<uint32_t>(id));
  if (operand.writes())
    step.accesses.writes.push_back(static_cast<uint32_t>(id));
  return success();
}

LogicalResult Collector::collect(graph::ComputeOp compute, StepOp &step) const {
  const trf::OpInfo &info = trf::info(compute.getKernel());
  ArrayRef<int64_t> ids = compute.getTensors();
  for (auto [operand, id] : llvm::zip_equal(info.operands, ids))
    if (failed(addTensor(operand, id, step)))
      return failure();
  for (auto [out, outId] : llvm::zip_equal(info.operands, ids))
    for (auto [in, inId] : llvm::enumerate(ids))
      if (outId >= 0 && inId >= 0 && inId != outId && out.mayLieOn(static_cast<uint32_t>(in)))
        step.inPlace.push_back({static_cast<uint32_t>(inId), static_cast<uint32_t>(outId)});
  return success();
}

LogicalResult Collector::collect(graph::RangeOp range, StepOp &step) const {
  const trf::OpInfo &info = trf::info(range.getKernel());
  ArrayRef<int64_t> ids = range.getTensors();
  ArrayRef<Attribute> lists = range.getRanges().getValue();
  for (const trf::OperandInfo &operand : info.operands) {
    if (!operand.isRun()) {
      if (failed(addTensor(operand, ids.front(), step)))
        return failure();
      ids = ids.drop_front();
      continue;
    }
    for (auto region : cast<ArrayAttr>(lists.front()).getAsRange<TypedRegionAttr>()) {
      auto tensors = byRegion.find(toKey(region.getValue()));
      if (tensors == byRegion.end())
        continue;
      if (operand.reads())
        llvm::append_range(step.accesses.reads, tensors->second);
      if (operand.writes())
        llvm::append_range(step.accesses.writes, tensors->second);
    }
    lists = lists.drop_front();
  }
  return success();
}

LogicalResult Collector::checkSchedules(int64_t count) {
  for (auto schedule : program.getOps<graph::ScheduleOp>())
    for (int64_t node : schedule.getNodes())
      if (node >= count)
        return schedule.emitOpError("expected a kernel op below ") << count << ", but got " << node;
  return success();
}

} // namespace

FailureOr<std::vector<StepOp>> tr::collectStepOps(graph::ProgramOp program) {
  return Collector(program).run();
}

std::vector<Extent> tr::getExtents(graph::ProgramOp program) {
  std::vector<Extent> extents;
  for (auto tensor : program.getOps<graph::TensorOp>()) {
    if (!tensor.getOffset() || !tensor.getSlot())
      return {};
    extents.push_back(
        {static_cast<int64_t>(*tensor.getOffset()), static_cast<int64_t>(*tensor.getSlot())});
  }
  return extents;
}

SmallVector<int64_t> tr::flattenEdges(ArrayRef<SmallVector<uint32_t, 2>> before) {
  SmallVector<int64_t> edges;
  for (auto [to, list] : llvm::enumerate(before))
    for (uint32_t from : list) {
      edges.push_back(from);
      edges.push_back(static_cast<int64_t>(to));
    }
  return edges;
}
