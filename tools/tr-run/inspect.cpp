// SPDX-License-Identifier: Apache-2.0
//
// tr-run inspect: the command, and what its two forms share.
#include "inspect.h"
#include "commands.h"

#include "base/status.h"
#include "io/file.h"
#include "plan/plan_file.h"
#include "trs/process.h"

#include <algorithm>

using namespace trf;

namespace trrun {

std::vector<SubgraphSummary> summarizeSubgraphs(const Plan &plan) {
  std::vector<SubgraphSummary> summaries;
  for (const SubgraphRow &subgraph : kSubgraphs)
    summaries.push_back({subgraph.name, 0, ""});
  std::vector<bool> listed(summaries.size());
  for (const SubgraphInfo &s : plan.subgraphs) {
    SubgraphSummary &summary = summaries[static_cast<uint32_t>(s.subgraph)];
    listed[static_cast<uint32_t>(s.subgraph)] = true;
    summary.nodes += s.op_count;
    if (summary.reason.empty())
      summary.reason = s.reason;
  }
  for (size_t i = 0; i < summaries.size(); ++i) {
    if (summaries[i].nodes != 0)
      summaries[i].reason.clear();
    else if (!listed[i])
      summaries[i].reason = "the plan does not list it";
  }
  return summaries;
}

std::vector<std::vector<uint32_t>> predecessors(const StepSchedule &schedule) {
  std::vector<std::vector<uint32_t>> result(schedule.nodes.size());
  for (const auto &edge : schedule.edges)
    result[edge[1]].push_back(edge[0]);
  for (std::vector<uint32_t> &nodes : result)
    std::sort(nodes.begin(), nodes.end());
  return result;
}

std::string locationText(const LayerInfo &layer) {
  if (layer.file.empty())
    return "";
  return layer.file + ":" + std::to_string(layer.line) + ":" + std::to_string(layer.column);
}

static std::string csvReport(const Plan &plan, const std::string &schedule) {
  for (const MemorySummary &summary : summarizeMemory(plan))
    if (summary.schedule == schedule)
      return memoryCsv(summary);
  throw trrt::Error(TRRT_INVALID_ARGUMENT, "the plan has no schedule '" + schedule + "'");
}

static int runInspect(const Args &args) {
  const InspectOptions options = {args.has("--params"), args.has("--schedule")};
  const std::string schedule = args.choice("--memory-csv", {"train", "infer"});
  const bool csv = args.has("--memory-csv"), json = args.has("--json");
  if (csv && (json || options.params || options.schedule))
    throw UsageError("option '--memory-csv' prints nothing else");
  const Plan plan = trrt::readPlanFile(args.plan());
  const std::string report = csv    ? csvReport(plan, schedule)
                             : json ? inspectJson(plan, options)
                                    : inspectText(plan, options);
  trrt::requireWritten(trs::printStandardOutput(report));
  return 0;
}

Command inspectCommand() {
  return {"inspect",
          "Checks a plan and prints what is in it.",
          {{"--params", nullptr,
            "list every parameter and running statistic, in the layout of weight files"},
           {"--schedule", nullptr,
            "list every node of every schedule, with its layer and what it waits for"},
           {"--json", nullptr, "print one JSON object (parameters are always in it)"},
           {"--memory-csv", "train|infer",
            "print id,lower,upper,size,offset of each tensor in the pool; tr-memplan reads it"}},
          runInspect};
}

} // namespace trrun
