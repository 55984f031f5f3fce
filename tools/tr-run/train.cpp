// SPDX-License-Identifier: Apache-2.0
//
// tr-run train and tr-run eval.
#include "checkpoints.h"
#include "commands.h"

#include "base/status.h"
#include "base/text.h"
#include "data/data_sets.h"
#include "io/file.h"
#include "session/weights.h"
#include "train/passes.h"
#include "train/trainer.h"
#include "trs/output_file.h"
#include "trs/text.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>

namespace trrun {

using namespace trf;
using namespace trrt;

namespace {

// What a run writes besides its weights. The first failure is reported once; the run goes on.
class SideOutput {
public:
  explicit SideOutput(const std::string &path) : file(path, trs::OutputFile::Way::Append) {
    requireWritten(file.error());
  }
  void line(const std::string &text) {
    if (!file.failed())
      report(file.write(text + "\n"));
  }
  void close() {
    if (!file.failed())
      report(file.commit());
  }
  bool failed() const { return file.failed(); }

private:
  void report(bool written) const {
    if (!written)
      std::fprintf(stderr, "error: %s\n", file.error().c_str());
  }
  trs::OutputFile file;
};

// A line that is overwritten, on a terminal that knows how.
class ProgressLine {
public:
  explicit ProgressLine(bool wanted) : active(wanted && trs::hasColour(STDERR_FILENO)) {}
  bool isActive() const { return active; }
  void show(const Progress &p) {
    std::fprintf(stderr, "\repoch %lld/%lld  step %lld/%lld  %.0f images/s\033[K",
                 static_cast<long long>(p.epoch), static_cast<long long>(p.epochs),
                 static_cast<long long>(p.step), static_cast<long long>(p.steps),
                 p.imagesPerSecond);
    shown = true;
  }
  void clear() {
    if (shown)
      std::fputs("\r\033[K", stderr);
    shown = false;
  }

private:
  bool active, shown = false;
};

} // namespace

static std::string fixed(const char *format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

static std::string metricsText(const Metrics &m, const char *prefix) {
  return std::string(prefix) + "loss " + lossText(m.loss) + "  " + prefix + "top1 " +
         fixed("%.4f", m.top1) + "  " + prefix + "top5 " + fixed("%.4f", m.top5);
}

static std::string epochText(const EpochReport &r) {
  return "epoch " + std::to_string(r.epoch) + "/" + std::to_string(r.epochs) + "  train_loss " +
         lossText(r.trainLoss) + "  " + metricsText(r.validation, "val_") + "  " +
         fixed("%.0f images/s", r.imagesPerSecond);
}

static std::string startText(const Session &session, const TrainOptions &options, int64_t training,
                             int64_t validation) {
  const Plan &plan = session.plan();
  const int64_t batch = plan.variants[session.variant(StandardVariant::TrainBase)].batch;
  return plan.model + ": " + std::string(name(plan.optimizer)) + ", batch " +
         std::to_string(batch) + ", lr " + shortNumber(options.lr) + ", " +
         std::to_string(training) + " training and " + std::to_string(validation) +
         " validation images; device " + session.device().name() + ", threads " +
         std::to_string(session.device().threads());
}

static LrSchedule scheduleOption(const Args &args, int64_t epochs) {
  LrSchedule schedule;
  std::string error;
  if (!parseLrSchedule(args.text("--schedule", "constant"), schedule, error))
    throw UsageError("option '--schedule': " + error);
  if (schedule.warmupEpochs > 0 && schedule.warmupEpochs >= static_cast<double>(epochs))
    throw UsageError("option '--schedule': the warm-up must be shorter than the " +
                     std::to_string(epochs) + " epochs of training");
  return schedule;
}

static void printMessage(const std::string &text) { std::fprintf(stderr, "%s\n", text.c_str()); }

// Everything but the passes themselves: what is shown, and where.
static bool runPasses(const Args &args, Session &session, TrainOptions options,
                      const DataSet &training, const DataSet &validation, bool &complete) {
  const bool json = args.has("--json");
  SideOutput out("-");
  std::optional<SideOutput> log;
  if (args.has("--log"))
    log.emplace(args.text("--log"));
  if (!json)
    out.line(startText(session, options, training.size(), validation.size()));
  ProgressLine progress(!json);
  options.onEpoch = [&](const EpochReport &report) {
    progress.clear();
    if (log)
      log->line(report.json());
    out.line(json ? report.json() : epochText(report));
  };
  if (progress.isActive())
    options.onProgress = [&](const Progress &p) { progress.show(p); };
  options.onMessage = [&](const std::string &text) {
    progress.clear();
    printMessage(text);
  };
  complete = train(session, training, validation, options);
  progress.clear();
  out.close();
  if (log)
    log->close();
  return !out.failed() && !(log && log->failed());
}

// The metadata of weights that say what they tell apart.
static std::map<std::string, std::string> classNotes(const DataSet &data) {
  if (data.classNames.empty())
    return {};
  return {{"classes", joined(data.classNames, "\n")}};
}

// Weights that hold a NaN are not saved as if nothing had happened.
static bool saveResult(const Args &args, const Session &session, const DataSet &data) {
  const std::string bad = nonFiniteWeight(session);
  if (!bad.empty())
    printMessage(
        "error: the training diverged: '" + printable(bad) + "' holds values that are not finite" +
        (!args.has("--save")         ? ""
         : args.has("--save-anyway") ? "; the weights are saved all the same"
                                     : "; the weights are not saved (--save-anyway does)"));
  if (args.has("--save") && (bad.empty() || args.has("--save-anyway")))
    saveWeights(session, args.text("--save"), classNotes(data));
  return bad.empty();
}

struct DataPair {
  std::unique_ptr<DataSet> training, validation;
};

static DataPair openData(const Args &args, const Plan &plan) {
  const std::string training = dataSetOption(args);
  DataPair pair;
  pair.training = openDataSet(training, Split::Train, plan);
  if (!args.has("--validation") && !pair.training->hasParts)
    throw UsageError("data set '" + printable(training) +
                     "' has no part for validation; name one with --validation");
  pair.validation = openDataSet(
      args.has("--validation") ? dataSetOption(args, "--validation") : training, Split::Test, plan);
  checkSameClasses(*pair.training, *pair.validation);
  return pair;
}

static int runTrain(const Args &args) {
  TrainOptions options;
  options.epochs = args.integer("--epochs", 1, 1, 1000000);
  options.schedule = scheduleOption(args, options.epochs);
  options.earlyStop = args.integer("--early-stop", 0, 0, 1000000);
  options.seed = args.seed(1);
  ImageTexts images = imageOptions(args);
  checkCheckpointOptions(args);
  dataSetOption(args);
  if (args.has("--validation"))
    dataSetOption(args, "--validation");

  const std::unique_ptr<Session> session = openSession(args);
  options.lr = applyScalars(args, *session);
  const DataPair data = openData(args, session->plan());
  options.trainingImages = std::move(images.augment);
  options.validationImages = std::move(images.prepare);
  if (options.validationImages.normal.mean.empty()) // of both parts
    options.validationImages.normal = data.training->normal;
  session->tensors().setSeed(options.seed);
  if (args.has("--weights"))
    loadWeightsOption(args, *session);
  else
    session->parameters().init(options.seed);
  RunCheckpoints checkpoints(args, *session, {data.training->size(), options.seed},
                             classNotes(*data.training));
  if (const std::optional<RunPosition> position = checkpoints.resume())
    options.begin = *position;
  options.onPosition = [&](const RunPosition &position, bool isBest) {
    return checkpoints.at(position, isBest);
  };
  bool complete = false;
  const bool shown = runPasses(args, *session, options, *data.training, *data.validation, complete);
  const int code = checkpoints.finish();
  if (!complete)
    return code;
  return saveResult(args, *session, *data.training) && shown ? code : 1;
}

// "  9 of 10 (0.9000)  ankle boot" for each class, or the worst of many.
static void printClasses(const Confusion &confusion, const std::vector<std::string> &names) {
  constexpr size_t kMost = 100, kWorst = 20;
  struct Row {
    int64_t label, hits, samples;
    double rate() const { return static_cast<double>(hits) / static_cast<double>(samples); }
  };
  std::vector<Row> rows;
  for (int64_t label = 0; label < confusion.classes(); ++label)
    if (const int64_t samples = confusion.samples(label); samples != 0)
      rows.push_back({label, confusion.at(label, label), samples});
  if (rows.size() > kMost) {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row &a, const Row &b) { return a.rate() < b.rate(); });
    std::printf("the %zu worst of %zu classes (--json has all):\n", kWorst, rows.size());
    rows.resize(kWorst);
  }
  for (const Row &row : rows)
    std::printf("  %s  top1 %.4f  %lld of %lld\n", className(names, row.label).c_str(), row.rate(),
                static_cast<long long>(row.hits), static_cast<long long>(row.samples));
}

static std::string evalJson(const Metrics &m, const Confusion &confusion,
                            const std::vector<std::string> &names) {
  std::string text = m.json();
  text.pop_back();
  text += ", \"classes\": [";
  for (int64_t label = 0; label < confusion.classes(); ++label)
    text += std::string(label == 0 ? "" : ", ") + "{\"name\": " +
            nlohmann::json(className(names, label))
                .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
            ", \"samples\": " + std::to_string(confusion.samples(label)) +
            ", \"hits\": " + std::to_string(confusion.at(label, label)) + "}";
  return text + "]}";
}

static int runEval(const Args &args) {
  const std::string dataSet = dataSetOption(args);
  const ImageOptions images = imageOptions(args).prepare;
  const std::unique_ptr<Session> session = openSession(args);
  const auto data = openDataSet(dataSet, Split::Test, session->plan());
  loadWeightsOption(args, *session);
  const std::string note =
      resamplingNote(session->plan(), *data, {session->variant(StandardVariant::ValBase)});
  if (!note.empty())
    std::fprintf(stderr, "%s\n", note.c_str());
  Confusion confusion(session->plan().classes);
  const Metrics m = evaluate(*session, *data, images, &confusion);
  if (args.has("--json")) {
    std::printf("%s\n", evalJson(m, confusion, data->classNames).c_str());
    return 0;
  }
  std::printf("%s  samples %lld\n", metricsText(m, "").c_str(), static_cast<long long>(m.samples));
  printClasses(confusion, data->classNames);
  return 0;
}

static Option dataSetRow() {
  static const std::string help = joined(dataSetForms(), ", ");
  return {"--dataset", "SET", help.c_str(), true, nullptr, Names::DataSet};
}

Command trainCommand() {
  static const std::string schedules =
      lrScheduleForms() + ", each with warmup=N in epochs (constant)";
  Command command = {
      "train",
      "Trains the plan's network on a data set and validates after each epoch. "
      "Prints one line per epoch.",
      {dataSetRow(),
       {"--validation", "SET", "validate on this data set instead of the other part of SET", false,
        nullptr, Names::DataSet},
       {"--epochs", "E", "passes over the training data", true},
       {"--schedule", "S", schedules.c_str()},
       {"--early-stop", "N",
        "end after N epochs in a row without a lower validation loss (0: never)"}},
      runTrain};
  addScalarOptions(command.options);
  command.options.push_back(
      {"--seed", "S", "seed of initial weights, sample order and dropout (1)"});
  addImageOptions(command.options, true);
  addCheckpointOptions(command.options);
  addWeightsOptions(command.options, "initial weights (safetensors) instead of random ones");
  const std::vector<Option> more = {
      outputFile("--save", "write the weights at the end (safetensors)"),
      {"--save-anyway", nullptr, "save weights that are not finite too"},
      {"--log", "FILE", "write one JSON object per epoch", false, nullptr, Names::Log},
      {"--json", nullptr, "print those objects on stdout instead of text"}};
  command.options.insert(command.options.end(), more.begin(), more.end());
  addDeviceOptions(command.options);
  return command;
}

Command evalCommand() {
  Command command = {"eval",
                     "Evaluates weights on the test part of a data set.",
                     {dataSetRow(), {"--json", nullptr, "print one JSON object"}},
                     runEval};
  addImageOptions(command.options, false);
  addWeightsOptions(command.options, "weights to evaluate (safetensors)", true);
  addDeviceOptions(command.options);
  return command;
}

} // namespace trrun
