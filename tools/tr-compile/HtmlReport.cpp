// SPDX-License-Identifier: Apache-2.0
//
// What the page of --html holds.
#include "HtmlReport.h"

#include "renaissance/Dialect/TR/IR/TRDialect.h"

#include "trf/version.h"
#include <map>

using namespace mlir;
namespace json = llvm::json;

namespace tr {
namespace {

// Names come from files and may be no UTF-8.
json::Value text(StringRef value) { return json::fixUTF8(value); }

class Collector {
public:
  explicit Collector(const ReportInput &input)
      : input(input), program(input.program), body(program.getBody().front()) {}

  json::Value run();

private:
  json::Value target();
  json::Value summary();
  json::Value decisions();
  json::Value memory();
  json::Value schedule(const ScheduleMemory &memory);
  json::Value variants();
  json::Value subgraphs();
  json::Value regions();
  json::Value ops();
  json::Value schedules();
  int64_t parameters();

  template <typename OpTy, typename Function> json::Array each(Function &&describe) {
    json::Array list;
    for (auto op : body.getOps<OpTy>())
      list.push_back(describe(op));
    return list;
  }

  const ReportInput &input;
  graph::ProgramOp program;
  Block &body;
};

json::Value Collector::target() {
  const CompileOptions &options = getOptions(program).getValues();
  return json::Object{{"optimizer", spell(options.optimizer)},
                      {"precision", spell(program.getPrecision())},
                      {"target", spell(options.target)},
                      {"slices", options.slices},
                      {"classes", static_cast<int64_t>(program.getClasses())}};
}

int64_t Collector::parameters() {
  int64_t elements = 0;
  for (auto param : body.getOps<graph::ParamOp>())
    if (static_cast<int64_t>(param.getGrad()) >= 0)
      elements += product(param.getLogical());
  return elements;
}

json::Value Collector::summary() {
  llvm::StringMap<LayerCosts> costs = collectCosts(program);
  json::Array list;
  for (const LayerRow &row : input.rows) {
    LayerCosts cost = costs.lookup(row.path);
    list.push_back(json::Object{{"path", text(row.path)},
                                {"kind", row.kind},
                                {"input", row.input},
                                {"output", row.output},
                                {"parameters", cost.parameters},
                                {"flops", cost.flops},
                                {"location", text(row.location)}});
  }
  return list;
}

json::Value Collector::decisions() {
  json::Array list;
  for (const FusionDecision &decision : input.decisions)
    list.push_back(json::Object{{"merged", decision.merged},
                                {"pass", decision.pass},
                                {"location", text(decision.location)},
                                {"reason", text(decision.reason)}});
  return list;
}

json::Value Collector::schedule(const ScheduleMemory &memory) {
  json::Array tensors, nodes;
  for (const PooledTensor &pooled : memory.tensors) {
    graph::TensorOp tensor = pooled.tensor;
    tensors.push_back(json::Array{static_cast<int64_t>(tensor.getId()), pooled.lower, pooled.upper,
                                  pooled.bytes, pooled.offset});
  }
  if (graph::ScheduleOp schedule = memory.schedule)
    nodes = json::Array(schedule.getNodes());
  return json::Object{{"activation_peak_bytes", memory.peakBytes},
                      {"activation_lower_bound_bytes", memory.boundBytes},
                      {"activation_no_reuse_bytes", memory.noReuseBytes},
                      {"fullest_node", memory.fullestNode},
                      {"nodes", std::move(nodes)},
                      {"tensors", std::move(tensors)}};
}

json::Value Collector::memory() {
  json::Object schedules;
  for (const ScheduleMemory &memory : input.use.schedules)
    schedules[memory.training ? "train" : "infer"] = schedule(memory);
  return json::Object{{"persistent_bytes", input.use.getPersistentBytes()},
                      {"schedules", std::move(schedules)}};
}

json::Value Collector::variants() {
  std::map<std::pair<int64_t, int64_t>, StringRef> first; // by graph and shapes
  return each<graph::VariantOp>([&](graph::VariantOp op) {
    auto [entry, isFirst] = first.try_emplace(
        {static_cast<int64_t>(op.getGraph()), static_cast<int64_t>(op.getShapeId())}, op.getName());
    return json::Object{{"name", text(op.getName())},
                        {"training", op.getTraining()},
                        {"batch", static_cast<int64_t>(op.getBatch())},
                        {"resolution", json::Array{op.getInput()[0], op.getInput()[1]}},
                        {"channels", op.getInput()[2]},
                        {"shares_with", text(isFirst ? StringRef() : entry->second)}};
  });
}

// Of each subgraph id, all graphs together.
json::Value Collector::subgraphs() {
  std::vector<std::pair<int64_t, StringRef>> found(trf::kCount<trf::Subgraph>, {0, StringRef()});
  for (auto op : body.getOps<graph::SubgraphOp>()) {
    auto &[nodes, reason] = found[static_cast<size_t>(op.getId())];
    nodes += static_cast<int64_t>(op.getBody().front().getOperations().size());
    if (op.getReason() && reason.empty())
      reason = *op.getReason();
  }
  json::Array list;
  for (auto [id, entry] : llvm::enumerate(found))
    list.push_back(json::Object{{"name", spell(static_cast<trf::Subgraph>(id))},
                                {"nodes", entry.first},
                                {"reason", text(entry.first ? StringRef() : entry.second)}});
  return list;
}

json::Value Collector::regions() {
  json::Array list;
  for (auto op : body.getOps<graph::RegionOp>())
    if (op.getBytes() != 0)
      list.push_back(json::Object{{"name", spell(op.getRegion())},
                                  {"offset", static_cast<int64_t>(op.getOffset())},
                                  {"bytes", static_cast<int64_t>(op.getBytes())},
                                  {"pooled", op.getRegion().region.isPooled()}});
  return list;
}

// [kernel, layer, stream, subgraph, algorithm, part] of each kernel op in program order. The part
// is what the op's parameters are of, as a layer of several parts is named after its first.
json::Value Collector::ops() {
  json::Array list;
  llvm::DenseMap<int64_t, StringRef> parts;
  for (auto param : body.getOps<graph::ParamOp>())
    for (auto tensor :
         {static_cast<int64_t>(param.getTensor()), static_cast<int64_t>(param.getGrad())})
      if (tensor >= 0)
        parts[tensor] = param.getName().rsplit('.').first;
  auto partOf = [&](graph::ComputeOp compute) {
    if (compute)
      for (int64_t operand : compute.getTensors())
        if (auto part = parts.find(operand); operand >= 0 && part != parts.end())
          return part->second;
    return StringRef();
  };
  for (auto subgraph : body.getOps<graph::SubgraphOp>()) {
    auto id = static_cast<int64_t>(subgraph.getId());
    for (Operation &op : subgraph.getBody().front()) {
      auto compute = dyn_cast<graph::ComputeOp>(op);
      trf::Opcode kernel = compute ? compute.getKernel() : cast<graph::RangeOp>(op).getKernel();
      trf::Stream stream = trf::info(kernel).stream;
      int64_t layer = compute ? static_cast<int64_t>(compute.getLayer()) : -1;
      StringRef algorithm =
          compute && compute.getAlgorithm() ? spell(*compute.getAlgorithm()) : StringRef();
      list.push_back(json::Array{spell(kernel), layer, static_cast<int64_t>(stream), id, algorithm,
                                 text(partOf(compute))});
    }
  }
  return list;
}

json::Value Collector::schedules() {
  return each<graph::ScheduleOp>([&](graph::ScheduleOp op) {
    json::Array edges;
    for (size_t i = 0; i + 1 < op.getEdges().size(); i += 2)
      edges.push_back(json::Array{op.getEdges()[i], op.getEdges()[i + 1]});
    return json::Object{{"name", spell(op.getKind())},
                        {"graph", static_cast<int64_t>(op.getGraph())},
                        {"nodes", json::Array(op.getNodes())},
                        {"edges", std::move(edges)}};
  });
}

json::Value Collector::run() {
  json::Object fusions;
  json::Array streams;
  for (trf::Stream stream : trf::kStreams)
    streams.push_back(spell(stream));
  for (auto op : body.getOps<graph::FusionOp>())
    fusions[op.getKind()] = static_cast<int64_t>(op.getCount());
  return json::Object{{"model", text(program.getSymName())},
                      {"producer", "renaissance " TRF_VERSION},
                      {"target", target()},
                      {"parameters", parameters()},
                      {"arena_bytes", input.use.arenaBytes},
                      {"summary", summary()},
                      {"fusions", std::move(fusions)},
                      {"decisions", decisions()},
                      {"memory", memory()},
                      {"layers", each<graph::LayerOp>([](graph::LayerOp op) {
                         return json::Object{{"path", text(op.getPath())}};
                       })},
                      {"tensors", each<graph::TensorOp>([](graph::TensorOp op) {
                         return json::Array{text(op.getName()), static_cast<int64_t>(op.getLayer()),
                                            spell(op.getRegion())};
                       })},
                      {"streams", std::move(streams)},
                      {"ops", ops()},
                      {"schedules", schedules()},
                      {"variants", variants()},
                      {"subgraphs", subgraphs()},
                      {"regions", regions()}};
}

} // namespace

json::Value collectReport(const ReportInput &input) { return Collector(input).run(); }

} // namespace tr
