// SPDX-License-Identifier: Apache-2.0
//
// Operand roles of the kernel-op table applied to a program.
#include "StepAccesses.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <set>

using namespace mlir;
using namespace tr;

namespace {

class Collector {
public:
  explicit Collector(graph::ProgramOp program) : program(program) {
    uint32_t id = 0;
    for (auto tensor : program.getOps<graph::TensorOp>())
      byRegion[toKey(tensor.getRegion())].push_back(id++);
  }

  std::vector<StepOp> run() {
    std::vector<StepOp> ops;
    for (auto subgraph : program.getOps<graph::SubgraphOp>())
      for (Operation &op : subgraph.getBody().front()) {
        StepOp &step = ops.emplace_back();
        step.op = &op;
        step.graph = subgraph.getGraph();
        auto compute = dyn_cast<graph::ComputeOp>(op);
        if (compute)
          collect(compute, step);
        else
          collect(cast<graph::RangeOp>(op), step);
      }
    return ops;
  }

private:
  void collect(graph::ComputeOp compute, StepOp &step) const;
  void collect(graph::RangeOp range, StepOp &step) const;
  static void addTensor(const trf::OperandInfo &operand, int64_t id, StepOp &step);

  graph::ProgramOp program;
  llvm::DenseMap<unsigned, SmallVector<uint32_t>> byRegion;
};

void Collector::addTensor(const trf::OperandInfo &operand, int64_t id, StepOp &step) {
  if (id < 0)
    return;
  if (operand.reads())
    step.accesses.reads.push_back(static_cast<uint32_t>(id));
  if (operand.writes())
    step.accesses.writes.push_back(static_cast<uint32_t>(id));
}

void Collector::collect(graph::ComputeOp compute, StepOp &step) const {
  const trf::OpInfo &info = trf::info(compute.getKernel());
  ArrayRef<int64_t> ids = compute.getTensors();
  for (auto [operand, id] : llvm::zip_equal(info.operands, ids))
    addTensor(operand, id, step);
  for (auto [out, outId] : llvm::zip_equal(info.operands, ids))
    for (auto [in, inId] : llvm::enumerate(ids))
      if (outId >= 0 && inId >= 0 && inId != outId && out.mayLieOn(static_cast<uint32_t>(in)))
        step.inPlace.push_back({static_cast<uint32_t>(inId), static_cast<uint32_t>(outId)});
}

void Collector::collect(graph::RangeOp range, StepOp &step) const {
  const trf::OpInfo &info = trf::info(range.getKernel());
  ArrayRef<int64_t> ids = range.getTensors();
  ArrayRef<Attribute> lists = range.getRanges().getValue();
  for (const trf::OperandInfo &operand : info.operands) {
    if (!operand.isRun()) {
      addTensor(operand, ids.front(), step);
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
}

} // namespace

std::vector<StepOp> tr::collectStepOps(graph::ProgramOp program) {
  return Collector(program).run();
}

Pieces tr::getPieces(graph::ProgramOp program) {
  struct Channels {
    uint32_t root;
    int64_t begin, end;
  };
  std::vector<Channels> channels;
  std::map<uint32_t, std::set<int64_t>> cuts; // of roots that have runs
  for (auto tensor : program.getOps<graph::TensorOp>()) {
    auto id = static_cast<uint32_t>(channels.size());
    int64_t count = 0;
    for (auto shape : tensor.getShapes().getAsRange<DenseI64ArrayAttr>())
      count = std::max(count, shape[3]);
    int64_t begin = tensor.getFirstChannel().value_or(0);
    channels.push_back(
        {static_cast<uint32_t>(tensor.getParent().value_or(id)), begin, begin + count});
    if (tensor.getParent())
      cuts[channels.back().root].insert({begin, begin + count});
  }
  Pieces pieces;
  std::vector<uint32_t> starts(channels.size()); // first piece of each root
  for (uint32_t id = 0; id < channels.size(); ++id) {
    if (channels[id].root != id)
      continue;
    starts[id] = static_cast<uint32_t>(pieces.roots.size());
    std::set<int64_t> &at = cuts[id];
    at.insert({0, channels[id].end});
    pieces.roots.resize(starts[id] + std::max<size_t>(1, at.size() - 1), id);
  }
  for (const Channels &run : channels) {
    std::set<int64_t> &at = cuts[run.root];
    auto place = [&](int64_t channel) {
      return starts[run.root] + static_cast<uint32_t>(std::distance(at.begin(), at.find(channel)));
    };
    // A run that no variant uses may begin where the root, unused too, has no piece any more.
    uint32_t last = starts[run.root] + static_cast<uint32_t>(std::max<size_t>(2, at.size())) - 2;
    uint32_t first = std::min(place(run.begin), last);
    pieces.spans.push_back({first, std::max(first + 1, place(run.end))});
  }
  return pieces;
}

bool tr::haveEqualSizes(graph::TensorOp a, graph::TensorOp b) {
  auto bytesOf = [](graph::TensorOp tensor, DenseI64ArrayAttr shape) {
    int64_t bytes = trf::bytesOf(tensor.getDtype());
    for (int64_t dim : shape.asArrayRef())
      bytes *= dim;
    return bytes;
  };
  if (a.getShapes() == b.getShapes() && a.getDtype() == b.getDtype())
    return true;
  return llvm::all_of_zip(
      a.getShapes().getAsRange<DenseI64ArrayAttr>(), b.getShapes().getAsRange<DenseI64ArrayAttr>(),
      [&](DenseI64ArrayAttr x, DenseI64ArrayAttr y) { return bytesOf(a, x) == bytesOf(b, y); });
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
