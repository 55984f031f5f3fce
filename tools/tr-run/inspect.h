// SPDX-License-Identifier: Apache-2.0
//
// `tr-run inspect`: what is in a plan, as text or as JSON.
#ifndef TR_RUN_INSPECT_H
#define TR_RUN_INSPECT_H

#include "plan/liveness.h"
#include "plan/plan.h"

#include <string>

// argv[0] is the word "inspect". Returns the exit code; prints its own errors.
int inspectMain(int argc, const char *const *argv);

namespace trrun {

struct InspectOptions {
  bool params = false;   // list every parameter and buffer (JSON always does)
  bool schedule = false; // list every node of every schedule
};

std::string inspectText(const trrt::Plan &plan, const InspectOptions &options);
// One JSON object, indented, with a newline at the end.
std::string inspectJson(const trrt::Plan &plan, const InspectOptions &options);

// What both forms show of one subgraph id, all graphs together.
struct SubgraphSummary {
  const char *name;
  uint64_t nodes = 0;
  std::string reason; // why it has no nodes; empty where it has some
};
std::vector<SubgraphSummary> summarizeSubgraphs(const trrt::Plan &plan);

// Memory of training ("train") and of validation and inference ("infer"), where the plan has them.
struct MemorySummary {
  std::string schedule;
  trrt::ScheduleMemory memory;
};
std::vector<MemorySummary> summarizeMemory(const trrt::Plan &plan);
// id,lower,upper,size,offset of the pool's tensors in one of these schedules.
std::string memoryCsv(const trrt::Plan &plan, const std::string &schedule);

// Which earlier variant a variant shares bound call lists with, and why.
struct SharingSummary {
  std::string variant, with; // `with` is empty where nothing is shared
  std::string reason;
  std::vector<std::string> captures; // subgraphs
  size_t runs = 0;                   // subgraphs with kernel ops that the variant runs
};
std::vector<SharingSummary> summarizeSharing(const trrt::Plan &plan);

const char *scheduleName(trrt::ScheduleKind kind);
const char *subgraphName(trrt::Subgraph subgraph);
// Of each node, the nodes that it waits for, ascending.
std::vector<std::vector<uint32_t>> predecessors(const trrt::Schedule &schedule);
// "model.bp:12:5", or empty where the plan has no location.
std::string locationText(const trrt::LayerInfo &layer);

} // namespace trrun

#endif // TR_RUN_INSPECT_H
