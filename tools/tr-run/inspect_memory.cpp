// SPDX-License-Identifier: Apache-2.0
//
// Memory and sharing as `tr-run inspect` shows them, computed from the plan alone.
#include "inspect.h"

using namespace trf;

namespace trrun {

std::vector<MemorySummary> summarizeMemory(const Plan &plan) {
  std::vector<MemorySummary> summaries;
  for (const bool training : {true, false})
    if (const StepSchedule *schedule = findSchedule(plan, training))
      summaries.push_back({training ? "train" : "infer", measureMemory(plan, *schedule)});
  return summaries;
}

std::string memoryCsv(const MemorySummary &summary) {
  std::string text = "id,lower,upper,size,offset\n";
  for (const Lifetime &life : summary.memory.lifetimes)
    text += std::to_string(life.tensor) + "," + std::to_string(life.lower) + "," +
            std::to_string(life.upper) + "," + std::to_string(life.bytes) + "," +
            std::to_string(life.offset) + "\n";
  return text;
}

// Subgraphs with kernel ops that both variants run as one bound call list, and how many
// the first one has.
static std::vector<std::string> commonCaptures(const Plan &plan, uint32_t a, uint32_t b,
                                               size_t &runs) {
  std::vector<std::string> names;
  runs = 0;
  for (const SubgraphRow &subgraph : kSubgraphs) {
    const AtlasEntry &x = plan.atlasEntry(a, subgraph.value);
    if (x.subgraph_record == kNone || plan.subgraphs[x.subgraph_record].op_count == 0)
      continue;
    ++runs;
    if (x.capture == plan.atlasEntry(b, subgraph.value).capture)
      names.emplace_back(subgraph.name);
  }
  return names;
}

std::vector<SharingSummary> summarizeSharing(const Plan &plan) {
  std::vector<SharingSummary> summaries;
  for (uint32_t v = 1; v < plan.variants.size(); ++v) {
    SharingSummary best{plan.variants[v].name, "", "no capture has equal shapes", {}, 0};
    for (uint32_t other = 0; other < v; ++other) {
      const Variant &a = plan.variants[v], &b = plan.variants[other];
      std::vector<std::string> captures = commonCaptures(plan, v, other, best.runs);
      const bool equal = a.shape_id == b.shape_id && a.graph == b.graph;
      if (!equal && captures.size() <= best.captures.size())
        continue;
      best.with = b.name;
      best.captures = std::move(captures);
      best.reason = equal ? "equal batch and resolution" : "same graph, equal shapes in them";
      if (equal)
        break;
    }
    summaries.push_back(std::move(best));
  }
  return summaries;
}

} // namespace trrun
