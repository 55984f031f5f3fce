// SPDX-License-Identifier: Apache-2.0
//
// --tr-graph-share-variants: variants of equal topology run one graph;
// the atlas tells each variant its subgraphs and their captures.
#include "../LevelPass.h"

#include "renaissance/Dialect/TR/Transforms/Counts.h"
#include "renaissance/Dialect/TR/Transforms/Passes.h"
#include "renaissance/Dialect/TR/Transforms/Trace.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

#include <array>
#include <map>

namespace tr {
#define GEN_PASS_DEF_GRAPHSHAREVARIANTS
#include "renaissance/Dialect/TR/Transforms/GraphPasses.h.inc"
} // namespace tr

using namespace mlir;
using namespace tr;
using trf::Subgraph;

namespace {
constexpr StringLiteral kFlag = "tr-graph-share-variants";

using Subgraphs = std::array<graph::SubgraphOp, trf::kCount<Subgraph>>;

uint32_t idOf(graph::SubgraphOp subgraph) { return static_cast<uint32_t>(subgraph.getId()); }

bool isEqual(graph::SubgraphOp a, graph::SubgraphOp b) {
  Block &left = a.getBody().front(), &right = b.getBody().front();
  if (a.getReasonAttr() != b.getReasonAttr() ||
      left.getOperations().size() != right.getOperations().size())
    return false;
  for (auto [x, y] : llvm::zip_equal(left, right))
    if (!OperationEquivalence::isEquivalentTo(&x, &y, OperationEquivalence::IgnoreLocations))
      return false;
  return true;
}

class Sharing {
public:
  explicit Sharing(graph::ProgramOp program) : program(program) {}

  LogicalResult run();
  int64_t captureCount = 0;

private:
  LogicalResult collect();
  LogicalResult complete();
  // What schedules count on: subgraphs in order, with their graphs.
  SmallVector<std::pair<Operation *, int64_t>> getOrder() const {
    SmallVector<std::pair<Operation *, int64_t>> order;
    graph::ProgramOp op = program;
    for (auto subgraph : op.getOps<graph::SubgraphOp>())
      order.push_back({subgraph, int64_t(subgraph.getGraph())});
    return order;
  }
  void merge();
  void renumber();
  void setShapeIds();
  void findVaryingTensors();
  bool varies(graph::SubgraphOp subgraph) const;
  void writeAtlas();

  graph::ProgramOp program;
  SmallVector<graph::VariantOp> variants;
  llvm::MapVector<int64_t, Subgraphs> graphs;
  llvm::DenseSet<int64_t> varyingTensors; // whose shape is not the same everywhere
};

LogicalResult Sharing::run() {
  if (failed(collect()))
    return failure();
  auto before = getOrder();
  if (failed(complete()))
    return failure();
  findVaryingTensors();
  merge();
  renumber();
  if (!program.getOps<graph::ScheduleOp>().empty() && before != getOrder())
    return program.emitOpError("expected no schedules yet, but got some, whose kernel ops would "
                               "have other numbers; run --tr-graph-schedule after this pass");
  for (graph::AtlasOp atlas : llvm::to_vector(program.getOps<graph::AtlasOp>()))
    atlas.erase();
  setShapeIds();
  writeAtlas();
  return success();
}

LogicalResult Sharing::collect() {
  variants = llvm::to_vector(program.getOps<graph::VariantOp>());
  for (auto subgraph : program.getOps<graph::SubgraphOp>()) {
    graphs[subgraph.getGraph()][idOf(subgraph)] = subgraph;
  }
  if (graphs.empty())
    return program.emitOpError("expected subgraphs; --tr-arch-to-graph makes them");
  if (variants.empty())
    return program.emitOpError("expected at least one variant, but got none");
  for (graph::VariantOp variant : variants)
    graphs.insert({variant.getGraph(), Subgraphs{}});
  return success();
}

// A graph other than graph 0 may list only what differs; it gets clones of the rest.
LogicalResult Sharing::complete() {
  graph::SubgraphOp last;
  for (auto subgraph : program.getOps<graph::SubgraphOp>())
    last = subgraph;
  OpBuilder builder(program.getContext());
  builder.setInsertionPointAfter(last);
  auto base = graphs.find(0);
  for (auto &[number, subgraphs] : graphs)
    for (uint32_t i = 0; i < trf::kCount<Subgraph>; ++i) {
      if (subgraphs[i])
        continue;
      if (base == graphs.end() || !base->second[i])
        return program.emitOpError("expected subgraph '")
               << spell(static_cast<Subgraph>(i)) << "' in graph " << number
               << (number == 0 ? "" : " or in graph 0") << ", but got none";
      subgraphs[i] = cast<graph::SubgraphOp>(builder.clone(*base->second[i]));
      subgraphs[i].setGraph(number);
    }
  return success();
}

void Sharing::merge() {
  llvm::MapVector<int64_t, Subgraphs> kept;
  for (auto &[number, subgraphs] : graphs) {
    bool used =
        llvm::any_of(variants, [&](graph::VariantOp v) { return int64_t(v.getGraph()) == number; });
    auto same = llvm::find_if(kept, [&](auto &other) {
      return llvm::all_of(llvm::zip_equal(other.second, subgraphs),
                          [](auto pair) { return isEqual(std::get<0>(pair), std::get<1>(pair)); });
    });
    if (used && same == kept.end()) {
      kept.insert({number, subgraphs});
      continue;
    }
    for (graph::SubgraphOp subgraph : subgraphs)
      subgraph.erase();
    for (graph::VariantOp variant : variants)
      if (used && int64_t(variant.getGraph()) == number)
        variant.setGraph(same->first);
  }
  graphs = std::move(kept);
}

// Numbers in order of appearance, subgraphs of a graph together and in id order.
void Sharing::renumber() {
  Operation *place = nullptr;
  int64_t next = 0;
  llvm::DenseMap<int64_t, int64_t> numbers;
  for (auto &[number, subgraphs] : graphs) {
    numbers[number] = next;
    for (graph::SubgraphOp subgraph : subgraphs) {
      subgraph.setGraph(next);
      if (place)
        subgraph->moveAfter(place);
      place = subgraph;
    }
    ++next;
  }
  for (graph::VariantOp variant : variants)
    variant.setGraph(numbers.lookup(variant.getGraph()));
}

void Sharing::findVaryingTensors() {
  for (auto tensor : program.getOps<graph::TensorOp>()) {
    if (!llvm::all_equal(tensor.getShapes()))
      varyingTensors.insert(tensor.getId());
  }
}

// Attributes are unique, so a column of shapes is compared by addresses.
void Sharing::setShapeIds() {
  SmallVector<std::vector<const void *>> columns(variants.size());
  for (auto tensor : program.getOps<graph::TensorOp>())
    for (auto [column, shape] : llvm::zip_equal(columns, tensor.getShapes()))
      column.push_back(shape.getAsOpaquePointer());
  int64_t next = 0;
  for (size_t v = 0; v < variants.size(); ++v) {
    size_t same = 0;
    while (columns[same] != columns[v])
      ++same;
    variants[v].setShapeId(same == v ? next++ : int64_t(variants[same].getShapeId()));
  }
}

bool Sharing::varies(graph::SubgraphOp subgraph) const {
  auto isVarying = [&](int64_t id) { return varyingTensors.contains(id); };
  return llvm::any_of(subgraph.getBody().front(), [&](Operation &op) {
    // Range ops work on bytes of whole regions, not on shapes.
    auto compute = dyn_cast<graph::ComputeOp>(op);
    return compute && llvm::any_of(compute.getTensors(), isVarying);
  });
}

void Sharing::writeAtlas() {
  llvm::DenseMap<Operation *, int64_t> positions;
  llvm::DenseMap<Operation *, bool> varying;
  for (auto subgraph : program.getOps<graph::SubgraphOp>()) {
    positions.insert({subgraph, static_cast<int64_t>(positions.size())});
    varying[subgraph] = varies(subgraph);
  }
  std::map<std::pair<int64_t, int64_t>, int64_t> captures; // (position, shape id)
  OpBuilder builder = OpBuilder::atBlockEnd(&program.getBody().front());
  for (graph::VariantOp variant : variants) {
    SmallVector<int64_t> places(trf::kCount<Subgraph>, -1), numbers(trf::kCount<Subgraph>, -1);
    for (auto [i, subgraph] : llvm::enumerate(graphs[variant.getGraph()])) {
      if (!trf::row(static_cast<Subgraph>(i)).isRunBy(variant.getTraining()) ||
          subgraph.getBody().front().empty())
        continue;
      places[i] = positions.lookup(subgraph);
      int64_t shapeId = varying.lookup(subgraph) ? int64_t(variant.getShapeId()) : -1;
      auto key = std::make_pair(places[i], shapeId);
      numbers[i] = captures.insert({key, static_cast<int64_t>(captures.size())}).first->second;
    }
    graph::AtlasOp::create(builder, variant.getLoc(), variant.getName(), places, numbers);
    trace(variant.getLoc(), kFlag, [&] {
      return llvm::formatv("{0}: graph {1}, shapes {2}, {3} captures so far", variant.getName(),
                           int64_t(variant.getGraph()), int64_t(variant.getShapeId()),
                           captures.size());
    });
  }
  captureCount = static_cast<int64_t>(captures.size());
}

struct GraphShareVariantsPass
    : LevelPass<tr::impl::GraphShareVariantsBase<GraphShareVariantsPass>, graph::ProgramOp> {
  LogicalResult runOn(graph::ProgramOp program) override {
    Sharing sharing(program);
    if (failed(sharing.run()))
      return failure();
    addCount(numCaptures, kFlag, "num-captures", sharing.captureCount, program);
    return success();
  }
};

} // namespace
