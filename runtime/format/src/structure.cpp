// SPDX-License-Identifier: Apache-2.0
//
// Structure of a plan (checks V11, V24, V34, V35, V39 and V60 of docs/plan-format.md): every
// number is in range and every reference leads to a record, so that whoever reads a Plan may follow
// references without looking. Each check is linear in the records.
#include "structure.h"

#include "check.h"
#include "trf/plan.h"

#include <set>
#include <unordered_map>
#include <unordered_set>

namespace trf {

namespace {

constexpr uint64_t kMaxSlices = 1024;
constexpr uint64_t kMaxRegions = uint64_t{kCount<Role>} * kCount<Group> * kCount<DType>;

uint64_t pairKey(uint32_t high, uint32_t low) { return uint64_t{high} << 32 | low; }

class StructureVerifier {
public:
  explicit StructureVerifier(const PlanRecords &tables) : t(tables) {}

  void run() {
    verifyStrings(t);
    checkLimits();
    checkTarget();
    checkNames();
    checkVariants();
    verifyMemory(t);
    checkSubgraphs();
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
  void checkSubgraphs();
  void checkSchedules() const;
  void checkScheduleContent(size_t index) const;
  void checkAtlas() const;
  void checkParams() const;
  void checkParamShape(size_t index) const;

  void text(const Field &field, uint32_t string) const { requireText(t, field, string); }
  void name(const Field &field, uint32_t string) const { requireName(t, field, string); }

  const PlanRecords &t;
  std::unordered_map<uint64_t, uint32_t> subgraphOf; // (graph, subgraph) -> record
};

void StructureVerifier::checkLimits() const {
  const struct {
    Section section;
    size_t count, low, high;
  } limits[] = {{Section::Variants, t.variants.size(), 1, 64},
                {Section::Regions, t.regions.size(), 0, kMaxRegions},
                {Section::Tensors, t.tensors.size(), 0, TRF_MAX_OPERANDS},
                {Section::Shapes, t.shapes.size(), 0, TRF_MAX_OPERANDS},
                {Section::Ops, t.ops.size(), 0, TRF_MAX_OPS},
                {Section::Operands, t.operands.size(), 0, TRF_MAX_OPERANDS},
                {Section::Attrs, t.attrs.size(), 0, TRF_MAX_OPERANDS},
                {Section::Ranges, t.ranges.size(), 0, TRF_MAX_OPERANDS},
                {Section::Schedule, t.scheduleNodes.size(), 0, TRF_MAX_OPERANDS},
                {Section::ScheduleEdges, t.scheduleEdges.size(), 0, TRF_MAX_OPERANDS},
                {Section::Target, t.target.size(), 1, 1},
                {Section::Meta, t.meta.size(), 1, 1}};
  for (const auto &l : limits)
    if (l.count < l.low || l.count > l.high)
      rejectSection(l.section, "expected " +
                                   (l.low == l.high
                                        ? std::to_string(l.low)
                                        : std::to_string(l.low) + " to " + std::to_string(l.high)) +
                                   " records, but got " + std::to_string(l.count));
}

void StructureVerifier::checkTarget() const {
  const trf_target &target = t.target[0];
  Field{Section::Target, 0, "target"}.inTable<Target>(target.target);
  Field{Section::Target, 0, "precision"}.inTable<Precision>(target.precision);
  Field{Section::Target, 0, "optimizer"}.inTable<Optimizer>(target.optimizer);
  Field{Section::Target, 0, "slices"}.within(target.slices, 1, kMaxSlices);
  Field{Section::Target, 0, "classes"}.within(target.classes, 1, kMaxDim);
  Field{Section::Target, 0, "graph_count"}.within(target.graph_count, 1, t.variants.size());
  Field{Section::Target, 0, "arena_bytes"}.within(target.arena_bytes, 0, kMaxBytes);
  Field{Section::Target, 0, "train_samples"}.within(target.train_samples, 0, kMaxBytes);
  Field{Section::Target, 0, "val_samples"}.within(target.val_samples, 0, kMaxBytes);
  Field{Section::Target, 0, "flags"}.zero(target.flags & ~TRF_DROP_LAST);
}

// Sections that hold little but strings.
void StructureVerifier::checkNames() const {
  text({Section::Meta, 0, "model"}, t.meta[0].model);
  text({Section::Meta, 0, "producer"}, t.meta[0].producer);
  for (size_t i = 0; i < t.fusions.size(); ++i)
    name({Section::Fusions, i, "op"}, t.fusions[i].op);
  for (size_t i = 0; i < t.locs.size(); ++i)
    text({Section::Loc, i, "file"}, t.locs[i].file);
  for (size_t i = 0; i < t.layers.size(); ++i) {
    const trf_layer &layer = t.layers[i];
    text({Section::Layers, i, "path"}, layer.path);
    text({Section::Layers, i, "kind"}, layer.kind);
    Field{Section::Layers, i, "loc"}.belowOrNone(layer.loc, t.locs.size(), "locations");
    Field{Section::Layers, i, "is_first"}.within(layer.is_first, 0, 1);
  }
}

void StructureVerifier::checkVariants() const {
  std::set<std::string> names;
  for (size_t i = 0; i < t.variants.size(); ++i) {
    const trf_variant &v = t.variants[i];
    const Field nameField{Section::Variants, i, "name"};
    name(nameField, v.name);
    if (!names.insert(std::string(t.text(v.name))).second)
      rejectTwice(nameField, t.text(v.name));
    Field{Section::Variants, i, "is_training"}.within(v.is_training, 0, 1);
    Field{Section::Variants, i, "batch"}.within(v.batch, 1, kMaxDim);
    Field{Section::Variants, i, "height"}.within(v.height, 1, kMaxDim);
    Field{Section::Variants, i, "width"}.within(v.width, 1, kMaxDim);
    Field{Section::Variants, i, "channels"}.within(v.channels, 1, kMaxDim);
    Field{Section::Variants, i, "graph"}.below(v.graph, t.target[0].graph_count, "graphs");
  }
}

void StructureVerifier::checkSubgraphs() {
  for (size_t i = 0; i < t.subgraphs.size(); ++i) {
    const trf_subgraph &s = t.subgraphs[i];
    const Field id{Section::Subgraphs, i, "subgraph"}, reason{Section::Subgraphs, i, "reason"};
    Field{Section::Subgraphs, i, "graph"}.below(s.graph, t.target[0].graph_count, "graphs");
    id.inTable<Subgraph>(s.subgraph);
    id.require(subgraphOf.emplace(pairKey(s.graph, s.subgraph), static_cast<uint32_t>(i)).second,
               "a second record of this subgraph in the same graph");
    Field{Section::Subgraphs, i, "first_op"}.span(s.first_op, s.op_count, t.ops.size());
    text(reason, s.reason);
    reason.require(s.op_count == 0 || s.reason == 0, "expected none, as the subgraph has ops");
    Field{Section::Subgraphs, i, "reserved"}.zero(s.reserved);
  }
}

// Runs of nodes and edges follow each other, so all schedules together are no
// longer than their sections.
void StructureVerifier::checkSchedules() const {
  std::unordered_set<uint64_t> seen;
  uint64_t nodes = 0, edges = 0;
  for (size_t i = 0; i < t.schedules.size(); ++i) {
    const trf_schedule &s = t.schedules[i];
    const Field kind{Section::Schedules, i, "schedule"},
        firstNode{Section::Schedules, i, "first_node"},
        firstEdge{Section::Schedules, i, "first_edge"};
    kind.below(s.schedule, kCount<Schedule>, "schedules");
    Field{Section::Schedules, i, "graph"}.below(s.graph, t.target[0].graph_count, "graphs");
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
  requireCount(Section::Schedule, t.scheduleNodes.size(), nodes);
  requireCount(Section::ScheduleEdges, t.scheduleEdges.size(), edges);
}

void StructureVerifier::checkScheduleContent(size_t index) const {
  const trf_schedule &s = t.schedules[index];
  for (size_t i = s.first_node; i < s.first_node + uint64_t{s.node_count}; ++i) {
    const trf_schedule_node &node = t.scheduleNodes[i];
    const Field op{Section::Schedule, i, "op"}, subgraph{Section::Schedule, i, "subgraph"};
    op.below(node.op, t.ops.size(), "ops");
    subgraph.inTable<Subgraph>(node.subgraph);
    const auto found = subgraphOf.find(pairKey(s.graph, node.subgraph));
    subgraph.require(found != subgraphOf.end(), "the schedule's graph has no such subgraph");
    const trf_subgraph &owner = t.subgraphs[found->second];
    op.require(node.op >= owner.first_op && node.op - owner.first_op < owner.op_count,
               "it is not an op of the node's subgraph");
  }
  for (size_t i = s.first_edge; i < s.first_edge + uint64_t{s.edge_count}; ++i) {
    Field{Section::ScheduleEdges, i, "to"}.below(t.scheduleEdges[i].to, s.node_count, "nodes");
    Field{Section::ScheduleEdges, i, "from"}.require(
        t.scheduleEdges[i].from < t.scheduleEdges[i].to, "expected a node before the edge's end");
  }
}

void StructureVerifier::checkAtlas() const {
  requireCount(Section::Atlas, t.atlas.size(), uint64_t{t.variants.size()} * kCount<Subgraph>);
  std::unordered_map<uint32_t, uint32_t> recordOf; // capture -> record
  for (size_t i = 0; i < t.atlas.size(); ++i) {
    const trf_atlas_entry &entry = t.atlas[i];
    const Field record{Section::Atlas, i, "subgraph_record"}, capture{Section::Atlas, i, "capture"};
    record.belowOrNone(entry.subgraph_record, t.subgraphs.size(), "subgraph records");
    const bool none = entry.subgraph_record == TRF_NONE;
    capture.require((entry.capture == TRF_NONE) == none,
                    "expected a number exactly where there is a subgraph record");
    if (none)
      continue;
    const trf_subgraph &s = t.subgraphs[entry.subgraph_record];
    record.require(s.subgraph == i % kCount<Subgraph>, "it is another subgraph's record");
    record.require(s.graph == t.variants[i / kCount<Subgraph>].graph,
                   "it belongs to another graph than the variant");
    capture.require(recordOf.emplace(entry.capture, entry.subgraph_record).first->second ==
                        entry.subgraph_record,
                    "another subgraph record has this number");
  }
}

void StructureVerifier::checkParams() const {
  std::unordered_set<std::string> names;
  for (size_t i = 0; i < t.params.size(); ++i) {
    const trf_param &p = t.params[i];
    const Field nameField{Section::Params, i, "name"}, scale{Section::Params, i, "init_scale"};
    name(nameField, p.name);
    if (!names.insert(std::string(t.text(p.name))).second)
      rejectTwice(nameField, t.text(p.name));
    Field{Section::Params, i, "flags"}.zero(p.flags & ~TRF_PARAM_TRAINABLE);
    Field{Section::Params, i, "tensor"}.below(p.tensor, t.tensors.size(), "tensors");
    Field{Section::Params, i, "grad"}.belowOrNone(p.grad, t.tensors.size(), "tensors");
    Field{Section::Params, i, "layout"}.inTable<ParamLayout>(p.layout);
    Field{Section::Params, i, "init"}.inTable<Init>(p.init);
    scale.require(p.init_scale >= 0 && p.init_scale <= 1e30, "expected a finite number, 0 or more");
    checkParamShape(i);
  }
}

// Values are copied between files and the tensors of the first variant, so all
// variants must agree and the logical shape must fit.
void StructureVerifier::checkParamShape(size_t index) const {
  const trf_param &p = t.params[index];
  const size_t count = t.variants.size();
  const Field tensor{Section::Params, index, "tensor"}, grad{Section::Params, index, "grad"},
      logical{Section::Params, index, "logical_dims"};
  const auto isWholeF32 = [&](uint32_t id) {
    return static_cast<DType>(t.tensors[id].dtype) == DType::F32 &&
           t.tensors[id].parent == TRF_NONE;
  };
  tensor.require(isWholeF32(p.tensor), "expected a whole tensor of f32");
  grad.require(p.grad == TRF_NONE || isWholeF32(p.grad), "expected a whole tensor of f32");
  for (int d = 0; d < 4; ++d) {
    const uint32_t dim = t.shapes[p.tensor * count].dims[d];
    for (size_t v = 0; v < count; ++v) {
      tensor.require(t.shapes[p.tensor * count + v].dims[d] == dim,
                     "the parameter has other shapes in other variants");
      grad.require(p.grad == TRF_NONE || t.shapes[p.grad * count + v].dims[d] == dim,
                   "the gradient has another shape than the parameter");
    }
    tensor.require(!isPooled(t, t.tensors[p.tensor]),
                   "expected a tensor that keeps its value between steps");
    logical.within(p.logical_dims[d], 1, dim);
    if (static_cast<ParamLayout>(p.layout) == ParamLayout::Vector && d < 3)
      logical.within(p.logical_dims[d], 1, 1);
  }
}

} // namespace

void verifyStructure(const PlanRecords &tables) { StructureVerifier(tables).run(); }

} // namespace trf
