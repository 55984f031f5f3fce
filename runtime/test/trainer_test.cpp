// SPDX-License-Identifier: Apache-2.0
//
// The training loop: which samples it reads, what it reports, that it learns.
#include "data/batch_loader.h"
#include "device/devices.h"
#include "regression_plan.h"
#include "temp_dir.h"
#include "train/passes.h"
#include "train/trainer.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <map>

using namespace trf;
using namespace trf::test;
using namespace trrt;
using trrt_test::errorOf;

namespace {

// Image i is filled with i; so every sample is told apart.
class NumberedSet final : public DataSet {
public:
  explicit NumberedSet(int64_t count) : count(count) {
    shape = {2, 3};
    channels = 2;
    normal = {{0}, {1}};
  }
  int64_t size() const override { return count; }
  int32_t label(int64_t index) const override { return static_cast<int32_t>(index % 4); }
  tri::Picture picture(int64_t index, std::vector<uint8_t> &buffer) const override {
    buffer.assign(12, static_cast<uint8_t>(index));
    return tri::Picture::ofPixels(buffer.data(), shape, channels);
  }

private:
  int64_t count;
};

} // namespace

static Session makeSession() { return Session(regressionPlan(), createDevice("reference", 1)); }

TEST(BatchLoader, TrainingVisitsWholeBatchesOfThePermutation) {
  const Session session = makeSession();
  const NumberedSet data(11); // batch 3: two samples are left out
  BatchLoader loader(session, data);
  const Pass pass = trainingPasses(session, data, 3).base;
  for (uint64_t epoch = 0; epoch < 3; ++epoch) {
    const Permutation order(11, 5, epoch);
    loader.begin(pass, order);
    uint64_t position = 0;
    for (auto batch = loader.next(); batch.valid > 0; batch = loader.next()) {
      EXPECT_EQ(batch.valid, 3);
      const InputHalf &input = session.input(batch.half);
      EXPECT_EQ(*input.valid, 3);
      for (int64_t i = 0; i < 3; ++i, ++position) {
        EXPECT_EQ(input.images[i * 12 + 11], static_cast<float>(order(position)) / 255.0f);
        EXPECT_EQ(input.labels[i], static_cast<int32_t>(order(position) % 4));
      }
    }
    EXPECT_EQ(position, 9u);
    EXPECT_EQ(loader.next().valid, 0);
  }
}

TEST(BatchLoader, EvaluationVisitsEverySampleAndPadsWithZeros) {
  const Session session = makeSession();
  const NumberedSet data(5);
  BatchLoader loader(session, data);
  loader.begin(trainingPasses(session, data, 1).base, Permutation(5, 1, 1)); // left before its end
  loader.next();
  loader.begin(validationPass(session, data)); // batch 2
  int64_t position = 0;
  Half half = Half::A;
  for (auto batch = loader.next(); batch.valid > 0; batch = loader.next(), half = otherHalf(half)) {
    EXPECT_EQ(batch.half, half);
    const InputHalf &input = session.input(batch.half);
    EXPECT_EQ(*input.valid, batch.valid);
    for (int64_t i = 0; i < batch.valid; ++i, ++position)
      EXPECT_EQ(input.images[i * 12], static_cast<float>(position) / 255.0f);
    for (int64_t i = batch.valid * 12; i < 24; ++i)
      EXPECT_EQ(input.images[i], 0.0f);
  }
  EXPECT_EQ(position, 5);
}

TEST(Trainer, LearnsTheSyntheticDataAndIsReproducible) {
  const auto plan = regressionPlan({16, 10, 2, 3, 2, 4});
  const auto training = openDataSet("synthetic", Split::Train, *plan);
  const auto validation = openDataSet("synthetic", Split::Test, *plan);
  std::vector<std::string> logs;
  for (int run = 0; run < 2; ++run) {
    Session session(plan, createDevice("reference", 1 + run));
    session.parameters().init(1);
    std::vector<EpochReport> reports;
    TrainOptions options;
    options.epochs = 3;
    options.lr = 0.1;
    options.onEpoch = [&](const EpochReport &report) { reports.push_back(report); };
    options.onMessage = [](const std::string &text) { ADD_FAILURE() << text; };
    train(session, *training, *validation, options);
    ASSERT_EQ(reports.size(), 3u);
    EXPECT_LT(reports[2].trainLoss, reports[0].trainLoss);
    EXPECT_GT(reports[2].validation.top1, 0.7);
    EXPECT_EQ(reports[2].validation.top5, 1.0); // 4 classes
    EXPECT_EQ(reports[2].validation.samples, 512);
    const Metrics again = evaluate(session, *validation);
    EXPECT_EQ(again.loss, reports[2].validation.loss);
    reports[2].imagesPerSecond = 0;
    logs.push_back(reports[2].json());
  }
  EXPECT_EQ(logs[0], logs[1]);
}

TEST(Trainer, SaysHowManySamplesAreLeftOutOnce) {
  Session session = makeSession();
  const NumberedSet data(11);
  std::vector<std::string> messages;
  TrainOptions options;
  options.epochs = 2;
  options.lr = 1e-6;
  options.onMessage = [&](const std::string &text) { messages.push_back(text); };
  train(session, data, data, options);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_NE(messages[0].find("leaves out 2 of 11 samples"), std::string::npos);
  const NumberedSet tooFew(2);
  EXPECT_NE(errorOf([&] {
              train(session, tooFew, data, options);
            }).find("the data set has 2 samples, fewer than one batch of 3"),
            std::string::npos);
}

TEST(Trainer, LogLineIsJson) {
  EpochReport report;
  report.epoch = 2;
  report.trainLoss = 0.25;
  report.validation = {std::numeric_limits<double>::infinity(), 0.875, 1, 512};
  report.imagesPerSecond = 12345.678;
  const auto json = nlohmann::json::parse(report.json());
  EXPECT_EQ(json["epoch"], 2);
  EXPECT_EQ(json["train_loss"], 0.25);
  EXPECT_TRUE(json["val_loss"].is_null());
  EXPECT_EQ(json["val_top1"], 0.875);
  EXPECT_EQ(json["val_top5"], 1);
  EXPECT_EQ(json["images_per_s"], 12345.7);
  EXPECT_EQ(json.size(), 7u);
}

TEST(Trainer, EndsEarlyAndSaysSo) {
  Session session(regressionPlan({16, 10, 2, 3, 2, 4}), createDevice("reference", 1));
  session.parameters().init(1);
  const auto training = openDataSet("synthetic", Split::Train, session.plan());
  const auto validation = openDataSet("synthetic", Split::Test, session.plan());
  TrainOptions options;
  options.epochs = 9;
  options.earlyStop = 2; // with lr 0 no epoch is better than the first
  std::vector<int64_t> epochs;
  std::vector<std::string> messages;
  options.onEpoch = [&](const EpochReport &report) { epochs.push_back(report.epoch); };
  options.onMessage = [&](const std::string &text) { messages.push_back(text); };
  train(session, *training, *validation, options);
  EXPECT_EQ(epochs, (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(messages.back(),
            "note: the run ends after epoch 3: no lower validation loss in 2 epochs");
}
