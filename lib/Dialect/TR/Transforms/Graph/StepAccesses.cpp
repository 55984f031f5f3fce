// SPDX-License-Identifier: Apache-2.0
//
// Operand roles of the kernel-op table applied to a program.
#include "StepAccesses.h"

#include "renaissance/Target/PlanTables.h"

#include <array>

using namespace mlir;
using namespace tr;

namespace {

class Collector {
public:
  explicit Collector(graph::ProgramOp program) : program(program) {
    for (auto tensor : program.getOps<graph::TensorOp>()) {
      plan::Region region = *plan::symbolizeRegion(tensor.getRegion());
      byRegion[static_cast<uint32_t>(region)].push_back(static_cast<uint32_t>(tensorCount++));
    }
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
    return ops;
  }

private:
  LogicalResult collect(graph::ComputeOp compute, StepOp &step) const;
  LogicalResult collect(graph::RangeOp range, StepOp &step) const;
  LogicalResult addTensor(const plan::OperandInfo &operand, int64_t id, StepOp &step) const;

  graph::ProgramOp program;
  std::array<SmallVector<uint32_t>, plan::kRegionCount> byRegion;
  int64_t tensorCount = 0;
};

LogicalResult Collector::addTensor(const plan::OperandInfo &operand, int64_t id,
                                   StepOp &step) const {
  if (id < 0)
    return success();
  if (id >= tensorCount)
    return step.op->emitOpError("expected one of ")
           << tensorCount << " tensors as operand '" << operand.name << "', but got " << id;
  if (operand.reads())
    step.accesses.reads.push_back(static_cast<uint32_t>(id));
  if (operand.writes())
    step.accesses.writes.push_back(static_cast<uint32_t>(id));
  return success();
}

LogicalResult Collector::collect(graph::ComputeOp compute, StepOp &step) const {
  const plan::KernelInfo &info = plan::getInfo(*plan::symbolizeKernel(compute.getKernel()));
  ArrayRef<int64_t> ids = compute.getTensors();
  for (auto [operand, id] : llvm::zip_equal(info.operands, ids))
    if (failed(addTensor(operand, id, step)))
      return failure();
  for (auto [out, outId] : llvm::zip_equal(info.operands, ids)) {
    if (out.over.empty() || outId < 0)
      continue;
    for (auto [in, inId] : llvm::zip_equal(info.operands, ids))
      if (inId >= 0 && inId != outId && out.mayLieOn(in))
        step.inPlace.push_back({static_cast<uint32_t>(inId), static_cast<uint32_t>(outId)});
  }
  return success();
}

LogicalResult Collector::collect(graph::RangeOp range, StepOp &step) const {
  const plan::KernelInfo &info = plan::getInfo(*plan::symbolizeKernel(range.getKernel()));
  ArrayRef<int64_t> ids = range.getTensors();
  ArrayRef<Attribute> pairs = range.getRanges().getValue();
  for (const plan::OperandInfo &operand : info.operands) {
    if (!operand.range) {
      if (failed(addTensor(operand, ids.front(), step)))
        return failure();
      ids = ids.drop_front();
      continue;
    }
    auto pair = cast<ArrayAttr>(pairs.front());
    pairs = pairs.drop_front();
    auto bound = [&](unsigned i) {
      return static_cast<uint32_t>(*plan::symbolizeRegion(cast<StringAttr>(pair[i]).getValue()));
    };
    for (uint32_t region = bound(0); region <= bound(1); ++region) {
      if (operand.reads())
        llvm::append_range(step.accesses.reads, byRegion[region]);
      if (operand.writes())
        llvm::append_range(step.accesses.writes, byRegion[region]);
    }
  }
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
