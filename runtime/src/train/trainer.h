// SPDX-License-Identifier: Apache-2.0
//
// The training loop and the evaluation pass.
#ifndef TRRT_TRAIN_TRAINER_H
#define TRRT_TRAIN_TRAINER_H

#include "data/image_reader.h"
#include "session/session.h"
#include "train/lr_schedule.h"

#include <functional>
#include <limits>
#include <string>

namespace trrt {

// Means over the samples of a pass; top1 and top5 are fractions.
struct Metrics {
  double loss = 0, top1 = 0, top5 = 0;
  int64_t samples = 0;

  // {"loss": ..., "top1": ..., "top5": ..., "samples": ...}
  std::string json() const;
};

// A number of JSON, which has no NaN and no infinity: they are null.
std::string jsonNumber(double value);

struct EpochReport {
  int64_t epoch = 0, epochs = 0;
  double trainLoss = 0, imagesPerSecond = 0; // of the training part
  double lr = 0;                             // of its last step
  Metrics validation;

  // {"epoch": 1, "train_loss": ..., ...}; a number that is not finite is null.
  std::string json() const;
};

// Within an epoch, for a progress line.
struct Progress {
  int64_t epoch = 0, epochs = 0, step = 0, steps = 0;
  double imagesPerSecond = 0;
};

// Where a run stands between two steps.
struct RunPosition {
  int64_t epoch = 0, step = 0; // steps of this epoch that are done; all: it is not validated yet
  int64_t images = 0;          // of these steps
  int64_t totalSteps = 0;      // of the run
  double bestLoss = std::numeric_limits<double>::infinity(); // of validation
  Plateau::State plateau;
  EarlyStop::State earlyStop;
};

struct TrainOptions {
  int64_t epochs = 1;
  uint64_t seed = 1;
  double lr = 0;
  LrSchedule schedule;
  int64_t earlyStop = 0; // epochs in a row without a lower validation loss; 0: all are run
  ImageOptions trainingImages, validationImages; // the seed of the former is `seed`
  RunPosition begin;                             // of a run that goes on
  // After each step, and after each validation, where the next epoch begins; `isBest` says whether
  // this validation had the lowest loss. Returns whether the run goes on.
  std::function<bool(const RunPosition &, bool isBest)> onPosition;
  std::function<void(const EpochReport &)> onEpoch;
  std::function<void(const Progress &)> onProgress;   // a few times a second; may be empty
  std::function<void(const std::string &)> onMessage; // notes and warnings, one line each
};

// Trains from the session's current parameters. Returns whether it came to its end.
bool train(Session &session, const DataSet &training, const DataSet &validation,
           const TrainOptions &options);

// What a network said about samples of each class.
class Confusion {
public:
  explicit Confusion(int64_t classes)
      : count(classes), cells(static_cast<size_t>(classes * classes)) {}

  void add(int64_t label, int64_t predicted) {
    ++cells[static_cast<size_t>(label * count + predicted)];
  }
  int64_t classes() const { return count; }
  int64_t at(int64_t label, int64_t predicted) const {
    return cells[static_cast<size_t>(label * count + predicted)];
  }
  int64_t samples(int64_t label) const;

private:
  int64_t count;
  std::vector<int64_t> cells;
};

// One pass over every sample. Folds BN first. `confusion`, where there is one, counts too; a class
// whose logit is NaN is the predicted one.
Metrics evaluate(Session &session, const DataSet &data, const ImageOptions &images = {},
                 Confusion *confusion = nullptr);

} // namespace trrt

#endif // TRRT_TRAIN_TRAINER_H
