// SPDX-License-Identifier: Apache-2.0
//
// Command line of `tr-run inspect`, and what its two forms share.
#include "inspect.h"

#include "base/text.h"
#include "trrt/version.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

using namespace trrt;

namespace trrun {

static constexpr const char *kSubgraphNames[TRRT_SUBGRAPH_COUNT] = {
#define X(id, name, spelling) spelling,
    TRRT_SUBGRAPHS(X)
#undef X
};

const char *subgraphName(Subgraph subgraph) {
  return kSubgraphNames[static_cast<uint32_t>(subgraph)];
}

const char *scheduleName(ScheduleKind kind) {
  static constexpr const char *kNames[] = {
#define X(id, name, spelling) spelling,
      TRRT_SCHEDULES(X)
#undef X
  };
  return kNames[static_cast<uint32_t>(kind)];
}

std::vector<SubgraphSummary> summarizeSubgraphs(const Plan &plan) {
  std::vector<SubgraphSummary> summaries;
  for (const char *name : kSubgraphNames)
    summaries.push_back({name, 0, ""});
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

std::vector<std::vector<uint32_t>> predecessors(const Schedule &schedule) {
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

namespace {

constexpr const char *kHelp =
    "usage: tr-run inspect PLAN [options]\n\n"
    "Checks a plan and prints what is in it.\n\noptions:\n"
    "  --params    list every parameter and running statistic, in the layout of weight files\n"
    "  --schedule  list every node of every schedule, with its layer and what it waits for\n"
    "  --json      print one JSON object (parameters are always in it)\n"
    "  --help      print this text\n"
    "  --version   print the version\n";

struct UsageFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct CommandLine {
  std::string path;
  InspectOptions options;
  bool json = false, help = false, version = false;
};

CommandLine parse(int argc, const char *const *argv) {
  CommandLine line;
  const std::pair<const char *, bool *> flags[] = {{"--params", &line.options.params},
                                                   {"--schedule", &line.options.schedule},
                                                   {"--json", &line.json},
                                                   {"--help", &line.help},
                                                   {"-h", &line.help},
                                                   {"--version", &line.version}};
  bool onlyPaths = false;
  std::vector<std::string> names, paths;
  for (const auto &flag : flags)
    names.push_back(flag.first);
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (!onlyPaths && word == "--") {
      onlyPaths = true;
    } else if (onlyPaths || word.size() < 2 || word[0] != '-') {
      paths.push_back(word);
    } else {
      const auto found = std::find(names.begin(), names.end(), word);
      if (found == names.end())
        throw UsageFault("unknown option '" + printable(word) + "'" + didYouMean(word, names));
      *flags[found - names.begin()].second = true;
    }
  }
  if (!line.help && !line.version && paths.size() != 1)
    throw UsageFault("expected one plan, but got " + std::to_string(paths.size()));
  if (!paths.empty())
    line.path = paths[0];
  return line;
}

int inspect(const CommandLine &line) {
  if (line.help) {
    std::fputs(kHelp, stdout);
    return 0;
  }
  if (line.version) {
    std::printf("tr-run %s\n", trrt_version_string());
    return 0;
  }
  Plan plan;
  std::string error;
  if (!readPlanFile(line.path, plan, error)) {
    std::fprintf(stderr, "error: %s\n", error.c_str());
    return 1;
  }
  const std::string report =
      line.json ? inspectJson(plan, line.options) : inspectText(plan, line.options);
  if (std::fwrite(report.data(), 1, report.size(), stdout) != report.size() ||
      std::fflush(stdout) != 0) {
    std::fputs("error: cannot write the output\n", stderr);
    return 1;
  }
  return 0;
}

} // namespace
} // namespace trrun

int inspectMain(int argc, const char *const *argv) {
  try {
    return trrun::inspect(trrun::parse(argc, argv));
  } catch (const trrun::UsageFault &fault) {
    std::fprintf(stderr, "error: %s; see tr-run inspect --help\n", fault.what());
    return 2;
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "error: %s\n", failure.what());
    return 1;
  }
}
