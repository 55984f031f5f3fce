// SPDX-License-Identifier: Apache-2.0
//
// A plan in memory: the checked, copied content of a plan file. Ids are
// positions in these vectors, as in the file.
#ifndef TRRT_PLAN_PLAN_H
#define TRRT_PLAN_PLAN_H

#include "trk/op_table.h"
#include "trrt/plan_format.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace trrt {

inline constexpr uint32_t kNone = TRRT_PLAN_NONE;

enum class Region : uint32_t {
#define X(name, spelling, dtype, life, purpose) name,
  TRRT_REGIONS(X)
#undef X
};
inline constexpr uint32_t kRegionCount = 0
#define X(name, spelling, dtype, life, purpose) +1
    TRRT_REGIONS(X)
#undef X
    ;

// Regions whose tensors hold nothing between steps and may share memory.
inline constexpr bool kPooled = true, kKept = false;
inline constexpr bool kRegionIsPooled[] = {
#define X(name, spelling, dtype, life, purpose) k##life,
    TRRT_REGIONS(X)
#undef X
};
inline constexpr bool isPooled(Region region) {
  return kRegionIsPooled[static_cast<uint32_t>(region)];
}

enum class Subgraph : uint32_t {
#define X(id, name, spelling) name = id,
  TRRT_SUBGRAPHS(X)
#undef X
};

enum class ScheduleKind : uint32_t {
#define X(id, name, spelling) name = id,
  TRRT_SCHEDULES(X)
#undef X
};

enum class Init : uint32_t {
#define X(name, spelling) name,
  TRRT_INITS(X)
#undef X
};

enum class ParamLayout : uint32_t {
#define X(name, spelling) name,
  TRRT_PARAM_LAYOUTS(X)
#undef X
};

enum class TensorLayout : uint32_t {
#define X(name, spelling) name,
  TRRT_TENSOR_LAYOUTS(X)
#undef X
};

using Dims = std::array<int64_t, 4>; // n, h, w, c

struct Variant {
  std::string name;
  bool training = false;
  int64_t batch = 0, height = 0, width = 0, channels = 0;
  uint32_t graph = 0, shape_id = 0;
};

struct RegionExtent {
  uint64_t offset = 0, bytes = 0;
};

struct TensorInfo {
  std::string name;
  Region region{};
  trk::DType dtype{};
  TensorLayout layout{};
  uint32_t layer = kNone;
  uint64_t offset = 0, slot_bytes = 0;
};

struct SubgraphInfo {
  uint32_t graph = 0;
  Subgraph subgraph{};
  uint32_t first_op = 0, op_count = 0;
  std::string reason; // why it is empty
};

struct Op {
  trk::Opcode opcode{};
  std::vector<uint32_t> operands; // tensor id, range id (where the table says so) or kNone
  std::vector<uint64_t> attrs;    // bits of int64 or double
  uint32_t layer = kNone;
  trk::ConvAlgorithm algorithm = trk::ConvAlgorithm::Auto;
};

struct Range {
  Region first{}, last{};
};

struct ScheduleNode {
  uint32_t op = 0;
  Subgraph subgraph{};
};

struct Schedule {
  ScheduleKind kind{};
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
  std::string backend, precision, optimizer;
  uint32_t slices = 1, classes = 0, graph_count = 1;
  uint64_t arena_bytes = 0;
  uint64_t train_samples = 0, val_samples = 0; // 0: any data set
  uint32_t lowres_epoch = kNone;               // first epoch of the lowres variants
  bool drop_last = false;
  trk::Isa isa = trk::Isa::Any; // what the CPU of a session must have
  std::array<uint8_t, 16> content_id{};
  std::vector<Variant> variants;
  std::array<RegionExtent, kRegionCount> regions{};
  std::vector<TensorInfo> tensors;
  std::vector<Dims> shapes; // [tensor * variants + variant]
  std::vector<SubgraphInfo> subgraphs;
  std::vector<Op> ops;
  std::vector<Range> ranges;
  std::vector<Schedule> schedules;
  std::vector<AtlasEntry> atlas; // [variant * TRRT_SUBGRAPH_COUNT + subgraph]
  std::vector<Param> params;
  std::vector<std::pair<std::string, uint32_t>> fusions;
  std::vector<LayerInfo> layers;

  const Dims &shape(uint32_t tensor, uint32_t variant) const {
    return shapes[static_cast<size_t>(tensor) * variants.size() + variant];
  }
  // Names are unique among baseline tensors ("data_a", "lr", ...). kNone: no such tensor.
  uint32_t findTensor(const std::string &name) const;
  uint32_t findVariant(const std::string &name) const;
};

// Parses and verifies; on failure returns false and one line in `error`.
bool readPlan(const uint8_t *bytes, size_t size, Plan &plan, std::string &error);
bool readPlanFile(const std::string &path, Plan &plan, std::string &error);

} // namespace trrt

#endif // TRRT_PLAN_PLAN_H
