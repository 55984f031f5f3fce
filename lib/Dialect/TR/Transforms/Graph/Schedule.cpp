// SPDX-License-Identifier: Apache-2.0
//
// --tr-graph-schedule: which subgraphs a step runs, in which order.
#include "../LevelPass.h"

#include "renaissance/Dialect/TR/Transforms/Counts.h"
#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Dialect/TR/Transforms/Trace.h"

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
using trf::Subgraph;

namespace {
constexpr StringLiteral kFlag = "tr-graph-schedule";

// The subgraphs of a schedule in the order that a single stream would run them.
SmallVector<Subgraph, 20> getSubgraphs(const trf::ScheduleRow &schedule) {
  SmallVector<const trf::SubgraphRow *, 20> rows;
  for (const trf::SubgraphRow &row : trf::kSubgraphs)
    if (row.places[schedule.step] != 0 &&
        (row.half == trf::Half::Both || row.half == schedule.half))
      rows.push_back(&row);
  llvm::sort(rows,
             [&](auto *a, auto *b) { return a->places[schedule.step] < b->places[schedule.step]; });
  return llvm::map_to_vector<20>(rows, [](auto *row) { return row->value; });
}

struct GraphInfo {
  bool trains = false, validates = false;
  std::array<SmallVector<int64_t>, trf::kCount<Subgraph>> ops; // positions
};

class Scheduler {
public:
  explicit Scheduler(graph::ProgramOp program) : program(program) {}

  /// Returns the number of nodes.
  FailureOr<int64_t> run();

private:
  LogicalResult collect();
  int64_t write(OpBuilder &builder, int64_t graph, const GraphInfo &info,
                const trf::ScheduleRow &schedule);

  // A schedule that was there.
  struct Known {
    trf::Schedule kind;
    int64_t graph;
    DenseI64ArrayAttr nodes, edges;
  };
  // Edges follow from nodes and places, so equal nodes keep theirs.
  ArrayRef<int64_t> findEdges(trf::Schedule kind, int64_t graph, ArrayRef<int64_t> nodes) const {
    auto same = llvm::find_if(known, [&](const Known &schedule) {
      return schedule.kind == kind && schedule.graph == graph &&
             schedule.nodes.asArrayRef() == nodes;
    });
    return same == known.end() ? ArrayRef<int64_t>() : same->edges.asArrayRef();
  }

  graph::ProgramOp program;
  llvm::MapVector<int64_t, GraphInfo> graphs;
  SmallVector<Known> known;
};

FailureOr<int64_t> Scheduler::run() {
  if (failed(collect()))
    return failure();
  for (graph::ScheduleOp schedule : llvm::to_vector(program.getOps<graph::ScheduleOp>())) {
    known.push_back({schedule.getKind(), int64_t(schedule.getGraph()), schedule.getNodesAttr(),
                     schedule.getEdgesAttr()});
    schedule.erase();
  }
  OpBuilder builder(program.getContext());
  builder.setInsertionPointToEnd(&program.getBody().front());
  auto atlas = program.getOps<graph::AtlasOp>();
  if (!atlas.empty())
    builder.setInsertionPoint(*atlas.begin());
  int64_t nodes = 0;
  for (const auto &[graph, info] : graphs)
    for (const trf::ScheduleRow &schedule : trf::kSchedules)
      if (schedule.step == trf::StepKind::Train ? info.trains : info.validates)
        nodes += write(builder, graph, info, schedule);
  return nodes;
}

LogicalResult Scheduler::collect() {
  int64_t position = 0;
  for (auto subgraph : program.getOps<graph::SubgraphOp>()) {
    auto &ops = graphs[subgraph.getGraph()].ops[static_cast<size_t>(subgraph.getId())];
    for ([[maybe_unused]] Operation &op : subgraph.getBody().front())
      ops.push_back(position++);
  }
  if (graphs.empty())
    return program.emitOpError("expected subgraphs; --tr-arch-to-graph makes them");
  if (program.getOps<graph::VariantOp>().empty())
    return program.emitOpError("expected at least one variant, but got none");
  for (auto variant : program.getOps<graph::VariantOp>()) {
    auto found = graphs.find(variant.getGraph());
    if (found == graphs.end())
      return variant.emitOpError("expected a graph with subgraphs, but got graph ")
             << variant.getGraph();
    (variant.getTraining() ? found->second.trains : found->second.validates) = true;
  }
  return success();
}

int64_t Scheduler::write(OpBuilder &builder, int64_t graph, const GraphInfo &info,
                         const trf::ScheduleRow &schedule) {
  SmallVector<int64_t> nodes;
  for (Subgraph id : getSubgraphs(schedule))
    llvm::append_range(nodes, info.ops[static_cast<size_t>(id)]);
  graph::ScheduleOp::create(builder, program.getLoc(), schedule.value, graph, nodes,
                            findEdges(schedule.value, graph, nodes));
  trace(program.getLoc(), kFlag, [&] {
    return llvm::formatv("{0} of graph {1}: {2} kernel ops", toRef(schedule.name), graph,
                         nodes.size());
  });
  return static_cast<int64_t>(nodes.size());
}

struct GraphSchedulePass
    : LevelPass<tr::impl::GraphScheduleBase<GraphSchedulePass>, graph::ProgramOp> {
  LogicalResult runOn(graph::ProgramOp program) override {
    FailureOr<int64_t> nodes = Scheduler(program).run();
    if (failed(nodes))
      return failure();
    addCount(numNodes, kFlag, "num-nodes", *nodes, program);
    return success();
  }
};

} // namespace
