// SPDX-License-Identifier: Apache-2.0
//
// tr-run train and tr-run eval.
#include "commands.h"

#include "base/status.h"
#include "base/text.h"
#include "io/file.h"
#include "session/weights.h"
#include "train/passes.h"
#include "train/trainer.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace trrun {

using namespace trf;
using namespace trrt;

namespace {

// Appends a line per epoch; every write is checked.
class LogFile {
public:
  explicit LogFile(const std::string &path) : path(path) {
    if (!path.empty() && !(file = std::fopen(path.c_str(), "w")))
      fail();
  }
  ~LogFile() {
    if (file)
      std::fclose(file);
  }
  LogFile(const LogFile &) = delete;
  LogFile &operator=(const LogFile &) = delete;

  void line(const std::string &text) {
    if (file && (std::fprintf(file, "%s\n", text.c_str()) < 0 || std::fflush(file) != 0))
      fail();
  }

private:
  [[noreturn]] void fail() const {
    throw Error(TRRT_IO_ERROR, "cannot write '" + printable(path) + "': " + std::strerror(errno));
  }
  std::string path;
  std::FILE *file = nullptr;
};

// A line that is overwritten, on a terminal only.
class ProgressLine {
public:
  explicit ProgressLine(bool wanted) : active(wanted && isatty(STDERR_FILENO)) {}
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

static void printEpoch(const EpochReport &r) {
  std::printf("epoch %lld/%lld  train_loss %.4f  val_loss %.4f  val_top1 %.4f  val_top5 %.4f  "
              "%.0f images/s\n",
              static_cast<long long>(r.epoch), static_cast<long long>(r.epochs), r.trainLoss,
              r.validation.loss, r.validation.top1, r.validation.top5, r.imagesPerSecond);
}

static void printStart(const Session &session, const TrainOptions &options, int64_t training,
                       int64_t validation) {
  const Plan &plan = session.plan();
  std::printf(
      "%s: %s, batch %lld, lr %g, %lld training and %lld validation images; device %s, "
      "threads %d\n",
      plan.model.c_str(), std::string(name(plan.optimizer)).c_str(),
      static_cast<long long>(plan.variants[session.variant(StandardVariant::TrainBase)].batch),
      options.lr, static_cast<long long>(training), static_cast<long long>(validation),
      session.device().name().c_str(), session.device().threads());
  std::fflush(stdout);
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

static int runTrain(const Args &args) {
  TrainOptions options;
  options.epochs = args.integer("--epochs", 1, 1, 1000000);
  options.schedule = scheduleOption(args, options.epochs);
  options.seed = args.seed(1);
  const std::string dataSet = dataSetOption(args);
  const bool json = args.has("--json");

  const std::unique_ptr<Session> session = openSession(args);
  options.lr = applyScalars(args, *session);
  if (args.has("--save"))
    checkWritable(args.text("--save"));
  const auto training = openDataSet(dataSet, Split::Train, session->plan());
  const auto validation = openDataSet(dataSet, Split::Test, session->plan());
  session->tensors().setSeed(options.seed);
  if (args.has("--weights"))
    loadWeights(*session, args.text("--weights"));
  else
    session->parameters().init(options.seed);

  LogFile log(args.text("--log"));
  if (!json)
    printStart(*session, options, training->size(), validation->size());
  ProgressLine progress(!json);
  options.onEpoch = [&](const EpochReport &report) {
    progress.clear();
    log.line(report.json());
    if (json)
      std::printf("%s\n", report.json().c_str());
    else
      printEpoch(report);
    std::fflush(stdout);
  };
  if (progress.isActive())
    options.onProgress = [&](const Progress &p) { progress.show(p); };
  options.onMessage = [&](const std::string &text) {
    progress.clear();
    std::fprintf(stderr, "%s\n", text.c_str());
  };
  train(*session, *training, *validation, options);
  if (args.has("--save"))
    saveWeights(*session, args.text("--save"));
  return 0;
}

static int runEval(const Args &args) {
  const std::string dataSet = dataSetOption(args);
  const std::unique_ptr<Session> session = openSession(args);
  const auto data = openDataSet(dataSet, Split::Test, session->plan());
  loadWeights(*session, args.text("--weights"));
  const std::string note =
      resamplingNote(session->plan(), *data, {session->variant(StandardVariant::ValBase)});
  if (!note.empty())
    std::fprintf(stderr, "%s\n", note.c_str());
  const Metrics m = evaluate(*session, *data);
  const char *format = args.has("--json")
                           ? "{\"loss\": %.6g, \"top1\": %.6g, \"top5\": %.6g, \"samples\": %lld}\n"
                           : "loss %.4f  top1 %.4f  top5 %.4f  samples %lld\n";
  std::printf(format, m.loss, m.top1, m.top5, static_cast<long long>(m.samples));
  return 0;
}

Command trainCommand() {
  Command command = {
      "train",
      "Trains the plan's network on a data set and validates after each epoch. "
      "Prints one line per epoch.",
      {{"--dataset", "SET", "fashion-mnist[:DIR] or synthetic", true},
       {"--epochs", "E", "passes over the training data", true},
       {"--schedule", "S", "constant (default) or cosine, each with [:warmup=N], N in epochs"}},
      runTrain};
  addScalarOptions(command.options);
  const std::vector<Option> more = {
      {"--seed", "S", "seed of initial weights, sample order and dropout (1)"},
      {"--weights", "FILE", "initial weights (safetensors) instead of random ones"},
      {"--save", "FILE", "write the weights at the end (safetensors)"},
      {"--log", "FILE", "write one JSON object per epoch"},
      {"--json", nullptr, "print those objects on stdout instead of text"}};
  command.options.insert(command.options.end(), more.begin(), more.end());
  addDeviceOptions(command.options);
  return command;
}

Command evalCommand() {
  Command command = {"eval",
                     "Evaluates weights on the test part of a data set.",
                     {{"--weights", "FILE", "weights to evaluate (safetensors)", true},
                      {"--dataset", "SET", "fashion-mnist[:DIR] or synthetic", true},
                      {"--json", nullptr, "print one JSON object"}},
                     runEval};
  addDeviceOptions(command.options);
  return command;
}

} // namespace trrun
