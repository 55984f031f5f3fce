// SPDX-License-Identifier: Apache-2.0
//
// --tr-graph-schedule: which subgraphs a step runs, and the DAG of their kernel ops.
#include "StepDag.h"

#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Target/PlanTables.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

#include <array>

namespace tr {
#define GEN_PASS_DEF_GRAPHSCHEDULE
#include "renaissance/Dialect/TR/Transforms/GraphPasses.h.inc"
} // namespace tr

using namespace mlir;
using namespace tr;
using plan::Subgraph;

namespace {

struct ScheduleContent {
  plan::Schedule schedule;
  bool training;
  SmallVector<Subgraph, 20> subgraphs; // in the order that a single stream would run
};

SmallVector<Subgraph, 20> trainingStep(Subgraph transfer, Subgraph forward, Subgraph backward) {
  return {transfer,
          Subgraph::ZeroGrad,
          forward,
          Subgraph::DeepFwdBwd,
          Subgraph::CastDeepGradFp16ToFp32,
          Subgraph::DeepComm,
          backward,
          Subgraph::CastFirstGradFp16ToFp32,
          Subgraph::FirstComm,
          Subgraph::NanCheckAndGradScaling,
          Subgraph::StatsComm,
          Subgraph::UpdateStats,
          Subgraph::LarsFcOpt,
          Subgraph::LarsFirstConvOpt,
          Subgraph::LarsDeepConvOpt,
          Subgraph::Optimizer,
          Subgraph::EmaUpdate,
          Subgraph::CastMainFp32ToFp16,
          Subgraph::AccumMetrics};
}

SmallVector<ScheduleContent, 6> getContents() {
  using S = plan::Schedule;
  using G = Subgraph;
  return {{S::TrainA, true, trainingStep(G::TransferA, G::FirstLayerFwdA, G::FirstLayerBwdA)},
          {S::TrainB, true, trainingStep(G::TransferB, G::FirstLayerFwdB, G::FirstLayerBwdB)},
          {S::ValA, false, {G::TransferA, G::InfMainA, G::AccumMetricsValLast}},
          {S::ValB, false, {G::TransferB, G::InfMainB, G::AccumMetricsValLast}},
          {S::InferA, false, {G::TransferA, G::InfMainA}},
          {S::InferB, false, {G::TransferB, G::InfMainB}}};
}

struct GraphInfo {
  bool trains = false, validates = false;
  std::array<SmallVector<std::pair<Operation *, int64_t>>, plan::kSubgraphCount> ops;
};

class Scheduler {
public:
  explicit Scheduler(graph::ProgramOp program) : program(program) {}

  LogicalResult run(int64_t &nodes, int64_t &edges);

private:
  LogicalResult collect();
  LogicalResult addTensor(Operation *op, const plan::OperandInfo &operand, int64_t id,
                          Accesses &accesses) const;
  LogicalResult getAccesses(Operation *op, Accesses &accesses) const;
  LogicalResult write(OpBuilder &builder, int64_t graph, const GraphInfo &info,
                      const ScheduleContent &content, int64_t &nodes, int64_t &edges);

  graph::ProgramOp program;
  llvm::MapVector<int64_t, GraphInfo> graphs;
  std::array<SmallVector<uint32_t>, plan::kRegionCount> byRegion;
  int64_t tensorCount = 0;
};

LogicalResult Scheduler::run(int64_t &nodes, int64_t &edges) {
  for (graph::ScheduleOp schedule : llvm::to_vector(program.getOps<graph::ScheduleOp>()))
    schedule.erase();
  if (failed(collect()))
    return failure();
  OpBuilder builder(program.getContext());
  builder.setInsertionPointToEnd(&program.getBody().front());
  auto atlas = program.getOps<graph::AtlasOp>();
  if (!atlas.empty())
    builder.setInsertionPoint(*atlas.begin());
  for (const auto &[graph, info] : graphs)
    for (const ScheduleContent &content : getContents())
      if (content.training ? info.trains : info.validates)
        if (failed(write(builder, graph, info, content, nodes, edges)))
          return failure();
  return success();
}

LogicalResult Scheduler::collect() {
  for (auto tensor : program.getOps<graph::TensorOp>()) {
    plan::Region region = *plan::symbolizeRegion(tensor.getRegion());
    byRegion[static_cast<uint32_t>(region)].push_back(static_cast<uint32_t>(tensorCount++));
  }
  int64_t position = 0;
  for (auto subgraph : program.getOps<graph::SubgraphOp>()) {
    GraphInfo &info = graphs[subgraph.getGraph()];
    auto id = static_cast<uint32_t>(*plan::symbolizeSubgraph(subgraph.getName()));
    for (Operation &op : subgraph.getBody().front())
      info.ops[id].push_back({&op, position++});
  }
  if (graphs.empty())
    return program.emitOpError("expected subgraphs; --tr-graph-build makes them");
  for (auto variant : program.getOps<graph::VariantOp>()) {
    auto found = graphs.find(variant.getGraph());
    if (found == graphs.end())
      return variant.emitOpError("expected a graph with subgraphs, but got graph ")
             << variant.getGraph();
    (variant.getTraining() ? found->second.trains : found->second.validates) = true;
  }
  return success();
}

LogicalResult Scheduler::addTensor(Operation *op, const plan::OperandInfo &operand, int64_t id,
                                   Accesses &accesses) const {
  if (id < 0)
    return success();
  if (id >= tensorCount)
    return op->emitOpError("expected one of ")
           << tensorCount << " tensors as operand '" << operand.name << "', but got " << id;
  if (operand.reads())
    accesses.reads.push_back(static_cast<uint32_t>(id));
  if (operand.writes())
    accesses.writes.push_back(static_cast<uint32_t>(id));
  return success();
}

LogicalResult Scheduler::getAccesses(Operation *op, Accesses &accesses) const {
  if (auto compute = dyn_cast<graph::ComputeOp>(op)) {
    const plan::KernelInfo &info = plan::getInfo(*plan::symbolizeKernel(compute.getKernel()));
    for (auto [operand, id] : llvm::zip_equal(info.operands, compute.getTensors()))
      if (failed(addTensor(op, operand, id, accesses)))
        return failure();
    return success();
  }
  auto range = cast<graph::RangeOp>(op);
  const plan::KernelInfo &info = plan::getInfo(*plan::symbolizeKernel(range.getKernel()));
  ArrayRef<int64_t> ids = range.getTensors();
  ArrayRef<Attribute> pairs = range.getRanges().getValue();
  for (const plan::OperandInfo &operand : info.operands) {
    if (!operand.range) {
      if (failed(addTensor(op, operand, ids.front(), accesses)))
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
        llvm::append_range(accesses.reads, byRegion[region]);
      if (operand.writes())
        llvm::append_range(accesses.writes, byRegion[region]);
    }
  }
  return success();
}

LogicalResult Scheduler::write(OpBuilder &builder, int64_t graph, const GraphInfo &info,
                               const ScheduleContent &content, int64_t &nodeCount,
                               int64_t &edgeCount) {
  SmallVector<int64_t> nodes, edges;
  std::vector<Accesses> accesses;
  for (Subgraph id : content.subgraphs)
    for (auto [op, position] : info.ops[static_cast<uint32_t>(id)]) {
      nodes.push_back(position);
      if (failed(getAccesses(op, accesses.emplace_back())))
        return failure();
    }
  auto before = buildStepDag(accesses, tensorCount);
  for (auto [to, list] : llvm::enumerate(before))
    for (uint32_t from : list) {
      edges.push_back(from);
      edges.push_back(static_cast<int64_t>(to));
    }
  graph::ScheduleOp::create(builder, program.getLoc(), plan::stringify(content.schedule), graph,
                            nodes, edges);
  nodeCount += static_cast<int64_t>(nodes.size());
  edgeCount += static_cast<int64_t>(edges.size() / 2);
  return success();
}

struct GraphSchedulePass : tr::impl::GraphScheduleBase<GraphSchedulePass> {
  void runOnOperation() override {
    int64_t nodes = 0, edges = 0;
    if (failed(Scheduler(getOperation()).run(nodes, edges)))
      return signalPassFailure();
    numNodes += nodes;
    numEdges += edges;
  }
};

} // namespace
