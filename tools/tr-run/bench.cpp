// SPDX-License-Identifier: Apache-2.0
//
// tr-run bench: how long the steps of a plan take, and what its kernel ops reach.
#include "bench.h"
#include "commands.h"

#include "base/status.h"
#include "base/text.h"
#include "io/file.h"
#include "trs/output_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <sys/resource.h>

namespace trrun {

using namespace trf;
using namespace trrt;
using Json = nlohmann::ordered_json;

namespace {

constexpr int kWarmUpSteps = 2;

struct Usage {
  int64_t faults, kilobytes; // minor page faults, largest resident set
  static Usage now() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return {usage.ru_minflt, usage.ru_maxrss};
  }
};

double percentile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(part * static_cast<double>(values.size() - 1) + 0.5)];
}

struct Mode {
  bool train = true;
  uint32_t variant = 0;
  Schedule schedule{};
};

// Times of every node over all measured steps.
class NodeTimes final : public CallObserver {
public:
  explicit NodeTimes(size_t nodes) : times(nodes) {}
  void called(size_t position, uint64_t begin, uint64_t end) override {
    times[position].push_back(static_cast<double>(end - begin) * 1e-6);
    last.resize(times.size());
    last[position] = {begin, end};
  }
  double median(size_t node) const { return percentile(times[node], 0.5); }
  size_t count() const { return times.size(); }

  struct Span {
    uint64_t begin = 0, end = 0;
  };
  std::vector<Span> last; // of the last step

private:
  std::vector<std::vector<double>> times;
};

struct Figures {
  std::vector<double> steps; // milliseconds
  double faultsPerStep = 0;
  int64_t residentKilobytes = 0; // grown since the process began its work
};

} // namespace

static Mode readMode(const Args &args, const Session &session) {
  Mode mode;
  mode.train = args.choice("--mode", {"train", "infer"}) == "train";
  const auto standard = mode.train ? StandardVariant::TrainBase : StandardVariant::ValBase;
  mode.variant = session.variant(args.text("--variant", std::string(name(standard))));
  mode.schedule = scheduleOf(mode.train ? StepKind::Train : StepKind::Infer, Half::A);
  return mode;
}

// Random images in [-1, 1) and labels in turn, the same in every run.
static void fillInput(Session &session, const Mode &mode) {
  const Plan &plan = session.plan();
  const Variant &v = plan.variants[mode.variant];
  const int64_t count = v.batch * v.height * v.width * v.channels;
  for (const Half half : kHalves) {
    const InputHalf &input = session.input(half);
    uint32_t state = 12345;
    for (int64_t i = 0; i < count; ++i) {
      state = state * 1664525u + 1013904223u; // Numerical Recipes' generator
      input.images[i] = static_cast<float>(state >> 8) / 8388608.0f - 1.0f;
    }
    for (int64_t i = 0; i < v.batch; ++i)
      input.labels[i] = static_cast<int32_t>(i % plan.classes);
    *input.valid = static_cast<int32_t>(v.batch);
  }
}

static void runPlainStep(Session &session, const Mode &mode) {
  if (mode.train)
    session.trainStep(mode.variant, Half::A);
  else
    session.inferStep(mode.variant, Half::A);
}

static Figures measure(const Args &args, Session &session, const Mode &mode, NodeTimes *nodes,
                       const Usage &start) {
  using Clock = std::chrono::steady_clock;
  const double seconds = args.real("--seconds", 5.0, 0.0, 86400.0);
  const int64_t count = args.integer("--steps", 0, 1, 1000000000);
  for (int i = 0; i < kWarmUpSteps; ++i)
    runPlainStep(session, mode);
  Figures figures;
  figures.steps.assign(1 << 16, 0.0); // touched, so that the measured steps allocate nothing
  figures.steps.clear();
  const Usage before = Usage::now();
  double total = 0;
  while (figures.steps.empty() ||
         (count ? static_cast<int64_t>(figures.steps.size()) < count : total < seconds * 1e3)) {
    const Clock::time_point begin = Clock::now();
    if (nodes)
      session.observeStep(mode.variant, mode.schedule, *nodes);
    else
      runPlainStep(session, mode);
    figures.steps.push_back(
        std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    total += figures.steps.back();
  }
  const Usage after = Usage::now();
  figures.faultsPerStep =
      static_cast<double>(after.faults - before.faults) / static_cast<double>(figures.steps.size());
  figures.residentKilobytes = after.kilobytes - start.kilobytes;
  return figures;
}

static Json toJson(const Session &session, const Mode &mode, const Figures &figures) {
  const Variant &variant = session.plan().variants[mode.variant];
  const double median = percentile(figures.steps, 0.5);
  Json json;
  json["model"] = printable(session.plan().model);
  json["mode"] = mode.train ? "train" : "infer";
  json["variant"] = printable(variant.name);
  json["batch"] = variant.batch;
  json["device"] = session.device().name();
  json["threads"] = session.device().threads();
  json["slices"] = session.plan().slices;
  json["steps"] = figures.steps.size();
  json["median_ms"] = median;
  json["p10_ms"] = percentile(figures.steps, 0.1);
  json["p90_ms"] = percentile(figures.steps, 0.9);
  json["images_per_s"] = static_cast<double>(variant.batch) * 1e3 / median;
  json["minor_faults_per_step"] = figures.faultsPerStep;
  json["resident_bytes"] = figures.residentKilobytes * 1024;
  return json;
}

static void printSummary(const Json &j) {
  std::printf("%s: %s, batch %lld, device %s, %d threads, %u slices, %llu steps\n",
              j["model"].get<std::string>().c_str(), j["mode"].get<std::string>().c_str(),
              j["batch"].get<long long>(), j["device"].get<std::string>().c_str(),
              j["threads"].get<int>(), j["slices"].get<unsigned>(),
              j["steps"].get<unsigned long long>());
  std::printf("median %.3f ms, p10 %.3f, p90 %.3f; %.1f images/s; %.2f minor faults a step; "
              "%.1f MB resident\n",
              j["median_ms"].get<double>(), j["p10_ms"].get<double>(), j["p90_ms"].get<double>(),
              j["images_per_s"].get<double>(), j["minor_faults_per_step"].get<double>(),
              j["resident_bytes"].get<double>() * 1e-6);
}

static const StepSchedule &scheduleFor(const Plan &plan, const Mode &mode) {
  for (const StepSchedule &schedule : plan.schedules)
    if (schedule.kind == mode.schedule && schedule.graph == plan.variants[mode.variant].graph)
      return schedule;
  throw Error(TRRT_INVALID_ARGUMENT, "the plan has no schedule for this step");
}

static void writeTrace(const std::string &path, const std::vector<NodeFigures> &nodes,
                       const NodeTimes &times) {
  Json events = Json::array();
  for (size_t i = 0; i < nodes.size(); ++i) {
    const NodeTimes::Span &span = times.last[i];
    Json args = {{"layer", nodes[i].layer}, {"shapes", nodes[i].shapes}};
    if (!nodes[i].implementation.empty())
      args["implementation"] = nodes[i].implementation;
    events.push_back({{"name", nodes[i].op},
                      {"cat", "kernel"},
                      {"ph", "X"},
                      {"pid", 1},
                      {"tid", 1},
                      {"ts", static_cast<double>(span.begin - times.last.front().begin) * 1e-3},
                      {"dur", static_cast<double>(span.end - span.begin) * 1e-3},
                      {"args", args}});
  }
  const std::string text = Json{{"traceEvents", events}, {"displayTimeUnit", "ms"}}.dump() + "\n";
  requireWritten(trs::writeWholeFile(path, text));
}

static int runBench(const Args &args) {
  const Usage start = Usage::now();
  if (!args.has("--mode"))
    throw UsageError("expected --mode train or infer");
  const std::string trace = args.text("--trace");
  const std::unique_ptr<Session> session = openSession(args);
  const Mode mode = readMode(args, *session);
  session->tensors().setSeed(1);
  session->parameters().init(1);
  applyScalars(args, *session);
  fillInput(*session, mode);
  session->foldBn();
  const bool observed = args.has("--profile") || !trace.empty();
  const StepSchedule &schedule = scheduleFor(session->plan(), mode);
  NodeTimes times(schedule.nodes.size());
  const Figures figures = measure(args, *session, mode, observed ? &times : nullptr, start);
  Json json = toJson(*session, mode, figures);
  std::vector<NodeFigures> nodes;
  if (observed) {
    nodes = describeNodes(session->plan(), schedule, mode.variant,
                          session->implementations(mode.variant, mode.schedule));
    for (size_t i = 0; i < nodes.size(); ++i)
      nodes[i].ms = times.median(i);
  }
  if (!trace.empty())
    writeTrace(trace, nodes, times);
  if (args.has("--profile"))
    addProfile(json, nodes, session->device().threads());
  if (args.has("--json")) {
    std::printf("%s\n", json.dump().c_str());
    return 0;
  }
  printSummary(json);
  if (args.has("--profile"))
    printProfile(json);
  return 0;
}

Command benchCommand() {
  Command command{"bench",
                  "Measures the steps of a plan on random images, from initial weights.\n\n"
                  "Two steps warm up; then steps run until --seconds have passed. Memory is what\n"
                  "the process holds at most, less what it held before the plan was read.",
                  {{"--mode", "M", "train or infer (without loss and metrics)", false}},
                  runBench};
  addDeviceOptions(command.options);
  addScalarOptions(command.options);
  command.options.push_back({"--variant", "V", "variant to run (train_base, val_base)"});
  command.options.push_back({"--seconds", "S", "measured time (5)"});
  command.options.push_back({"--steps", "N", "measured steps, instead of --seconds"});
  command.options.push_back(
      {"--profile", nullptr,
       "each kernel op: layer, ms, bytes, GB/s, GFLOP/s, share of this machine's ceilings"});
  command.options.push_back(outputFile("--trace", "write the last step as a Chrome trace (JSON)"));
  command.options.push_back({"--json", nullptr, "print one JSON object"});
  return command;
}

} // namespace trrun
