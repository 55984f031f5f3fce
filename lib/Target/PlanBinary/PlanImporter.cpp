// SPDX-License-Identifier: Apache-2.0
//
// A plan -> tr.graph. Every reference was checked when the plan was read.
#include "renaissance/Target/PlanBinary/PlanTranslation.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"

#include <map>

using namespace mlir;

namespace tr {
namespace {

int64_t toNumber(uint32_t id) { return id == trf::kNone ? -1 : int64_t{id}; }

class Importer {
public:
  Importer(const trf::Plan &plan, Location loc) : plan(plan), loc(loc), builder(loc.getContext()) {}
  OwningOpRef<ModuleOp> run();

private:
  OptionsAttr makeOptions();
  void addVariants();
  void addLayers();
  void addTensors();
  void addParams();
  void addSubgraphs();
  void addCompute(const trf::Op &op);
  void addRange(const trf::Op &op);
  void addSchedules();
  void addAtlas();

  const trf::Plan &plan;
  Location loc;
  OpBuilder builder;
  // What leads from an op of the plan to the position of its kernel op in the program.
  std::map<std::pair<uint32_t, trf::Subgraph>, int64_t> starts;
};

OptionsAttr Importer::makeOptions() {
  auto emit = [&] { return emitError(loc); };
  SmallVector<Attribute> variants;
  for (const trf::Variant &v : plan.variants) {
    auto variant = VariantAttr::getChecked(emit, builder.getContext(), StringRef(v.name),
                                           v.training, v.batch, Dims2{v.height, v.width});
    if (!variant)
      return {};
    variants.push_back(variant);
  }
  CompileOptions values;
  values.optimizer = plan.optimizer;
  values.precision = plan.precision;
  values.target = plan.target;
  values.slices = plan.slices;
  values.trainSamples = static_cast<int64_t>(plan.train_samples);
  values.valSamples = static_cast<int64_t>(plan.val_samples);
  values.dropLast = plan.drop_last;
  return OptionsAttr::getChecked(emit, builder.getContext(), values, builder.getArrayAttr(variants),
                                 toNumber(plan.lowres_epoch));
}

void Importer::addVariants() {
  for (const trf::Variant &v : plan.variants)
    graph::VariantOp::create(builder, loc, v.name, v.training, v.batch,
                             ArrayRef<int64_t>{v.height, v.width, v.channels}, v.graph, v.shape_id);
  for (const trf::RegionInfo &r : plan.regions)
    graph::RegionOp::create(builder, loc, trf::TypedRegion{r.region, r.dtype},
                            static_cast<int64_t>(r.offset), static_cast<int64_t>(r.bytes));
}

void Importer::addLayers() {
  for (const trf::LayerInfo &layer : plan.layers) {
    Location where = builder.getUnknownLoc();
    if (!layer.file.empty())
      where = FileLineColLoc::get(builder.getContext(), layer.file, layer.line, layer.column);
    graph::LayerOp::create(builder, where, layer.path, layer.kind, layer.first);
  }
}

void Importer::addTensors() {
  for (uint32_t id = 0; id < plan.tensors.size(); ++id) {
    const trf::TensorInfo &tensor = plan.tensors[id];
    const trf::RegionInfo &region = plan.regionOf(tensor);
    SmallVector<Attribute> shapes;
    for (uint32_t v = 0; v < plan.variants.size(); ++v)
      shapes.push_back(builder.getDenseI64ArrayAttr(plan.shape(id, v)));
    std::optional<int64_t> parent, firstChannel;
    if (tensor.parent != trf::kNone) {
      parent = tensor.parent;
      firstChannel = tensor.first_channel;
    }
    graph::TensorOp::create(builder, loc, int64_t{id}, builder.getStringAttr(tensor.name),
                            trf::TypedRegion{region.region, region.dtype}, tensor.dtype,
                            toNumber(tensor.layer), builder.getArrayAttr(shapes), parent,
                            firstChannel, static_cast<int64_t>(tensor.slot_bytes),
                            static_cast<int64_t>(tensor.offset));
  }
}

void Importer::addParams() {
  for (const trf::Param &param : plan.params)
    graph::ParamOp::create(builder, loc, param.name, toNumber(param.tensor), toNumber(param.grad),
                           param.layout, param.init, APFloat(param.init_scale),
                           ArrayRef<int64_t>(param.logical));
  for (const auto &[kind, count] : plan.fusions)
    graph::FusionOp::create(builder, loc, kind, count);
}

void Importer::addCompute(const trf::Op &op) {
  SmallVector<int64_t> tensors;
  for (uint32_t id : op.operands)
    tensors.push_back(toNumber(id));
  ConvAlgorithmAttr algorithm;
  if (op.algorithm != trf::ConvAlgorithm::Auto)
    algorithm = ConvAlgorithmAttr::get(builder.getContext(), op.algorithm);
  graph::ComputeOp::create(builder, loc, op.opcode, tensors,
                           graph::makeValues(builder, op.info(), op.attrs), toNumber(op.layer),
                           algorithm, op.instance);
}

void Importer::addRange(const trf::Op &op) {
  SmallVector<int64_t> tensors;
  SmallVector<Attribute> ranges;
  for (auto [operand, id] : llvm::zip_equal(op.info().operands, op.operands)) {
    if (!operand.isRun()) {
      tensors.push_back(toNumber(id));
      continue;
    }
    SmallVector<Attribute> regions;
    for (uint32_t r = plan.ranges[id].first; r <= plan.ranges[id].last; ++r)
      regions.push_back(TypedRegionAttr::get(builder.getContext(),
                                             {plan.regions[r].region, plan.regions[r].dtype}));
    ranges.push_back(builder.getArrayAttr(regions));
  }
  graph::RangeOp::create(builder, loc, op.opcode, builder.getArrayAttr(ranges), tensors);
}

void Importer::addSubgraphs() {
  int64_t position = 0;
  for (const trf::SubgraphInfo &record : plan.subgraphs) {
    starts[{record.graph, record.subgraph}] = position - record.first_op;
    position += record.op_count;
    auto subgraph = graph::SubgraphOp::create(
        builder, loc, record.subgraph, record.graph,
        record.reason.empty() ? StringAttr() : builder.getStringAttr(record.reason));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&subgraph.getBody().emplaceBlock());
    for (uint32_t i = 0; i < record.op_count; ++i) {
      const trf::Op &op = plan.ops[record.first_op + i];
      op.info().hasRuns() ? addRange(op) : addCompute(op);
    }
  }
}

void Importer::addSchedules() {
  for (const trf::StepSchedule &schedule : plan.schedules) {
    SmallVector<int64_t> nodes, edges;
    for (const trf::ScheduleNode &node : schedule.nodes)
      nodes.push_back(starts.at({schedule.graph, node.subgraph}) + node.op);
    for (auto [from, to] : schedule.edges)
      edges.append({int64_t{from}, int64_t{to}});
    graph::ScheduleOp::create(builder, loc, schedule.kind, schedule.graph, nodes, edges);
  }
}

void Importer::addAtlas() {
  for (uint32_t v = 0; v < plan.variants.size(); ++v) {
    SmallVector<int64_t> subgraphs, captures;
    for (const trf::SubgraphRow &subgraph : trf::kSubgraphs) {
      const trf::AtlasEntry &entry = plan.atlasEntry(v, subgraph.value);
      subgraphs.push_back(toNumber(entry.subgraph_record));
      captures.push_back(toNumber(entry.capture));
    }
    graph::AtlasOp::create(builder, loc, plan.variants[v].name, subgraphs, captures);
  }
}

OwningOpRef<ModuleOp> Importer::run() {
  builder.getContext()->loadDialect<TRDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OptionsAttr options = makeOptions();
  if (!options)
    return {};
  (*module)->setAttr(TRDialect::getOptionsAttrName(), options);
  builder.setInsertionPointToEnd(module->getBody());
  auto program =
      graph::ProgramOp::create(builder, loc, plan.model, int64_t{plan.classes}, plan.precision);
  builder.setInsertionPointToStart(&program.getBody().emplaceBlock());
  addVariants();
  addLayers();
  addTensors();
  addParams();
  addSubgraphs();
  addSchedules();
  addAtlas();
  if (failed(verify(*module)))
    return {};
  return module;
}

} // namespace

OwningOpRef<ModuleOp> importPlan(const trf::Plan &plan, Location loc) {
  return Importer(plan, loc).run();
}

} // namespace tr
