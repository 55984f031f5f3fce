// SPDX-License-Identifier: Apache-2.0
//
// Training over all six variants, against softmax regression computed here.
#include "allocation_count.h"
#include "counting_device.h"
#include "data/batch_loader.h"
#include "device/devices.h"
#include "regression_plan.h"
#include "temp_dir.h"
#include "test_libraries.h"
#include "train/passes.h"
#include "train/trainer.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace trf;
using namespace trf::test;
using namespace trrt;
using namespace trrt::test;
using trrt_test::errorOf;

namespace {

constexpr size_t kClasses = 4, kChannels = 2;

// Every pixel differs, and so does the mean after resampling.
class UnevenSet final : public DataSet {
public:
  explicit UnevenSet(int64_t count) : count(count) {
    shape = {2, 3};
    channels = kChannels;
    normal = {{0.5}, {0.25}};
  }
  int64_t size() const override { return count; }
  int32_t label(int64_t index) const override { return static_cast<int32_t>(index * 5 % 4); }
  tri::Picture picture(int64_t index, std::vector<uint8_t> &buffer) const override {
    buffer.resize(12);
    for (int64_t i = 0; i < 12; ++i)
      buffer[static_cast<size_t>(i)] = static_cast<uint8_t>((index * 37 + i * i * 11) % 29 * 8);
    return tri::Picture::ofPixels(buffer.data(), shape, channels);
  }

private:
  int64_t count;
};

// Softmax regression on pooled images, in double.
struct Model {
  std::vector<double> w, b;

  explicit Model(const Session &session) {
    const std::vector<float> fw = session.parameters().read(0), fb = session.parameters().read(1);
    w.assign(fw.begin(), fw.end());
    b.assign(fb.begin(), fb.end());
  }

  // The sum of the losses of the samples; a step of plain SGD where lr is not 0.
  double run(const DataSet &data, const Variant &variant, const std::vector<int64_t> &samples,
             double lr) {
    std::vector<double> dw(w.size()), db(b.size());
    double loss = 0;
    for (const int64_t sample : samples) {
      const std::vector<double> x = pooled(data, variant, sample);
      std::vector<double> z(b);
      double sum = 0;
      for (size_t o = 0; o < kClasses; ++o) {
        for (size_t c = 0; c < kChannels; ++c)
          z[o] += w[o * kChannels + c] * x[c];
        sum += std::exp(z[o]);
      }
      const size_t label = static_cast<size_t>(data.label(sample));
      loss += std::log(sum) - z[label];
      for (size_t o = 0; o < kClasses; ++o) {
        const double g =
            (std::exp(z[o]) / sum - (o == label)) / static_cast<double>(samples.size());
        db[o] += g;
        for (size_t c = 0; c < kChannels; ++c)
          dw[o * kChannels + c] += g * x[c];
      }
    }
    for (size_t i = 0; i < w.size(); ++i)
      w[i] -= lr * dw[i];
    for (size_t i = 0; i < b.size(); ++i)
      b[i] -= lr * db[i];
    return loss;
  }

private:
  static std::vector<double> pooled(const DataSet &data, const Variant &v, int64_t sample) {
    std::vector<float> out(static_cast<size_t>(v.height * v.width * v.channels));
    ImageReader::Memory memory;
    ImageReader(data, v.channels, {}).read(sample, 0, {v.height, v.width}, out.data(), memory);
    std::vector<double> mean(kChannels);
    for (size_t i = 0; i < out.size(); ++i)
      mean[i % kChannels] += out[i] / static_cast<double>(v.height * v.width);
    return mean;
  }
};

class VariantsOn : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Devices, VariantsOn, testing::ValuesIn(deviceNames()),
                         [](const auto &info) { return info.param; });

} // namespace

// Batches of `samples` in the order of `at`.
template <typename Fn>
static std::vector<std::vector<int64_t>> batches(int64_t samples, int64_t batch, Fn at) {
  std::vector<std::vector<int64_t>> result;
  for (int64_t i = 0; i < samples; ++i) {
    if (i % batch == 0)
      result.emplace_back();
    result.back().push_back(at(i));
  }
  return result;
}

static SixVariants elevenAndFive() {
  SixVariants six; // batches 3 and 2: the rests are 2 and 1
  six.trainSamples = 11;
  six.valSamples = 5;
  six.lowresEpoch = 1;
  return six;
}

TEST_P(VariantsOn, EpochsEqualAComputationInDouble) {
  const auto plan = readDraft(regressionDraft({}, elevenAndFive()));
  Session session(plan, createDevice(GetParam(), 2));
  session.parameters().init(3);
  session.tensors().setScalar("momentum", 0);
  session.tensors().setScalar("weight_decay", 0);
  const UnevenSet training(11), validation(5);
  TrainOptions options;
  options.epochs = 3;
  options.lr = 0.3;
  options.seed = 8;
  ASSERT_EQ(options.schedule.kind, LrSchedule::Kind::Constant);
  options.schedule.kind = LrSchedule::Kind::Cosine;
  Model model(session);
  options.onEpoch = [&](const EpochReport &report) {
    const uint64_t epoch = static_cast<uint64_t>(report.epoch - 1);
    const Permutation order(11, 8, epoch);
    const Variant &v = plan->variants[session.variant(epoch == 0 ? "train_base" : "train_lowres")];
    double loss = 0;
    int64_t step = static_cast<int64_t>(epoch) * 4; // three whole batches and the rest
    for (const auto &samples :
         batches(11, 3, [&](int64_t i) { return static_cast<int64_t>(order(uint64_t(i))); }))
      loss += model.run(training, v, samples, 0.3 * options.schedule.factor(step++, 4, 12));
    EXPECT_NEAR(report.trainLoss, loss / 11, 1e-5);
    loss = 0;
    for (const auto &samples : batches(5, 2, [](int64_t i) { return i; }))
      loss += model.run(validation, plan->variants[session.variant("val_base")], samples, 0);
    EXPECT_NEAR(report.validation.loss, loss / 5, 1e-5);
    EXPECT_EQ(report.validation.samples, 5);
  };
  train(session, training, validation, options);
  const std::vector<float> w = session.parameters().read(0), b = session.parameters().read(1);
  for (size_t i = 0; i < w.size(); ++i)
    EXPECT_NEAR(w[i], model.w[i], 1e-5);
  for (size_t i = 0; i < b.size(); ++i)
    EXPECT_NEAR(b[i], model.b[i], 1e-5);
}

TEST_P(VariantsOn, SwitchingAllocatesNothing) {
  Session session(readDraft(regressionDraft({}, elevenAndFive())), createDevice(GetParam(), 2));
  session.parameters().init(3);
  const UnevenSet training(11), validation(5);
  TrainOptions options;
  options.epochs = 4;
  options.lr = 0.1;
  int64_t allocations = -1;
  options.onEpoch = [&](const EpochReport &report) {
    if (report.epoch == 1)
      startCounting(); // the epochs after it run the other resolution, and all rests
    if (report.epoch == report.epochs)
      allocations = stopCounting();
  };
  train(session, training, validation, options);
  EXPECT_EQ(allocations, 0);
}

// Row 15.5 of the field reports: 3 epochs of 99 batches of 8 and one of 5.
TEST(Variants, FieldReport_15_5_LastBatchRecompilesNothing) {
  RegressionShape shape;
  shape.batch = 8;
  SixVariants six;
  six.trainSamples = 797;
  auto device = std::make_unique<CountingDevice>(libraryOf("reference"), 2);
  const CountingDevice &counts = *device;
  Session session(readDraft(regressionDraft(shape, six)), std::move(device));
  EXPECT_GT(counts.prepared(), 0);
  session.parameters().init(3);
  session.tensors().setScalar("lr", 0.05);
  session.tensors().setScalar("momentum", 0);
  const UnevenSet data(797);
  const Pass pass = trainingPasses(session, data, 3).base;
  EXPECT_EQ(pass.steps(), 100);
  BatchLoader loader(session, data);
  Model model(session);
  const int64_t before = counts.prepared();
  for (uint64_t epoch = 0; epoch < 3; ++epoch) {
    const Permutation order(797, 1, epoch);
    loader.begin(pass, order);
    int64_t position = 0, steps = 0;
    for (auto batch = loader.next(); batch.valid > 0; batch = loader.next(), ++steps) {
      ASSERT_EQ(batch.valid, steps < 99 ? 8 : 5);
      session.trainStep(batch.variant, batch.half);
      ASSERT_EQ(counts.prepared(), before) << "step " << steps << " of epoch " << epoch;
      std::vector<int64_t> samples;
      for (int64_t i = 0; i < batch.valid; ++i)
        samples.push_back(static_cast<int64_t>(order(static_cast<uint64_t>(position++))));
      const double loss = model.run(data, session.plan().variants[batch.variant], samples, 0.05);
      ASSERT_NEAR(session.tensors().scalar("loss"), loss / static_cast<double>(batch.valid), 1e-4)
          << "the mean over the real samples, step " << steps;
    }
    EXPECT_EQ(steps, 100);
    EXPECT_EQ(position, 797);
  }
}

TEST(Variants, ImagesHaveTheSizeOfTheirVariant) {
  const Session session(readDraft(regressionDraft({}, elevenAndFive())),
                        createDevice("reference", 1));
  const UnevenSet data(11);
  BatchLoader loader(session, data);
  const TrainingPasses passes = trainingPasses(session, data, 2);
  std::vector<float> expected(64);
  const ImageReader reader(data, 2, {});
  ImageReader::Memory memory;
  for (int64_t epoch = 0; epoch < 2; ++epoch) {
    const Permutation order(11, 5, static_cast<uint64_t>(epoch));
    loader.begin(passes.of(epoch), order);
    std::vector<std::string> names;
    uint64_t position = 0;
    for (auto batch = loader.next(); batch.valid > 0; batch = loader.next()) {
      const Variant &v = session.plan().variants[batch.variant];
      names.push_back(v.name);
      EXPECT_EQ(batch.valid, v.batch);
      const size_t pixels = static_cast<size_t>(v.height * v.width * 2);
      const float *images = session.input(batch.half).images;
      for (int64_t i = 0; i < batch.valid; ++i, images += pixels) {
        reader.read(static_cast<int64_t>(order(position++)), 0, {v.height, v.width},
                    expected.data(), memory);
        EXPECT_TRUE(std::equal(images, images + pixels, expected.begin())) << v.name;
      }
    }
    const std::string name = epoch == 0 ? "train_base" : "train_lowres";
    const std::string last = epoch == 0 ? "train_last" : "train_lowres_last";
    EXPECT_EQ(names, (std::vector<std::string>{name, name, name, last}));
  }
}

// A pass's steps, and the samples that it leaves out.
static std::string describe(uint32_t samples, bool dropLast, int64_t inData) {
  SixVariants six;
  six.trainSamples = samples;
  six.dropLast = dropLast;
  const Session session(readDraft(regressionDraft({}, six)), createDevice("reference", 1));
  const TrainingPasses passes = trainingPasses(session, UnevenSet(inData), 1);
  return std::to_string(passes.base.whole) + " " + std::to_string(passes.base.rest) + " " +
         session.plan().variants[passes.base.lastVariant].name + " " +
         std::to_string(passes.leftOut);
}

TEST(Variants, StepsOfAnEpoch) {
  EXPECT_EQ(describe(11, false, 11), "3 2 train_last 0");
  EXPECT_EQ(describe(10, false, 10), "3 1 train_last 0");
  EXPECT_EQ(describe(12, false, 12), "4 0 train_base 0");
  EXPECT_EQ(describe(2, false, 2), "0 2 train_last 0");
  EXPECT_EQ(describe(11, true, 11), "3 0 train_base 2");
  EXPECT_EQ(describe(0, false, 11), "3 0 train_base 2");
  EXPECT_EQ(describe(0, true, 11), "3 0 train_base 2");
  EXPECT_NE(errorOf([] { describe(0, false, 2); }).find("one batch of 3"), std::string::npos);
}

TEST(Variants, DataOfAnotherSizeNamesTheFlag) {
  Session session(readDraft(regressionDraft({}, elevenAndFive())), createDevice("reference", 1));
  const UnevenSet five(5), six(6), eleven(11);
  TrainOptions options;
  EXPECT_EQ(errorOf([&] { train(session, six, five, options); }),
            "training data: expected 11 samples, the plan's --train-samples, but got 6");
  EXPECT_EQ(errorOf([&] { train(session, eleven, six, options); }),
            "validation data: expected 5 samples, the plan's --val-samples, but got 6");
  EXPECT_EQ(errorOf([&] { evaluate(session, six); }),
            "validation data: expected 5 samples, the plan's --val-samples, but got 6");
  EXPECT_NE(errorOf([&] {
              openDataSet("synthetic", Split::Train, session.plan());
            }).find("--train-samples, but got 2048"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              openDataSet("synthetic", Split::Test, session.plan());
            }).find("--val-samples, but got 512"),
            std::string::npos);
}

static std::string trainError(const Draft &draft) {
  Session session(readDraft(draft), createDevice("reference", 1));
  return errorOf([&] { train(session, UnevenSet(11), UnevenSet(5), TrainOptions()); });
}

TEST(Variants, PlansWhoseVariantsDoNotFitAreRefused) {
  Draft draft = regressionDraft({}, elevenAndFive());
  draft.records.target[0].train_samples = 10; // the data has 11, so this is found first
  EXPECT_NE(trainError(draft).find("--train-samples"), std::string::npos);
  SixVariants six = elevenAndFive();
  six.trainSamples = 10;
  draft = regressionDraft({}, six);
  draft.records.target[0].train_samples = 11;
  EXPECT_EQ(trainError(draft), "the plan cannot be run: variant train_last: expected a batch of 2, "
                               "what whole batches of train_base leave, but got 1");
  six = elevenAndFive();
  six.valSamples = 4;
  draft = regressionDraft({}, six);
  draft.records.target[0].val_samples = 5;
  EXPECT_EQ(trainError(draft), "the plan cannot be run: variant val_last: expected a batch of 1, "
                               "what whole batches of val_base leave, but got 2");
  six = elevenAndFive();
  six.lowBatch = 4;
  six.lowresEpoch = 0;
  EXPECT_EQ(trainError(regressionDraft({}, six)),
            "the plan cannot be run: train_base and train_lowres have different batches");
  draft = regressionDraft();
  draft.records.target[0].train_samples = 11;
  EXPECT_NE(trainError(draft).find("no variant 'train_last'"), std::string::npos);
  draft = regressionDraft();
  draft.records.target[0].lowres_epoch = 0;
  EXPECT_NE(trainError(draft).find("no variant 'train_lowres'"), std::string::npos);
  EXPECT_NE(errorOf([] {
              RegressionShape shape;
              shape.channels = 3;
              Session session(regressionPlan(shape), createDevice("reference", 1));
              BatchLoader(session, UnevenSet(4));
            }).find("expected images of 3 channels, but got 2"),
            std::string::npos);
}

TEST(Variants, ResamplingIsSaidOnce) {
  Session session(readDraft(regressionDraft({}, elevenAndFive())), createDevice("reference", 1));
  std::vector<std::string> messages;
  TrainOptions options;
  options.epochs = 2;
  options.onMessage = [&](const std::string &text) { messages.push_back(text); };
  train(session, UnevenSet(11), UnevenSet(5), options);
  EXPECT_EQ(messages,
            (std::vector<std::string>{"note: images of 2x3 are resampled to 3x5 for train_lowres",
                                      "note: images of 2x3 are resampled to 4x1 for val_base"}));
}
