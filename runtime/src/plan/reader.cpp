// SPDX-License-Identifier: Apache-2.0
//
// From the bytes of a plan file to a Plan: parse, verify structure, convert
// records whose every reference is known to be good, verify meaning.
#include "base/status.h"
#include "base/text.h"
#include "io/file.h"
#include "plan/meaning.h"
#include "plan/plan.h"
#include "plan/structure.h"

namespace trrt {

namespace {

// Moves checked records into the structures that the runtime works with.
class PlanBuilder {
public:
  explicit PlanBuilder(const PlanTables &tables) : t(tables) {}

  Plan build() {
    buildHead();
    buildMemory();
    buildOps();
    buildSchedules();
    buildParams();
    return std::move(plan);
  }

private:
  void buildHead();
  void buildMemory();
  void buildOps();
  void buildSchedules();
  void buildParams();

  const std::string &text(uint32_t string) const { return t.strings[string]; }

  const PlanTables &t;
  Plan plan;
};

Dims toDims(const uint32_t (&dims)[4]) { return {dims[0], dims[1], dims[2], dims[3]}; }

void PlanBuilder::buildHead() {
  const trrt_plan_target &target = t.target[0];
  plan.model = text(t.meta[0].model);
  plan.producer = text(t.meta[0].producer);
  plan.backend = text(target.backend);
  plan.precision = text(target.precision);
  plan.optimizer = text(target.optimizer);
  plan.slices = target.slices;
  plan.classes = target.classes;
  plan.graph_count = target.graph_count;
  plan.arena_bytes = target.arena_bytes;
  plan.train_samples = target.train_samples;
  plan.val_samples = target.val_samples;
  plan.lowres_epoch = target.lowres_epoch;
  plan.drop_last = (target.flags & TRRT_PLAN_DROP_LAST) != 0;
  plan.isa = static_cast<trk::Isa>(target.isa);
  plan.content_id = t.contentId;
  for (const trrt_plan_variant &v : t.variants)
    plan.variants.push_back({text(v.name), v.is_training != 0, v.batch, v.height, v.width,
                             v.channels, v.graph, v.shape_id});
  for (const trrt_plan_fusion &f : t.fusions)
    plan.fusions.emplace_back(text(f.op), f.count);
  for (const trrt_plan_layer &l : t.layers) {
    LayerInfo layer;
    layer.path = text(l.path);
    layer.kind = text(l.kind);
    layer.first = l.is_first != 0;
    if (l.loc != kNone) {
      layer.file = text(t.locs[l.loc].file);
      layer.line = t.locs[l.loc].line;
      layer.column = t.locs[l.loc].column;
    }
    plan.layers.push_back(std::move(layer));
  }
}

void PlanBuilder::buildMemory() {
  for (size_t i = 0; i < t.regions.size(); ++i)
    plan.regions[i] = {t.regions[i].offset, t.regions[i].bytes};
  plan.tensors.reserve(t.tensors.size());
  for (const trrt_plan_tensor &r : t.tensors) {
    TensorInfo tensor;
    tensor.name = text(r.name);
    tensor.region = static_cast<Region>(r.region);
    tensor.dtype = static_cast<trk::DType>(r.dtype);
    tensor.layout = static_cast<TensorLayout>(r.layout);
    tensor.layer = r.layer;
    tensor.offset = r.offset;
    tensor.slot_bytes = r.slot_bytes;
    plan.tensors.push_back(std::move(tensor));
  }
  plan.shapes.reserve(t.shapes.size());
  for (const trrt_plan_shape &shape : t.shapes)
    plan.shapes.push_back(toDims(shape.dims));
  for (const trrt_plan_range &r : t.ranges)
    plan.ranges.push_back(
        {static_cast<Region>(r.first_region), static_cast<Region>(r.last_region)});
}

void PlanBuilder::buildOps() {
  for (const trrt_plan_subgraph &s : t.subgraphs)
    plan.subgraphs.push_back(
        {s.graph, static_cast<Subgraph>(s.subgraph), s.first_op, s.op_count, text(s.reason)});
  plan.ops.reserve(t.ops.size());
  for (const trrt_plan_op &r : t.ops) {
    Op op;
    op.opcode = static_cast<trk::Opcode>(r.opcode);
    op.layer = r.layer;
    op.algorithm = static_cast<trk::ConvAlgorithm>(r.algorithm);
    const auto operand = t.operands.begin() + r.first_operand;
    op.operands.assign(operand, operand + r.operand_count);
    for (uint32_t i = 0; i < r.attr_count; ++i)
      op.attrs.push_back(t.attrs[r.first_attr + i].bits);
    plan.ops.push_back(std::move(op));
  }
  for (const trrt_plan_atlas_entry &entry : t.atlas)
    plan.atlas.push_back({entry.subgraph_record, entry.capture});
}

void PlanBuilder::buildSchedules() {
  for (const trrt_plan_schedule &r : t.schedules) {
    Schedule schedule;
    schedule.kind = static_cast<ScheduleKind>(r.schedule);
    schedule.graph = r.graph;
    for (uint32_t i = 0; i < r.node_count; ++i) {
      const trrt_plan_schedule_node &node = t.scheduleNodes[r.first_node + i];
      schedule.nodes.push_back({node.op, static_cast<Subgraph>(node.subgraph)});
    }
    for (uint32_t i = 0; i < r.edge_count; ++i) {
      const trrt_plan_edge &edge = t.scheduleEdges[r.first_edge + i];
      schedule.edges.push_back({edge.from, edge.to});
    }
    plan.schedules.push_back(std::move(schedule));
  }
}

void PlanBuilder::buildParams() {
  for (const trrt_plan_param &r : t.params) {
    Param param;
    param.name = text(r.name);
    param.trainable = (r.flags & TRRT_PLAN_PARAM_TRAINABLE) != 0;
    param.tensor = r.tensor;
    param.grad = r.grad;
    param.layout = static_cast<ParamLayout>(r.layout);
    param.init = static_cast<Init>(r.init);
    param.init_scale = r.init_scale;
    param.logical = toDims(r.logical_dims);
    plan.params.push_back(std::move(param));
  }
}

} // namespace

uint32_t Plan::findTensor(const std::string &name) const {
  for (size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].layer == kNone && tensors[i].name == name)
      return static_cast<uint32_t>(i);
  return kNone;
}

uint32_t Plan::findVariant(const std::string &name) const {
  for (size_t i = 0; i < variants.size(); ++i)
    if (variants[i].name == name)
      return static_cast<uint32_t>(i);
  return kNone;
}

bool readPlan(const uint8_t *bytes, size_t size, Plan &plan, std::string &error) {
  try {
    const PlanTables tables = parseContainer(bytes, size);
    verifyStructure(tables);
    Plan result = PlanBuilder(tables).build();
    verifyMeaning(result);
    plan = std::move(result);
    return true;
  } catch (const std::exception &failure) {
    error = failure.what();
    return false;
  }
}

bool readPlanFile(const std::string &path, Plan &plan, std::string &error) {
  try {
    const std::vector<uint8_t> bytes = readRegularFile(path, "plan");
    if (readPlan(bytes.data(), bytes.size(), plan, error))
      return true;
    error = printable(path) + ": " + error;
  } catch (const std::exception &failure) {
    error = failure.what();
  }
  return false;
}

} // namespace trrt
