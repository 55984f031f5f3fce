// SPDX-License-Identifier: Apache-2.0
//
// A plan in memory: the checked content of a plan file. Ids are positions in these
// vectors, as in the file.
#ifndef TRF_PLAN_H
#define TRF_PLAN_H

#include "trf/kernel_ops.h"
#include "trf/regions.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Fields have the names of the format's records. NOLINTBEGIN(readability-identifier-naming)

namespace trf {

struct PlanRecords;
struct FormatError;

using Dims = std::array<int64_t, 4>; // n, h, w, c
// "5x28x28x1"
std::string dimsText(const Dims &dims);
inline int64_t elementsOf(const Dims &dims) { return dims[0] * dims[1] * dims[2] * dims[3]; }

struct Variant {
  std::string name;
  bool training = false;
  int64_t batch = 0, height = 0, width = 0, channels = 0;
  uint32_t graph = 0, shape_id = 0;
};

// In the order of addresses. Pooled ones are one place, or follow each other.
struct RegionInfo {
  Region region;
  std::optional<DType> dtype; // none: pooled, tensors of any type
  uint64_t offset = 0, bytes = 0;

  bool isPooled() const { return region.isPooled(); }
  std::string name() const { return dtype ? regionName(region, *dtype) : regionName(region); }
};

struct TensorInfo {
  std::string name;
  uint32_t region = 0; // position
  DType dtype{};
  TensorLayout layout{};
  uint32_t layer = kNone;
  uint64_t offset = 0, slot_bytes = 0;
  uint32_t parent = kNone; // the tensor whose channels from `first_channel` on this one is
  uint32_t first_channel = 0;
};

struct SubgraphInfo {
  uint32_t graph = 0;
  Subgraph subgraph{};
  uint32_t first_op = 0, op_count = 0;
  std::string reason; // why it is empty
};

struct Op {
  Opcode opcode{};
  Instance instance{};
  std::vector<uint32_t> operands; // tensor id, range id (where the table says so) or kNone
  std::vector<Attr> attrs;
  uint32_t layer = kNone;
  ConvAlgorithm algorithm = ConvAlgorithm::Auto;

  const OpInfo &info() const { return trf::info(opcode); }
};

struct Range {
  uint32_t first = 0, last = 0; // positions of regions, both included
};

struct ScheduleNode {
  uint32_t op = 0;
  Subgraph subgraph{};
};

struct StepSchedule {
  Schedule kind{};
  uint32_t graph = 0;
  std::vector<ScheduleNode> nodes; // topological order
  std::vector<std::array<uint32_t, 2>> edges;
};

struct AtlasEntry {
  uint32_t subgraph_record = kNone, capture = kNone;
};

struct Param {
  std::string name;
  bool trainable = false;
  uint32_t tensor = kNone, grad = kNone;
  ParamLayout layout{};
  Init init{};
  double init_scale = 0;
  Dims logical{};
};

struct LayerInfo {
  std::string path, kind;
  std::string file; // empty: no location
  uint32_t line = 0, column = 0;
  bool first = false;
};

struct Plan {
  std::string model, producer;
  Target target{};
  Precision precision{};
  Optimizer optimizer{};
  uint32_t slices = 1, classes = 0, graph_count = 1;
  uint64_t arena_bytes = 0;
  uint64_t train_samples = 0, val_samples = 0; // 0: any data set
  uint32_t lowres_epoch = kNone;               // first epoch of the lowres variants
  bool drop_last = false;
  std::array<uint8_t, 16> content_id{};
  std::vector<Variant> variants;
  std::vector<RegionInfo> regions;
  std::vector<TensorInfo> tensors;
  std::vector<Dims> shapes; // [tensor * variants + variant]
  std::vector<SubgraphInfo> subgraphs;
  std::vector<Op> ops;
  std::vector<Range> ranges;
  std::vector<StepSchedule> schedules;
  std::vector<AtlasEntry> atlas; // [variant * kCount<Subgraph> + subgraph]
  std::vector<Param> params;
  std::vector<std::pair<std::string, uint32_t>> fusions;
  std::vector<LayerInfo> layers;

  const Dims &shape(uint32_t tensor, uint32_t variant) const {
    return shapes[static_cast<size_t>(tensor) * variants.size() + variant];
  }
  const AtlasEntry &atlasEntry(uint32_t variant, Subgraph subgraph) const {
    return atlas[size_t{variant} * kCount<Subgraph> + static_cast<uint32_t>(subgraph)];
  }
  const RegionInfo &regionOf(const TensorInfo &tensor) const { return regions[tensor.region]; }
  bool isPooled(uint32_t tensor) const { return regionOf(tensors[tensor]).isPooled(); }
  // The tensor whose slot this one lies in: its parent, or itself.
  uint32_t rootOf(uint32_t tensor) const {
    return tensors[tensor].parent == kNone ? tensor : tensors[tensor].parent;
  }
  uint64_t bytesOf(const Range &range) const {
    return regions[range.last].offset + regions[range.last].bytes - regions[range.first].offset;
  }
  // Position of a region, or kNone where the plan has none of it.
  uint32_t findRegion(Region region, std::optional<DType> dtype) const;
  // Names are unique among tensors of no layer ("data_a", "lr", ...). kNone: no such tensor.
  uint32_t findTensor(std::string_view name) const;
  uint32_t findTensor(SharedTensor tensor) const { return findTensor(name(tensor)); }
  uint32_t findVariant(std::string_view name) const;
};

// Parses and verifies; on failure returns false and one line in `error`.
bool readPlan(const uint8_t *bytes, size_t size, Plan &plan, std::string &error);
// Verifies records and makes a plan of them: all of the checks but those of the outer form of a
// file, so that what passes can be written and read back. Throws FormatError.
Plan makePlan(const PlanRecords &records);
// The first fault that makePlan() finds, for code that catches nothing; nullopt: none.
std::optional<FormatError> findFault(const PlanRecords &records);

} // namespace trf
// NOLINTEND(readability-identifier-naming)

#endif // TRF_PLAN_H
