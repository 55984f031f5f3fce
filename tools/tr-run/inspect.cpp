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
    "  --memory=csv [--schedule train|infer]\n"
    "              print id,lower,upper,size,offset of each tensor in the pool (default: train,\n"
    "              or infer where the plan does not train); tr-memplan reads it\n"
    "  --help      print this text\n"
    "  --version   print the version\n";

struct UsageFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct CommandLine {
  std::string path;
  InspectOptions options;
  bool json = false, help = false, version = false;
  bool memoryCsv = false;
  std::string csvSchedule; // empty: the first that the plan has
};

// `--memory=csv --schedule train`: the word after the flag, or after an equals sign.
bool parseCsvWord(const std::string &word, const char *next, CommandLine &line, int &i) {
  static const std::string kSchedule = "--schedule";
  if (word == "--memory=csv") {
    line.memoryCsv = true;
    return true;
  }
  if (word.compare(0, 9, "--memory=") == 0 || word == "--memory")
    throw UsageFault("option '--memory' expects csv, as in --memory=csv");
  const bool hasValue = word.compare(0, kSchedule.size() + 1, kSchedule + "=") == 0;
  if (hasValue)
    line.csvSchedule = word.substr(kSchedule.size() + 1);
  else if (word == kSchedule && next)
    line.csvSchedule = next;
  else
    return false;
  if (line.csvSchedule == "train" || line.csvSchedule == "infer") {
    i += hasValue ? 0 : 1;
    return true;
  }
  if (hasValue)
    throw UsageFault("option '--schedule' expects train or infer, but got '" +
                     printable(line.csvSchedule) + "'");
  line.csvSchedule.clear();
  return false;
}

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
    } else if (!parseCsvWord(word, i + 1 < argc ? argv[i + 1] : nullptr, line, i)) {
      const auto found = std::find(names.begin(), names.end(), word);
      if (found == names.end())
        throw UsageFault("unknown option '" + printable(word) + "'" + didYouMean(word, names));
      *flags[found - names.begin()].second = true;
    }
  }
  if (!line.help && !line.version && paths.size() != 1)
    throw UsageFault("expected one plan, but got " + std::to_string(paths.size()));
  if (!line.csvSchedule.empty() && !line.memoryCsv)
    throw UsageFault("a value of --schedule belongs to --memory=csv");
  if (line.memoryCsv && (line.json || line.options.params || line.options.schedule))
    throw UsageFault("--memory=csv prints nothing else");
  if (!paths.empty())
    line.path = paths[0];
  return line;
}

int print(const std::string &report) {
  if (std::fwrite(report.data(), 1, report.size(), stdout) == report.size() &&
      std::fflush(stdout) == 0)
    return 0;
  std::fputs("error: cannot write the output\n", stderr);
  return 1;
}

std::string csvReport(const Plan &plan, const std::string &wanted) {
  for (const MemorySummary &summary : summarizeMemory(plan))
    if (wanted.empty() || summary.schedule == wanted)
      return memoryCsv(plan, summary.schedule);
  throw std::runtime_error("the plan has no schedule '" + (wanted.empty() ? "train" : wanted) +
                           "'");
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
  if (line.memoryCsv)
    return print(csvReport(plan, line.csvSchedule));
  const std::string report =
      line.json ? inspectJson(plan, line.options) : inspectText(plan, line.options);
  return print(report);
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
