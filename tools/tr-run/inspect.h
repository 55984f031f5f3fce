// SPDX-License-Identifier: Apache-2.0
//
// `tr-run inspect`: what is in a plan, as text or as JSON.
#ifndef RENAISSANCE_TOOLS_TR_RUN_INSPECT_H
#define RENAISSANCE_TOOLS_TR_RUN_INSPECT_H

#include "trf/liveness.h"
#include "trf/plan.h"

#include <string>

namespace trrun {

struct InspectOptions {
  bool params = false;   // list every parameter and buffer (JSON always does)
  bool schedule = false; // list every node of every schedule
};

std::string inspectText(const trf::Plan &plan, const InspectOptions &options);
// One JSON object, indented, with a newline at the end.
std::string inspectJson(const trf::Plan &plan, const InspectOptions &options);

// What both forms show of one subgraph id, all graphs together.
struct SubgraphSummary {
  std::string_view name;
  uint64_t nodes = 0;
  std::string reason; // why it has no nodes; empty where it has some
};
std::vector<SubgraphSummary> summarizeSubgraphs(const trf::Plan &plan);

// Memory of training ("train") and of validation and inference ("infer"), where the plan has them.
struct MemorySummary {
  std::string schedule;
  trf::ScheduleMemory memory;
};
std::vector<MemorySummary> summarizeMemory(const trf::Plan &plan);
// id,lower,upper,size,offset of the pool's tensors.
std::string memoryCsv(const MemorySummary &summary);

// Which earlier variant a variant shares bound call lists with, and why.
struct SharingSummary {
  std::string variant, with; // `with` is empty where nothing is shared
  std::string reason;
  std::vector<std::string> captures; // subgraphs
  size_t runs = 0;                   // subgraphs with kernel ops that the variant runs
};
std::vector<SharingSummary> summarizeSharing(const trf::Plan &plan);

// Of each node, the nodes that it waits for, ascending.
std::vector<std::vector<uint32_t>> predecessors(const trf::StepSchedule &schedule);
// "model.bp:12:5", or empty where the plan has no location.
std::string locationText(const trf::LayerInfo &layer);

} // namespace trrun

#endif // RENAISSANCE_TOOLS_TR_RUN_INSPECT_H
