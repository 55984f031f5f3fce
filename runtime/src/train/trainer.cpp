// SPDX-License-Identifier: Apache-2.0
//
// Epochs of whole batches, each followed by a validation pass. Metrics are summed
// on the device and read once per pass.
#include "train/trainer.h"

#include "base/status.h"
#include "data/batch_loader.h"

#include <chrono>
#include <cmath>
#include <cstdio>

namespace trrt {

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

static std::string number(double value) {
  if (!std::isfinite(value))
    return "null";
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

std::string EpochReport::json() const {
  return "{\"epoch\": " + std::to_string(epoch) + ", \"train_loss\": " + number(trainLoss) +
         ", \"val_loss\": " + number(validation.loss) +
         ", \"val_top1\": " + number(validation.top1) +
         ", \"val_top5\": " + number(validation.top5) +
         ", \"images_per_s\": " + number(imagesPerSecond) + "}";
}

static Metrics readMetrics(const Session &session, int64_t samples) {
  const double count = static_cast<double>(samples);
  Metrics metrics;
  metrics.samples = samples;
  metrics.loss = session.scalar("accum_loss") / count;
  metrics.top1 = session.scalar("accum_top1") / count;
  metrics.top5 = session.scalar("accum_top5") / count;
  return metrics;
}

static Metrics evaluatePass(Session &session, BatchLoader &loader, uint32_t variant) {
  session.foldBn();
  session.clearMetrics();
  loader.beginEvaluation();
  int64_t samples = 0;
  for (BatchLoader::Batch batch = loader.next(); batch.valid > 0; batch = loader.next()) {
    session.evalStep(variant, batch.half);
    samples += batch.valid;
  }
  return readMetrics(session, samples);
}

Metrics evaluate(Session &session, const DataSet &data) {
  const uint32_t variant = session.variant("val_base");
  BatchLoader loader(session, data, variant);
  return evaluatePass(session, loader, variant);
}

namespace {

class TrainingRun {
public:
  TrainingRun(Session &session, const DataSet &training, const DataSet &validation,
              const TrainOptions &options)
      : session(session), options(options), trainVariant(session.variant("train_base")),
        valVariant(session.variant("val_base")), lr(session.scalarId("lr")),
        batch(session.plan().variants[trainVariant].batch), stepsPerEpoch(training.size() / batch),
        samples(training.size()), trainLoader(session, training, trainVariant),
        valLoader(session, validation, valVariant) {
    if (stepsPerEpoch == 0)
      throw Error(TRRT_INVALID_ARGUMENT, "the data set has " + std::to_string(samples) +
                                             " samples, fewer than one batch of " +
                                             std::to_string(batch));
  }

  void run() {
    if (samples % batch != 0 && options.onMessage)
      options.onMessage("note: an epoch leaves out " + std::to_string(samples % batch) + " of " +
                        std::to_string(samples) + " samples (batch " + std::to_string(batch) +
                        ", whole batches only)");
    for (int64_t epoch = 0; epoch < options.epochs; ++epoch) {
      EpochReport report = runEpoch(epoch);
      report.validation = evaluatePass(session, valLoader, valVariant);
      if (!std::isfinite(report.trainLoss) && options.onMessage)
        options.onMessage("warning: the loss of epoch " + std::to_string(epoch + 1) +
                          " is not finite; a step with a non-finite gradient changes nothing. "
                          "A smaller --lr may help");
      if (options.onEpoch)
        options.onEpoch(report);
    }
  }

private:
  EpochReport runEpoch(int64_t epoch) {
    session.clearMetrics();
    trainLoader.beginTraining(
        Permutation(static_cast<uint64_t>(samples), options.seed, static_cast<uint64_t>(epoch)));
    const Clock::time_point start = Clock::now();
    Clock::time_point shown = start;
    int64_t step = 0;
    for (BatchLoader::Batch b = trainLoader.next(); b.valid > 0; b = trainLoader.next()) {
      const double factor = options.schedule.factor(epoch * stepsPerEpoch + step, stepsPerEpoch,
                                                    options.epochs * stepsPerEpoch);
      session.setScalar(lr, options.lr * factor);
      session.trainStep(trainVariant, b.half);
      ++step;
      if (options.onProgress && secondsSince(shown) > 0.25) {
        shown = Clock::now();
        options.onProgress({epoch + 1, options.epochs, step, stepsPerEpoch, rate(step, start)});
      }
    }
    EpochReport report;
    report.epoch = epoch + 1;
    report.epochs = options.epochs;
    report.trainLoss = readMetrics(session, step * batch).loss;
    report.imagesPerSecond = rate(step, start);
    return report;
  }

  double rate(int64_t steps, Clock::time_point start) const {
    const double seconds = secondsSince(start);
    return seconds > 0 ? static_cast<double>(steps * batch) / seconds : 0;
  }

  Session &session;
  const TrainOptions &options;
  uint32_t trainVariant, valVariant, lr;
  int64_t batch, stepsPerEpoch, samples;
  BatchLoader trainLoader, valLoader;
};

} // namespace

void train(Session &session, const DataSet &training, const DataSet &validation,
           const TrainOptions &options) {
  TrainingRun(session, training, validation, options).run();
}

} // namespace trrt
