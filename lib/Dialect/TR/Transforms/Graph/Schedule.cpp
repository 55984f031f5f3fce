// SPDX-License-Identifier: Apache-2.0
//
// --tr-graph-schedule: which subgraphs a step runs, and the DAG of their kernel ops.
#include "ScheduleDags.h"

#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Dialect/TR/Transforms/Trace.h"
#include "renaissance/Target/PlanTables.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

#include <array>

namespace tr {
#define GEN_PASS_DEF_GRAPHSCHEDULE
#include "renaissance/Dialect/TR/Transforms/GraphPasses.h.inc"
} // namespace tr

using namespace mlir;
using namespace tr;
using plan::Subgraph;

namespace {
constexpr StringLiteral kFlag = "tr-graph-schedule";

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
  std::array<SmallVector<int64_t>, plan::kSubgraphCount> ops; // positions
};

class Scheduler {
public:
  Scheduler(graph::ProgramOp program, bool makeEdges) : program(program), makeEdges(makeEdges) {}

  LogicalResult run(int64_t &nodes, int64_t &edges);

private:
  LogicalResult collect();
  void write(OpBuilder &builder, int64_t graph, const GraphInfo &info,
             const ScheduleContent &content, int64_t &nodes, int64_t &edges);

  graph::ProgramOp program;
  bool makeEdges;
  std::vector<StepOp> ops;
  std::optional<ScheduleDags> dags;
  llvm::MapVector<int64_t, GraphInfo> graphs;
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
        write(builder, graph, info, content, nodes, edges);
  return success();
}

LogicalResult Scheduler::collect() {
  FailureOr<std::vector<StepOp>> collected = collectStepOps(program);
  if (failed(collected))
    return failure();
  ops = std::move(*collected);
  dags.emplace(program, ops);
  for (auto [position, step] : llvm::enumerate(ops)) {
    auto subgraph = cast<graph::SubgraphOp>(step.op->getParentOp());
    auto id = static_cast<uint32_t>(*plan::symbolizeSubgraph(subgraph.getName()));
    graphs[step.graph].ops[id].push_back(static_cast<int64_t>(position));
  }
  for (auto subgraph : program.getOps<graph::SubgraphOp>())
    graphs.insert({subgraph.getGraph(), GraphInfo()});
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

void Scheduler::write(OpBuilder &builder, int64_t graph, const GraphInfo &info,
                      const ScheduleContent &content, int64_t &nodeCount, int64_t &edgeCount) {
  SmallVector<int64_t> nodes;
  for (Subgraph id : content.subgraphs)
    llvm::append_range(nodes, info.ops[static_cast<uint32_t>(id)]);
  SmallVector<int64_t> edges;
  if (makeEdges)
    edges = flattenEdges(dags->getEdges(nodes));
  graph::ScheduleOp::create(builder, program.getLoc(), plan::stringify(content.schedule), graph,
                            nodes, edges);
  trace(program.getLoc(), kFlag, [&] {
    return llvm::formatv("{0} of graph {1}: {2} kernel ops, {3} edges",
                         plan::stringify(content.schedule), graph, nodes.size(), edges.size() / 2);
  });
  nodeCount += static_cast<int64_t>(nodes.size());
  edgeCount += static_cast<int64_t>(edges.size() / 2);
}

struct GraphSchedulePass : tr::impl::GraphScheduleBase<GraphSchedulePass> {
  using GraphScheduleBase::GraphScheduleBase;

  void runOnOperation() override {
    int64_t nodeCount = 0, edgeCount = 0;
    if (failed(Scheduler(getOperation(), edges).run(nodeCount, edgeCount)))
      return signalPassFailure();
    numNodes += nodeCount;
    numEdges += edgeCount;
  }
};

} // namespace
