// SPDX-License-Identifier: Apache-2.0
//
// From the bytes of a plan file to a Plan: parse, verify structure, convert
// records whose every reference is known to be good, verify meaning.
#include "meaning.h"
#include "structure.h"
#include "trf/plan.h"
#include "trf/plan_records.h"

#include <cstring>

namespace trf {

namespace {

// Moves checked records into the structures that the runtime works with.
class PlanBuilder {
public:
  explicit PlanBuilder(const PlanRecords &tables) : t(tables) {}

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

  std::string text(uint32_t string) const { return std::string(t.text(string)); }

  const PlanRecords &t;
  Plan plan;
};

Dims toDims(const uint32_t (&dims)[4]) { return {dims[0], dims[1], dims[2], dims[3]}; }

void PlanBuilder::buildHead() {
  const trf_target &target = t.target[0];
  plan.model = text(t.meta[0].model);
  plan.producer = text(t.meta[0].producer);
  plan.target = static_cast<Target>(target.target);
  plan.precision = static_cast<Precision>(target.precision);
  plan.optimizer = static_cast<Optimizer>(target.optimizer);
  plan.slices = target.slices;
  plan.classes = target.classes;
  plan.graph_count = target.graph_count;
  plan.arena_bytes = target.arena_bytes;
  plan.train_samples = target.train_samples;
  plan.val_samples = target.val_samples;
  plan.lowres_epoch = target.lowres_epoch;
  plan.drop_last = (target.flags & TRF_DROP_LAST) != 0;
  plan.content_id = t.contentId;
  for (const trf_variant &v : t.variants)
    plan.variants.push_back({text(v.name), v.is_training != 0, v.batch, v.height, v.width,
                             v.channels, v.graph, v.shape_id});
  for (const trf_fusion &f : t.fusions)
    plan.fusions.emplace_back(text(f.op), f.count);
  for (const trf_layer &l : t.layers) {
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
  for (const trf_region &r : t.regions) {
    RegionInfo region;
    region.region = {static_cast<Role>(r.role), static_cast<Group>(r.group)};
    if (r.dtype != kNone)
      region.dtype = static_cast<DType>(r.dtype);
    region.offset = r.offset;
    region.bytes = r.bytes;
    plan.regions.push_back(region);
  }
  plan.tensors.reserve(t.tensors.size());
  for (const trf_tensor &r : t.tensors) {
    TensorInfo tensor;
    tensor.name = text(r.name);
    tensor.region = r.region;
    tensor.dtype = static_cast<DType>(r.dtype);
    tensor.layout = static_cast<TensorLayout>(r.layout);
    tensor.layer = r.layer;
    tensor.offset = r.offset;
    tensor.slot_bytes = r.slot_bytes;
    tensor.parent = r.parent;
    tensor.first_channel = r.first_channel;
    plan.tensors.push_back(std::move(tensor));
  }
  plan.shapes.reserve(t.shapes.size());
  for (const trf_shape &shape : t.shapes)
    plan.shapes.push_back(toDims(shape.dims));
  for (const trf_range &r : t.ranges)
    plan.ranges.push_back({r.first_region, r.last_region});
}

void PlanBuilder::buildOps() {
  for (const trf_subgraph &s : t.subgraphs)
    plan.subgraphs.push_back(
        {s.graph, static_cast<Subgraph>(s.subgraph), s.first_op, s.op_count, text(s.reason)});
  plan.ops.reserve(t.ops.size());
  for (const trf_op &r : t.ops) {
    Op op;
    op.opcode = static_cast<Opcode>(r.opcode);
    op.instance = static_cast<Instance>(r.instance);
    op.layer = r.layer;
    op.algorithm = static_cast<ConvAlgorithm>(r.algorithm);
    const auto operand = t.operands.begin() + r.first_operand;
    op.operands.assign(operand, operand + r.operand_count);
    for (uint32_t i = 0; i < r.attr_count; ++i) {
      Attr attr;
      std::memcpy(&attr, &t.attrs[r.first_attr + i].bits, sizeof(attr));
      op.attrs.push_back(attr);
    }
    for (uint32_t i = r.attr_count; i < op.info().attrs.size(); ++i)
      op.attrs.push_back(missingAttr(op.info().attrs[i]));
    plan.ops.push_back(std::move(op));
  }
  for (const trf_atlas_entry &entry : t.atlas)
    plan.atlas.push_back({entry.subgraph_record, entry.capture});
}

void PlanBuilder::buildSchedules() {
  for (const trf_schedule &r : t.schedules) {
    StepSchedule schedule;
    schedule.kind = static_cast<Schedule>(r.schedule);
    schedule.graph = r.graph;
    for (uint32_t i = 0; i < r.node_count; ++i) {
      const trf_schedule_node &node = t.scheduleNodes[r.first_node + i];
      schedule.nodes.push_back({node.op, static_cast<Subgraph>(node.subgraph)});
    }
    for (uint32_t i = 0; i < r.edge_count; ++i) {
      const trf_edge &edge = t.scheduleEdges[r.first_edge + i];
      schedule.edges.push_back({edge.from, edge.to});
    }
    plan.schedules.push_back(std::move(schedule));
  }
}

void PlanBuilder::buildParams() {
  for (const trf_param &r : t.params) {
    Param param;
    param.name = text(r.name);
    param.trainable = (r.flags & TRF_PARAM_TRAINABLE) != 0;
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

uint32_t Plan::findRegion(Region region, std::optional<DType> dtype) const {
  for (size_t i = 0; i < regions.size(); ++i)
    if (regions[i].region == region && regions[i].dtype == dtype)
      return static_cast<uint32_t>(i);
  return kNone;
}

uint32_t Plan::findTensor(std::string_view name) const {
  for (size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].layer == kNone && tensors[i].name == name)
      return static_cast<uint32_t>(i);
  return kNone;
}

uint32_t Plan::findVariant(std::string_view name) const {
  for (size_t i = 0; i < variants.size(); ++i)
    if (variants[i].name == name)
      return static_cast<uint32_t>(i);
  return kNone;
}

Plan makePlan(const PlanRecords &records) {
  verifyStructure(records);
  Plan plan = PlanBuilder(records).build();
  verifyMeaning(plan);
  return plan;
}

std::optional<FormatError> findFault(const PlanRecords &records) {
  try {
    makePlan(records);
    return std::nullopt;
  } catch (const FormatError &fault) {
    return fault;
  }
}

bool readPlan(const uint8_t *bytes, size_t size, Plan &plan, std::string &error) {
  try {
    plan = makePlan(readRecords(bytes, size));
    return true;
  } catch (const std::exception &failure) {
    error = failure.what();
    return false;
  }
}

} // namespace trf
