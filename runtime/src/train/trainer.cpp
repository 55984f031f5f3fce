// SPDX-License-Identifier: Apache-2.0
//
// Epochs of training steps, each followed by a validation pass. Metrics are summed
// on the device and read once per pass.
#include "train/trainer.h"

#include "base/status.h"
#include "train/passes.h"
#include "trk/arg_max.h"

#include <chrono>
#include <cmath>
#include <cstdio>

namespace trrt {

using namespace trf;

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string jsonNumber(double value) {
  if (!std::isfinite(value))
    return "null";
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

std::string Metrics::json() const {
  return "{\"loss\": " + jsonNumber(loss) + ", \"top1\": " + jsonNumber(top1) +
         ", \"top5\": " + jsonNumber(top5) + ", \"samples\": " + std::to_string(samples) + "}";
}

std::string EpochReport::json() const {
  return "{\"epoch\": " + std::to_string(epoch) + ", \"train_loss\": " + jsonNumber(trainLoss) +
         ", \"val_loss\": " + jsonNumber(validation.loss) +
         ", \"val_top1\": " + jsonNumber(validation.top1) +
         ", \"val_top5\": " + jsonNumber(validation.top5) + ", \"lr\": " + jsonNumber(lr) +
         ", \"images_per_s\": " + jsonNumber(imagesPerSecond) + "}";
}

static Metrics readMetrics(const Session &session, int64_t samples) {
  const double count = static_cast<double>(samples);
  Metrics metrics;
  metrics.samples = samples;
  metrics.loss = session.tensors().scalar(SharedTensor::AccumLoss) / count;
  metrics.top1 = session.tensors().scalar(SharedTensor::AccumTop1) / count;
  metrics.top5 = session.tensors().scalar(SharedTensor::AccumTop5) / count;
  return metrics;
}

namespace {

// The loss of evaluation is plain, also between epochs that train with smoothed labels.
class PlainLoss {
public:
  explicit PlainLoss(Session &session) : tensors(session.tensors()) {
    if (!tensors.has(SharedTensor::LabelSmoothing))
      return;
    smoothing = static_cast<float>(tensors.scalar(SharedTensor::LabelSmoothing));
    set(0);
  }
  ~PlainLoss() {
    if (smoothing != 0)
      set(smoothing);
  }
  PlainLoss(const PlainLoss &) = delete;
  PlainLoss &operator=(const PlainLoss &) = delete;

private:
  void set(float value) { tensors.setF32(tensors.scalarId(SharedTensor::LabelSmoothing), value); }

  NamedTensors &tensors;
  float smoothing = 0;
};

} // namespace

int64_t Confusion::samples(int64_t label) const {
  int64_t sum = 0;
  for (int64_t predicted = 0; predicted < count; ++predicted)
    sum += at(label, predicted);
  return sum;
}

static void count(Session &session, const BatchLoader::Batch &batch, Confusion &confusion) {
  const std::vector<float> logits = session.tensors().readF32(SharedTensor::Logits, batch.variant);
  const int32_t *labels = session.input(batch.half).labels;
  for (int64_t i = 0; i < batch.valid; ++i)
    confusion.add(labels[i],
                  trk::argMax(logits.data() + i * confusion.classes(), confusion.classes()));
}

static Metrics evaluatePass(Session &session, BatchLoader &loader, const Pass &pass,
                            Confusion *confusion = nullptr) {
  const PlainLoss plain(session);
  session.foldBn();
  session.clearMetrics();
  loader.begin(pass);
  int64_t samples = 0;
  for (BatchLoader::Batch batch = loader.next(); batch.valid > 0; batch = loader.next()) {
    session.evalStep(batch.variant, batch.half);
    samples += batch.valid;
    if (confusion)
      count(session, batch, *confusion);
  }
  return readMetrics(session, samples);
}

Metrics evaluate(Session &session, const DataSet &data, const ImageOptions &images,
                 Confusion *confusion) {
  const Pass pass = validationPass(session, data);
  BatchLoader loader(session, data, images);
  return evaluatePass(session, loader, pass, confusion);
}

// What random transforms draw is drawn from the seed of the run.
static ImageOptions seeded(ImageOptions images, uint64_t seed) {
  images.seed = seed;
  return images;
}

namespace {

class TrainingRun {
public:
  TrainingRun(Session &session, const DataSet &training, const DataSet &validation,
              const TrainOptions &options)
      : session(session), options(options), lr(session.tensors().scalarId(SharedTensor::Lr)),
        samples(training.size()), passes(trainingPasses(session, training, options.epochs)),
        valPass(validationPass(session, validation)), stepsPerEpoch(passes.base.steps()),
        training(training), validation(validation),
        trainLoader(session, training, seeded(options.trainingImages, options.seed)),
        valLoader(session, validation, options.validationImages) {}

  bool run() {
    giveNotes();
    plateau.state = position.plateau;
    earlyStop.state = position.earlyStop;
    while (position.epoch < options.epochs) {
      const int64_t epoch = position.epoch;
      EpochReport report;
      if (!runEpoch(epoch, report))
        return false;
      report.validation = evaluatePass(session, valLoader, valPass);
      tell(report);
      const bool last = endEpoch(epoch, report);
      const bool isBest = report.validation.loss < position.bestLoss;
      if (isBest)
        position.bestLoss = report.validation.loss;
      if (!moveOn(isBest) && !last && position.epoch < options.epochs)
        return false;
      if (last)
        break;
    }
    if (const int64_t bad = trainLoader.badFiles() + valLoader.badFiles();
        bad != 0 && options.onMessage)
      options.onMessage("warning: " + std::to_string(bad) + " images could not be read");
    return true;
  }

private:
  void tell(const EpochReport &report) const {
    if (!std::isfinite(report.trainLoss) && options.onMessage)
      options.onMessage("warning: the loss of epoch " + std::to_string(report.epoch) +
                        " is not finite; a step with a non-finite gradient changes nothing. "
                        "A smaller --lr may help");
    if (options.onEpoch)
      options.onEpoch(report);
  }

  // Whether it is the last one, before its time.
  bool endEpoch(int64_t epoch, const EpochReport &report) {
    position.epoch = epoch + 1;
    position.step = position.images = 0;
    plateau.see(report.validation.loss);
    if (!earlyStop.see(report.validation.loss) || epoch + 1 >= options.epochs)
      return false;
    if (options.onMessage)
      options.onMessage("note: the run ends after epoch " + std::to_string(epoch + 1) +
                        ": no lower validation loss in " + std::to_string(options.earlyStop) +
                        " epochs");
    return true;
  }

  bool moveOn(bool isBest) {
    position.plateau = plateau.state;
    position.earlyStop = earlyStop.state;
    return !options.onPosition || options.onPosition(position, isBest);
  }

  void giveNotes() const {
    if (!options.onMessage)
      return;
    std::vector<uint32_t> variants = {passes.base.variant};
    if (passes.lowresEpoch < options.epochs)
      variants.push_back(passes.lowres.variant);
    const Plan &plan = session.plan();
    for (const std::string &note : {resamplingNote(plan, training, variants),
                                    resamplingNote(plan, validation, {valPass.variant})})
      if (!note.empty())
        options.onMessage(note);
    if (passes.leftOut != 0)
      options.onMessage("note: an epoch leaves out " + std::to_string(passes.leftOut) + " of " +
                        std::to_string(samples) + " samples (batch " +
                        std::to_string(plan.variants[passes.base.variant].batch) +
                        ", whole batches only)");
  }

  // Returns whether the run goes on. An epoch that was begun in a run before ends here.
  bool runEpoch(int64_t epoch, EpochReport &report) {
    if (position.step == 0)
      session.clearMetrics();
    trainLoader.begin(
        passes.of(epoch),
        Permutation(static_cast<uint64_t>(samples), options.seed, static_cast<uint64_t>(epoch)),
        static_cast<uint64_t>(epoch), position.step);
    const Clock::time_point start = Clock::now();
    Clock::time_point shown = start;
    const int64_t before = position.images;
    for (BatchLoader::Batch b = trainLoader.next(); b.valid > 0; b = trainLoader.next()) {
      const double factor = options.schedule.factor(epoch * stepsPerEpoch + position.step,
                                                    stepsPerEpoch, options.epochs * stepsPerEpoch);
      rateNow = options.lr * factor * plateau.factor();
      session.tensors().setF32(lr, static_cast<float>(rateNow));
      session.trainStep(b.variant, b.half);
      ++position.step;
      ++position.totalSteps;
      position.images += b.valid;
      if (!moveOn(false))
        return false;
      if (options.onProgress && secondsSince(shown) > 0.25) {
        shown = Clock::now();
        options.onProgress({epoch + 1, options.epochs, position.step, stepsPerEpoch,
                            rate(position.images - before, start)});
      }
    }
    report.epoch = epoch + 1;
    report.epochs = options.epochs;
    report.lr = rateNow;
    report.trainLoss = readMetrics(session, position.images).loss;
    report.imagesPerSecond = rate(position.images - before, start);
    return true;
  }

  static double rate(int64_t images, Clock::time_point start) {
    const double seconds = secondsSince(start);
    return seconds > 0 ? static_cast<double>(images) / seconds : 0;
  }

  Session &session;
  const TrainOptions &options;
  Plateau plateau{options.schedule};
  EarlyStop earlyStop{options.earlyStop};
  RunPosition position{options.begin};
  double rateNow = 0;
  uint32_t lr;
  int64_t samples;
  TrainingPasses passes;
  Pass valPass;
  int64_t stepsPerEpoch;
  const DataSet &training, &validation;
  BatchLoader trainLoader, valLoader;
};

} // namespace

bool train(Session &session, const DataSet &training, const DataSet &validation,
           const TrainOptions &options) {
  return TrainingRun(session, training, validation, options).run();
}

} // namespace trrt
