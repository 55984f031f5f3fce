// SPDX-License-Identifier: Apache-2.0
//
// The sections of a plan file as copied records, before anything refers through
// them. parseContainer() fills them, verifyStructure() checks them, and only then
// readPlan() makes a Plan of them.
#ifndef TRRT_PLAN_TABLES_H
#define TRRT_PLAN_TABLES_H

#include "trrt/plan_format.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace trrt {

struct PlanTables {
  std::array<uint8_t, 16> contentId{};
  std::vector<std::string> strings;
  std::vector<trrt_plan_variant> variants;
  std::vector<trrt_plan_region> regions;
  std::vector<trrt_plan_tensor> tensors;
  std::vector<trrt_plan_shape> shapes;
  std::vector<trrt_plan_subgraph> subgraphs;
  std::vector<trrt_plan_op> ops;
  std::vector<uint32_t> operands;
  std::vector<trrt_plan_attr> attrs;
  std::vector<trrt_plan_range> ranges;
  std::vector<trrt_plan_schedule> schedules;
  std::vector<trrt_plan_schedule_node> scheduleNodes;
  std::vector<trrt_plan_edge> scheduleEdges;
  std::vector<trrt_plan_atlas_entry> atlas;
  std::vector<trrt_plan_param> params;
  std::vector<trrt_plan_fusion> fusions;
  std::vector<trrt_plan_target> target; // exactly one
  std::vector<trrt_plan_loc> locs;
  std::vector<trrt_plan_meta> meta; // exactly one
  std::vector<trrt_plan_layer> layers;
};

// Throws Error(TRRT_INVALID_FILE) with section, record and field in the message.
PlanTables parseContainer(const uint8_t *bytes, size_t size);

} // namespace trrt

#endif // TRRT_PLAN_TABLES_H
