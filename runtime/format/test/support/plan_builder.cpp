// SPDX-License-Identifier: Apache-2.0
//
// Records from calls, and the places of regions and tensors.
#include "plan_builder.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace trf::test {

bool PlanBuilder::Home::operator<(const Home &o) const {
  return region == o.region ? dtype < o.dtype : isBefore(region, o.region);
}

PlanBuilder::PlanBuilder(const std::string &model, const std::string &producer, uint32_t classes) {
  trf_target target = {};
  target.slices = 2;
  target.classes = classes;
  target.graph_count = 1;
  target.lowres_epoch = kNone;
  draft.records.target = {target};
  draft.records.meta = {{draft.intern(model), draft.intern(producer)}};
}

void PlanBuilder::variant(const std::string &name, bool training, Shape input, uint32_t shapeId) {
  draft.records.variants.push_back(
      {draft.intern(name), training, input[0], input[1], input[2], input[3], 0, shapeId});
}

uint32_t PlanBuilder::tensor(std::string_view name, Region region, DType dtype, Shape train,
                             Shape val, uint32_t layer) {
  std::vector<Shape> shapes;
  for (const trf_variant &v : draft.records.variants)
    shapes.push_back(v.is_training ? train : val);
  return tensor(name, region, dtype, shapes, layer);
}

uint32_t PlanBuilder::tensor(std::string_view name, Region region, DType dtype,
                             const std::vector<Shape> &shapes, uint32_t layer) {
  trf_tensor record = {};
  record.name = draft.intern(name);
  record.dtype = static_cast<uint32_t>(dtype);
  record.layer = layer;
  record.parent = kNone;
  int64_t elements = 0;
  for (const Shape &shape : shapes) {
    draft.records.shapes.push_back({{shape[0], shape[1], shape[2], shape[3]}});
    elements = std::max(elements, int64_t{shape[0]} * shape[1] * shape[2] * shape[3]);
  }
  record.slot_bytes = static_cast<uint64_t>(slotBytes(dtype, elements));
  draft.records.tensors.push_back(record);
  homes.push_back({region, region.isPooled() ? kNone : record.dtype});
  return static_cast<uint32_t>(draft.records.tensors.size() - 1);
}

uint32_t PlanBuilder::runOf(std::string_view name, uint32_t parent, uint32_t firstChannel,
                            uint32_t channels) {
  trf_tensor record = draft.records.tensors[parent];
  record.name = draft.intern(name);
  record.parent = parent;
  record.first_channel = firstChannel;
  draft.records.tensors.push_back(record);
  homes.push_back(homes[parent]);
  const size_t variants = draft.records.variants.size();
  for (size_t v = 0; v < variants; ++v) {
    trf_shape shape = draft.records.shapes[parent * variants + v];
    shape.dims[3] = channels;
    draft.records.shapes.push_back(shape);
  }
  return static_cast<uint32_t>(draft.records.tensors.size() - 1);
}

uint32_t PlanBuilder::shared(SharedTensor tensor, const std::vector<Shape> &shapes) {
  const SharedTensorRow &row = trf::row(tensor);
  return this->tensor(row.name, {row.role}, row.dtype, shapes);
}

uint32_t PlanBuilder::shared(SharedTensor tensor, Shape train, Shape val) {
  const SharedTensorRow &row = trf::row(tensor);
  return this->tensor(row.name, {row.role}, row.dtype, train, val);
}

uint32_t PlanBuilder::addRange(Choice choice) {
  choices.push_back(std::move(choice));
  return static_cast<uint32_t>(choices.size() - 1);
}

uint32_t PlanBuilder::range(Role role) {
  return addRange([=](Region region) { return region.role == role; });
}

uint32_t PlanBuilder::range(Role role, bool decayed) {
  return addRange(
      [=](Region region) { return region.role == role && row(region.group).decayed == decayed; });
}

uint32_t PlanBuilder::range(Half half) {
  return addRange([=](Region region) { return region.row().half == half; });
}

uint32_t PlanBuilder::layer(const std::string &path, const std::string &kind, bool first) {
  const uint32_t line = static_cast<uint32_t>(draft.records.layers.size()) + 2;
  draft.records.locs.push_back({draft.intern("sample.bp"), line, 5});
  draft.records.layers.push_back({draft.intern(path), draft.intern(kind),
                                  static_cast<uint32_t>(draft.records.locs.size() - 1),
                                  first ? 1u : 0u});
  return static_cast<uint32_t>(draft.records.layers.size() - 1);
}

void PlanBuilder::param(const std::string &name, uint32_t tensor, uint32_t grad, ParamLayout layout,
                        Init init, double scale) {
  trf_param record = {};
  record.name = draft.intern(name);
  record.flags = grad == kNone ? 0 : TRF_PARAM_TRAINABLE;
  record.tensor = tensor;
  record.grad = grad;
  record.layout = static_cast<uint32_t>(layout);
  record.init = static_cast<uint32_t>(init);
  record.init_scale = scale;
  const uint32_t *dims = draft.records.shapes[tensor * draft.records.variants.size()].dims;
  std::copy_n(dims, 4, record.logical_dims);
  draft.records.params.push_back(record);
}

void PlanBuilder::subgraph(Subgraph id, const std::string &reason) {
  const uint32_t end = static_cast<uint32_t>(draft.records.ops.size());
  trf_subgraph record = {};
  record.subgraph = static_cast<uint32_t>(id);
  record.first_op = endOfLastSubgraph;
  record.op_count = end - endOfLastSubgraph;
  record.reason = draft.intern(reason);
  draft.records.subgraphs.push_back(record);
  endOfLastSubgraph = end;
}

void PlanBuilder::schedule(Schedule kind, const std::vector<Subgraph> &subgraphs) {
  PlanRecords &r = draft.records;
  trf_schedule record = {};
  record.schedule = static_cast<uint32_t>(kind);
  record.first_node = static_cast<uint32_t>(r.scheduleNodes.size());
  record.first_edge = static_cast<uint32_t>(r.scheduleEdges.size());
  for (Subgraph id : subgraphs)
    for (const trf_subgraph &s : r.subgraphs)
      for (uint32_t i = 0; s.subgraph == static_cast<uint32_t>(id) && i < s.op_count; ++i)
        r.scheduleNodes.push_back({s.first_op + i, s.subgraph});
  record.node_count = static_cast<uint32_t>(r.scheduleNodes.size()) - record.first_node;
  for (uint32_t i = 1; i < record.node_count; ++i)
    r.scheduleEdges.push_back({i - 1, i});
  record.edge_count = static_cast<uint32_t>(r.scheduleEdges.size()) - record.first_edge;
  r.schedules.push_back(record);
}

// Regions in their order, in each its tensors in theirs.
void PlanBuilder::placeTensors() {
  PlanRecords &r = draft.records;
  std::vector<Home> order = homes;
  std::sort(order.begin(), order.end());
  order.erase(std::unique(order.begin(), order.end()), order.end());
  uint64_t offset = 0;
  for (const Home &home : order) {
    const uint64_t start = offset;
    for (size_t t = 0; t < homes.size(); ++t)
      if (homes[t] == home && r.tensors[t].parent == kNone) {
        r.tensors[t].region = static_cast<uint32_t>(r.regions.size());
        r.tensors[t].offset = offset;
        offset += r.tensors[t].slot_bytes;
      }
    r.regions.push_back({static_cast<uint32_t>(home.region.role),
                         static_cast<uint32_t>(home.region.group), home.dtype, 0, start,
                         offset - start});
  }
  r.target[0].arena_bytes = offset;
  for (trf_tensor &tensor : r.tensors)
    if (tensor.parent != kNone) {
      tensor.region = r.tensors[tensor.parent].region;
      tensor.offset = r.tensors[tensor.parent].offset;
    }
}

void PlanBuilder::resolveRanges() {
  const std::vector<trf_region> &regions = draft.records.regions;
  for (const Choice &choice : choices) {
    trf_range range = {kNone, kNone};
    for (uint32_t i = 0; i < regions.size(); ++i)
      if (choice({static_cast<Role>(regions[i].role), static_cast<Group>(regions[i].group)})) {
        range.first_region = std::min(range.first_region, i);
        range.last_region = i;
      }
    if (range.first_region == kNone)
      throw std::logic_error("a range of the plan is empty");
    draft.records.ranges.push_back(range);
  }
}

// Each variant runs each subgraph, and shares nothing.
void PlanBuilder::makeAtlas() {
  PlanRecords &r = draft.records;
  r.atlas.assign(r.variants.size() * kCount<Subgraph>, {kNone, kNone});
  for (uint32_t v = 0; v < r.variants.size(); ++v)
    for (uint32_t s = 0; s < r.subgraphs.size(); ++s)
      if (r.subgraphs[s].op_count != 0)
        r.atlas[v * kCount<Subgraph> + r.subgraphs[s].subgraph] = {s, v * 64 + s};
}

Draft PlanBuilder::finish() {
  placeTensors();
  resolveRanges();
  makeAtlas();
  return draft;
}

} // namespace trf::test
