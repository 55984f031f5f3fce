// SPDX-License-Identifier: Apache-2.0
//
// Structure of a plan (checks V11, V20-V25, V34, V35, V39 and V60 of docs/plan-format.md): every
// number is in range and every reference leads to a record, so that whoever reads a Plan may follow
// references without looking. Each check is linear in the records.
#include "plan/structure.h"

#include "plan/check.h"
#include "plan/plan.h"

#include <set>
#include <unordered_map>
#include <unordered_set>

namespace trrt {

namespace {

constexpr uint64_t kMaxDim = 0x7fffffff;
constexpr uint64_t kMaxSlices = 1024;
constexpr uint64_t kMaxBytes = uint64_t{1} << 62; // sums of two stay in range

constexpr trk::DType kRegionDTypes[] = {
#define X(name, spelling, dtype, life, purpose) trk::DType::dtype,
    TRRT_REGIONS(X)
#undef X
};
constexpr uint32_t kDTypeCount = sizeof(trk::kDTypeBytes) / sizeof(trk::kDTypeBytes[0]);
constexpr uint32_t kScheduleKindCount = 0
#define X(value, name, spelling) +1
    TRRT_SCHEDULES(X)
#undef X
    ;
constexpr uint32_t kInitCount = 0
#define X(name, spelling) +1
    TRRT_INITS(X)
#undef X
    ;
constexpr uint32_t kParamLayoutCount = 0
#define X(name, spelling) +1
    TRRT_PARAM_LAYOUTS(X)
#undef X
    ;
constexpr uint32_t kIsaCount = 0
#define X(name, spelling) +1
    TRRT_ISAS(X)
#undef X
    ;
constexpr uint32_t kTensorLayoutCount = 0
#define X(name, spelling) +1
    TRRT_TENSOR_LAYOUTS(X)
#undef X
    ;

uint64_t pairKey(uint32_t high, uint32_t low) { return uint64_t{high} << 32 | low; }

class StructureVerifier {
public:
  explicit StructureVerifier(const PlanTables &tables) : t(tables) {}

  void run() {
    checkLimits();
    checkTarget();
    checkNames();
    checkVariants();
    checkRegions();
    checkTensors();
    checkShapes();
    checkShapeIds();
    checkSubgraphs();
    checkRanges();
    verifyOps(t);
    checkSchedules();
    checkAtlas();
    checkParams();
  }

private:
  void checkLimits() const;
  void checkTarget() const;
  void checkNames() const;
  void checkVariants() const;
  void checkRegions() const;
  void checkTensors() const;
  void checkShapes() const;
  void checkShapeIds() const;
  void checkSubgraphs();
  void checkRanges() const;
  void checkSchedules() const;
  void checkScheduleContent(size_t index) const;
  void checkAtlas() const;
  void checkParams() const;
  void checkParamShape(size_t index) const;

  void text(const Field &field, uint32_t string) const {
    field.below(string, t.strings.size(), "strings");
  }
  void name(const Field &field, uint32_t string) const {
    text(field, string);
    field.require(string != 0 && !t.strings[string].empty(), "expected a name");
  }

  const PlanTables &t;
  std::unordered_map<uint64_t, uint32_t> subgraphOf; // (graph, subgraph) -> record
};

void StructureVerifier::checkLimits() const {
  const struct {
    const char *section;
    size_t count, low, high;
  } limits[] = {{"VARIANTS", t.variants.size(), 1, 64},
                {"REGIONS", t.regions.size(), kRegionCount, kRegionCount},
                {"TENSORS", t.tensors.size(), 0, TRRT_PLAN_MAX_OPERANDS},
                {"SHAPES", t.shapes.size(), 0, TRRT_PLAN_MAX_OPERANDS},
                {"OPS", t.ops.size(), 0, TRRT_PLAN_MAX_OPS},
                {"OPERANDS", t.operands.size(), 0, TRRT_PLAN_MAX_OPERANDS},
                {"ATTRS", t.attrs.size(), 0, TRRT_PLAN_MAX_OPERANDS},
                {"RANGES", t.ranges.size(), 0, TRRT_PLAN_MAX_OPERANDS},
                {"SCHEDULE", t.scheduleNodes.size(), 0, TRRT_PLAN_MAX_OPERANDS},
                {"SCHEDULE_EDGES", t.scheduleEdges.size(), 0, TRRT_PLAN_MAX_OPERANDS},
                {"TARGET", t.target.size(), 1, 1},
                {"META", t.meta.size(), 1, 1}};
  for (const auto &l : limits)
    if (l.count < l.low || l.count > l.high)
      rejectPlan(std::string(l.section) + ": expected " +
                 (l.low == l.high ? std::to_string(l.low)
                                  : std::to_string(l.low) + " to " + std::to_string(l.high)) +
                 " records, but got " + std::to_string(l.count));
}

void StructureVerifier::checkTarget() const {
  const trrt_plan_target &target = t.target[0];
  name({"TARGET", 0, "backend"}, target.backend);
  name({"TARGET", 0, "precision"}, target.precision);
  name({"TARGET", 0, "optimizer"}, target.optimizer);
  Field{"TARGET", 0, "slices"}.within(target.slices, 1, kMaxSlices);
  Field{"TARGET", 0, "classes"}.within(target.classes, 1, kMaxDim);
  Field{"TARGET", 0, "graph_count"}.within(target.graph_count, 1, t.variants.size());
  Field{"TARGET", 0, "arena_bytes"}.within(target.arena_bytes, 0, kMaxBytes);
  Field{"TARGET", 0, "train_samples"}.within(target.train_samples, 0, kMaxBytes);
  Field{"TARGET", 0, "val_samples"}.within(target.val_samples, 0, kMaxBytes);
  Field{"TARGET", 0, "flags"}.zero(target.flags & ~TRRT_PLAN_DROP_LAST);
  Field{"TARGET", 0, "isa"}.below(target.isa, kIsaCount, "instruction sets");
  Field{"TARGET", 0, "reserved"}.zero(target.reserved);
}

// Sections that hold little but strings.
void StructureVerifier::checkNames() const {
  text({"META", 0, "model"}, t.meta[0].model);
  text({"META", 0, "producer"}, t.meta[0].producer);
  for (size_t i = 0; i < t.fusions.size(); ++i)
    name({"FUSIONS", i, "op"}, t.fusions[i].op);
  for (size_t i = 0; i < t.locs.size(); ++i)
    text({"LOC", i, "file"}, t.locs[i].file);
  for (size_t i = 0; i < t.layers.size(); ++i) {
    const trrt_plan_layer &layer = t.layers[i];
    text({"LAYERS", i, "path"}, layer.path);
    text({"LAYERS", i, "kind"}, layer.kind);
    Field{"LAYERS", i, "loc"}.belowOrNone(layer.loc, t.locs.size(), "locations");
    Field{"LAYERS", i, "is_first"}.within(layer.is_first, 0, 1);
  }
}

void StructureVerifier::checkVariants() const {
  std::set<std::string> names;
  for (size_t i = 0; i < t.variants.size(); ++i) {
    const trrt_plan_variant &v = t.variants[i];
    const Field nameField{"VARIANTS", i, "name"};
    name(nameField, v.name);
    nameField.require(names.insert(t.strings[v.name]).second, "a second variant of this name");
    Field{"VARIANTS", i, "is_training"}.within(v.is_training, 0, 1);
    Field{"VARIANTS", i, "batch"}.within(v.batch, 1, kMaxDim);
    Field{"VARIANTS", i, "height"}.within(v.height, 1, kMaxDim);
    Field{"VARIANTS", i, "width"}.within(v.width, 1, kMaxDim);
    Field{"VARIANTS", i, "channels"}.within(v.channels, 1, kMaxDim);
    Field{"VARIANTS", i, "graph"}.below(v.graph, t.target[0].graph_count, "graphs");
  }
}

// Pooled regions may all be one and the same place, the pool; else they follow each
// other like the rest.
void StructureVerifier::checkRegions() const {
  const uint64_t arena = t.target[0].arena_bytes;
  const trrt_plan_region *pool = nullptr; // the first pooled region
  uint64_t end = 0;
  for (size_t i = 0; i < t.regions.size(); ++i) {
    const trrt_plan_region &r = t.regions[i];
    const Field offset{"REGIONS", i, "offset"}, bytes{"REGIONS", i, "bytes"};
    Field{"REGIONS", i, "region"}.require(r.region == i, "expected the record's own position");
    Field{"REGIONS", i, "reserved"}.zero(r.reserved);
    offset.require(r.offset % TRRT_PLAN_TENSOR_ALIGN == 0, "expected a multiple of 256");
    bytes.require(r.bytes % TRRT_PLAN_TENSOR_ALIGN == 0, "expected a multiple of 256");
    const bool pooled = isPooled(static_cast<Region>(i));
    if (pooled && pool && r.offset == pool->offset && r.bytes == pool->bytes)
      continue;
    if (pooled && !pool)
      pool = &r;
    offset.require(r.offset >= end, "the region starts before the previous one ends");
    bytes.require(r.offset <= arena && r.bytes <= arena - r.offset,
                  "the region ends outside the arena");
    end = r.offset + r.bytes;
  }
}

// Pooling indices of large windows are 32 bits wide and live beside the masks.
bool dtypeFitsRegion(trk::DType dtype, uint32_t region) {
  return dtype == kRegionDTypes[region] ||
         (static_cast<Region>(region) == Region::SMask && dtype == trk::DType::I32);
}

void StructureVerifier::checkTensors() const {
  std::unordered_set<std::string> baselineNames;
  for (size_t i = 0; i < t.tensors.size(); ++i) {
    const trrt_plan_tensor &tensor = t.tensors[i];
    const Field offset{"TENSORS", i, "offset"}, slot{"TENSORS", i, "slot_bytes"};
    name({"TENSORS", i, "name"}, tensor.name);
    Field{"TENSORS", i, "region"}.below(tensor.region, kRegionCount, "regions");
    Field{"TENSORS", i, "dtype"}.below(tensor.dtype, kDTypeCount, "element types");
    Field{"TENSORS", i, "layout"}.below(tensor.layout, kTensorLayoutCount, "layouts");
    Field{"TENSORS", i, "layer"}.belowOrNone(tensor.layer, t.layers.size(), "layers");
    Field{"TENSORS", i, "reserved"}.zero(tensor.reserved);
    Field{"TENSORS", i, "dtype"}.require(
        dtypeFitsRegion(static_cast<trk::DType>(tensor.dtype), tensor.region),
        "it is not the element type of the tensor's region");
    if (tensor.layer == TRRT_PLAN_NONE)
      Field{"TENSORS", i, "name"}.require(baselineNames.insert(t.strings[tensor.name]).second,
                                          "a second baseline tensor of this name");
    const trrt_plan_region &region = t.regions[tensor.region];
    offset.require(tensor.offset % TRRT_PLAN_TENSOR_ALIGN == 0, "expected a multiple of 256");
    slot.require(tensor.slot_bytes % TRRT_PLAN_TENSOR_ALIGN == 0, "expected a multiple of 256");
    offset.require(tensor.offset >= region.offset, "the slot starts before its region");
    slot.require(tensor.slot_bytes <= region.bytes &&
                     tensor.offset - region.offset <= region.bytes - tensor.slot_bytes,
                 "the slot ends outside its region");
  }
}

void StructureVerifier::checkShapes() const {
  const uint64_t expected = uint64_t{t.tensors.size()} * t.variants.size();
  if (t.shapes.size() != expected)
    rejectPlan("SHAPES: expected " + std::to_string(expected) + " records, but got " +
               std::to_string(t.shapes.size()));
  for (size_t i = 0; i < t.shapes.size(); ++i) {
    const trrt_plan_tensor &tensor = t.tensors[i / t.variants.size()];
    const Field dims{"SHAPES", i, "dims"};
    uint64_t bytes = trk::kDTypeBytes[tensor.dtype];
    const uint32_t *d = t.shapes[i].dims;
    if (isPooled(static_cast<Region>(tensor.region)) && (d[0] | d[1] | d[2] | d[3]) == 0)
      continue; // the variant does not use the tensor
    for (uint32_t dim : t.shapes[i].dims) {
      dims.within(dim, 1, kMaxDim);
      dims.require(!__builtin_mul_overflow(bytes, uint64_t{dim}, &bytes) && bytes <= kMaxBytes,
                   "the tensor has too many bytes");
    }
    if (bytes > tensor.slot_bytes)
      dims.reject("expected at most the slot's " + std::to_string(tensor.slot_bytes) +
                  " bytes, but got " + std::to_string(bytes));
  }
}

// Equal shape ids promise equal shapes.
void StructureVerifier::checkShapeIds() const {
  const size_t count = t.variants.size();
  for (size_t v = 1; v < count; ++v) {
    size_t first = 0;
    while (t.variants[first].shape_id != t.variants[v].shape_id)
      ++first;
    for (size_t tensor = 0; tensor < t.tensors.size() && first != v; ++tensor)
      for (int d = 0; d < 4; ++d)
        Field{"VARIANTS", v, "shape_id"}.require(t.shapes[tensor * count + first].dims[d] ==
                                                     t.shapes[tensor * count + v].dims[d],
                                                 "another variant has this id, but other shapes");
  }
}

void StructureVerifier::checkSubgraphs() {
  for (size_t i = 0; i < t.subgraphs.size(); ++i) {
    const trrt_plan_subgraph &s = t.subgraphs[i];
    const Field id{"SUBGRAPHS", i, "subgraph"}, reason{"SUBGRAPHS", i, "reason"};
    Field{"SUBGRAPHS", i, "graph"}.below(s.graph, t.target[0].graph_count, "graphs");
    id.below(s.subgraph, TRRT_SUBGRAPH_COUNT, "subgraphs");
    id.require(subgraphOf.emplace(pairKey(s.graph, s.subgraph), static_cast<uint32_t>(i)).second,
               "a second record of this subgraph in the same graph");
    Field{"SUBGRAPHS", i, "first_op"}.span(s.first_op, s.op_count, t.ops.size());
    text(reason, s.reason);
    reason.require(s.op_count == 0 || s.reason == 0, "expected none, as the subgraph has ops");
    Field{"SUBGRAPHS", i, "reserved"}.zero(s.reserved);
  }
}

void StructureVerifier::checkRanges() const {
  for (size_t i = 0; i < t.ranges.size(); ++i) {
    Field{"RANGES", i, "last_region"}.below(t.ranges[i].last_region, kRegionCount, "regions");
    Field{"RANGES", i, "first_region"}.within(t.ranges[i].first_region, 0, t.ranges[i].last_region);
  }
}

// Runs of nodes and edges follow each other, so all schedules together are no
// longer than their sections.
void StructureVerifier::checkSchedules() const {
  std::unordered_set<uint64_t> seen;
  uint64_t nodes = 0, edges = 0;
  for (size_t i = 0; i < t.schedules.size(); ++i) {
    const trrt_plan_schedule &s = t.schedules[i];
    const Field kind{"SCHEDULES", i, "schedule"}, firstNode{"SCHEDULES", i, "first_node"},
        firstEdge{"SCHEDULES", i, "first_edge"};
    kind.below(s.schedule, kScheduleKindCount, "schedules");
    Field{"SCHEDULES", i, "graph"}.below(s.graph, t.target[0].graph_count, "graphs");
    kind.require(seen.insert(pairKey(s.graph, s.schedule)).second,
                 "a second schedule of this kind in the same graph");
    firstNode.require(s.first_node == nodes, "expected the end of the previous schedule");
    firstEdge.require(s.first_edge == edges, "expected the end of the previous schedule");
    firstNode.span(s.first_node, s.node_count, t.scheduleNodes.size());
    firstEdge.span(s.first_edge, s.edge_count, t.scheduleEdges.size());
    nodes += s.node_count;
    edges += s.edge_count;
    checkScheduleContent(i);
  }
  if (nodes != t.scheduleNodes.size())
    rejectPlan("SCHEDULE: expected " + std::to_string(nodes) + " records, but got " +
               std::to_string(t.scheduleNodes.size()));
  if (edges != t.scheduleEdges.size())
    rejectPlan("SCHEDULE_EDGES: expected " + std::to_string(edges) + " records, but got " +
               std::to_string(t.scheduleEdges.size()));
}

void StructureVerifier::checkScheduleContent(size_t index) const {
  const trrt_plan_schedule &s = t.schedules[index];
  for (size_t i = s.first_node; i < s.first_node + uint64_t{s.node_count}; ++i) {
    const trrt_plan_schedule_node &node = t.scheduleNodes[i];
    const Field op{"SCHEDULE", i, "op"}, subgraph{"SCHEDULE", i, "subgraph"};
    op.below(node.op, t.ops.size(), "ops");
    subgraph.below(node.subgraph, TRRT_SUBGRAPH_COUNT, "subgraphs");
    const auto found = subgraphOf.find(pairKey(s.graph, node.subgraph));
    subgraph.require(found != subgraphOf.end(), "the schedule's graph has no such subgraph");
    const trrt_plan_subgraph &owner = t.subgraphs[found->second];
    op.require(node.op >= owner.first_op && node.op - owner.first_op < owner.op_count,
               "it is not an op of the node's subgraph");
  }
  for (size_t i = s.first_edge; i < s.first_edge + uint64_t{s.edge_count}; ++i) {
    Field{"SCHEDULE_EDGES", i, "to"}.below(t.scheduleEdges[i].to, s.node_count, "nodes");
    Field{"SCHEDULE_EDGES", i, "from"}.require(t.scheduleEdges[i].from < t.scheduleEdges[i].to,
                                               "expected a node before the edge's end");
  }
}

void StructureVerifier::checkAtlas() const {
  const uint64_t expected = uint64_t{t.variants.size()} * TRRT_SUBGRAPH_COUNT;
  if (t.atlas.size() != expected)
    rejectPlan("ATLAS: expected " + std::to_string(expected) + " records, but got " +
               std::to_string(t.atlas.size()));
  std::unordered_map<uint32_t, uint32_t> recordOf; // capture -> record
  for (size_t i = 0; i < t.atlas.size(); ++i) {
    const trrt_plan_atlas_entry &entry = t.atlas[i];
    const Field record{"ATLAS", i, "subgraph_record"}, capture{"ATLAS", i, "capture"};
    record.belowOrNone(entry.subgraph_record, t.subgraphs.size(), "subgraph records");
    const bool none = entry.subgraph_record == TRRT_PLAN_NONE;
    capture.require((entry.capture == TRRT_PLAN_NONE) == none,
                    "expected a number exactly where there is a subgraph record");
    if (none)
      continue;
    const trrt_plan_subgraph &s = t.subgraphs[entry.subgraph_record];
    record.require(s.subgraph == i % TRRT_SUBGRAPH_COUNT, "it is another subgraph's record");
    record.require(s.graph == t.variants[i / TRRT_SUBGRAPH_COUNT].graph,
                   "it belongs to another graph than the variant");
    capture.require(recordOf.emplace(entry.capture, entry.subgraph_record).first->second ==
                        entry.subgraph_record,
                    "another subgraph record has this number");
  }
}

void StructureVerifier::checkParams() const {
  std::unordered_set<std::string> names;
  for (size_t i = 0; i < t.params.size(); ++i) {
    const trrt_plan_param &p = t.params[i];
    const Field nameField{"PARAMS", i, "name"}, scale{"PARAMS", i, "init_scale"};
    name(nameField, p.name);
    nameField.require(names.insert(t.strings[p.name]).second, "a second parameter of this name");
    Field{"PARAMS", i, "flags"}.zero(p.flags & ~TRRT_PLAN_PARAM_TRAINABLE);
    Field{"PARAMS", i, "tensor"}.below(p.tensor, t.tensors.size(), "tensors");
    Field{"PARAMS", i, "grad"}.belowOrNone(p.grad, t.tensors.size(), "tensors");
    Field{"PARAMS", i, "layout"}.below(p.layout, kParamLayoutCount, "layouts");
    Field{"PARAMS", i, "init"}.below(p.init, kInitCount, "rules");
    scale.require(p.init_scale >= 0 && p.init_scale <= 1e30, "expected a finite number, 0 or more");
    checkParamShape(i);
  }
}

// Values are copied between files and the tensors of the first variant, so all
// variants must agree and the logical shape must fit.
void StructureVerifier::checkParamShape(size_t index) const {
  const trrt_plan_param &p = t.params[index];
  const size_t count = t.variants.size();
  const Field tensor{"PARAMS", index, "tensor"}, grad{"PARAMS", index, "grad"},
      logical{"PARAMS", index, "logical_dims"};
  auto isF32 = [&](uint32_t id) {
    return static_cast<trk::DType>(t.tensors[id].dtype) == trk::DType::F32;
  };
  tensor.require(isF32(p.tensor), "expected a tensor of f32");
  grad.require(p.grad == TRRT_PLAN_NONE || isF32(p.grad), "expected a tensor of f32");
  for (int d = 0; d < 4; ++d) {
    const uint32_t dim = t.shapes[p.tensor * count].dims[d];
    for (size_t v = 0; v < count; ++v) {
      tensor.require(t.shapes[p.tensor * count + v].dims[d] == dim,
                     "the parameter has other shapes in other variants");
      grad.require(p.grad == TRRT_PLAN_NONE || t.shapes[p.grad * count + v].dims[d] == dim,
                   "the gradient has another shape than the parameter");
    }
    tensor.require(!isPooled(static_cast<Region>(t.tensors[p.tensor].region)),
                   "expected a tensor that keeps its value between steps");
    logical.within(p.logical_dims[d], 1, dim);
    if (static_cast<ParamLayout>(p.layout) == ParamLayout::Vector && d < 3)
      logical.within(p.logical_dims[d], 1, 1);
  }
}

} // namespace

void verifyStructure(const PlanTables &tables) { StructureVerifier(tables).run(); }

} // namespace trrt
