// SPDX-License-Identifier: Apache-2.0
//
// Runs that stop at any step and go on, and checkpoints that do not fit.
#include "train/checkpoint.h"

#include "data/data_sets.h"
#include "device/devices.h"
#include "regression_plan.h"
#include "temp_dir.h"
#include "train/checkpoint_writer.h"

#include <gtest/gtest.h>

using namespace trf;
using namespace trf::test;
using namespace trrt;
using trrt_test::errorOf;
using trrt_test::TempDir;

namespace fs = std::filesystem;

namespace {

constexpr RunIdentity kIdentity = {2048, 7};

// A run on few samples of the synthetic data: 3 epochs of 6 steps.
class FewSamples final : public DataSet {
public:
  explicit FewSamples(std::unique_ptr<DataSet> all) : all(std::move(all)) {
    shape = this->all->shape;
    channels = this->all->channels;
    normal = this->all->normal;
  }
  int64_t size() const override { return 20; }
  int32_t label(int64_t index) const override { return all->label(index); }
  tri::Picture picture(int64_t index, std::vector<uint8_t> &buffer) const override {
    return all->picture(index, buffer);
  }

private:
  std::unique_ptr<DataSet> all;
};

class Runs : public testing::Test {
protected:
  Runs() {
    options.epochs = 3;
    options.seed = 7;
    options.lr = 0.05;
    std::string error;
    EXPECT_TRUE(
        parseLrSchedule("plateau:gamma=0.5,patience=0,threshold=0.5", options.schedule, error));
    EXPECT_EQ(
        tri::Pipeline::parse("pad(1), random_crop(), flip()", options.trainingImages.pipeline), "");
  }
  Session begin(int64_t batch = 3) const {
    RegressionShape shape;
    shape.batch = batch;
    Session session(regressionPlan(shape), createDevice("reference", 1));
    session.parameters().init(5);
    session.tensors().setScalar(SharedTensor::Momentum, 0.9);
    return session;
  }
  bool run(Session &session) {
    const FewSamples training(openDataSet("synthetic", Split::Train, session.plan())),
        validation(openDataSet("synthetic", Split::Test, session.plan()));
    return train(session, training, validation, options);
  }
  static std::vector<uint8_t> stateOf(const Session &session) {
    SafetensorsWriter writer;
    captureState(session, writer);
    return writer.serialize();
  }
  std::string write(const Session &session, const std::string &name,
                    const RunPosition &position = {}) const {
    makeCheckpoint(session, position, kIdentity).write(dir.file(name));
    return dir.file(name);
  }

  TempDir dir;
  TrainOptions options;
};

} // namespace

TEST_F(Runs, GoOnAtAnyStepBitForBit) {
  std::vector<std::string> whole;
  options.onEpoch = [&](const EpochReport &report) {
    whole.push_back(std::to_string(report.trainLoss) + " " +
                    std::to_string(report.validation.loss));
  };
  Session session = begin();
  int64_t positions = 0;
  options.onPosition = [&](const RunPosition &, bool) {
    ++positions;
    return true;
  };
  EXPECT_TRUE(run(session));
  EXPECT_EQ(positions, 3 * (6 + 1));
  const std::vector<std::string> expected = whole;
  for (int64_t stop = 1; stop < positions; ++stop) {
    whole.clear();
    Session first = begin();
    int64_t seen = 0;
    options.begin = {};
    options.onPosition = [&](const RunPosition &position, bool) {
      if (++seen < stop)
        return true;
      write(first, "c", position);
      return false;
    };
    EXPECT_FALSE(run(first)) << stop;
    Session second = begin();
    options.begin = resumeFrom(second, dir.file("c"), kIdentity);
    options.onPosition = nullptr;
    EXPECT_TRUE(run(second));
    EXPECT_EQ(stateOf(second), stateOf(session)) << "stopped after " << stop;
    EXPECT_EQ(whole, expected) << "stopped after " << stop;
  }
}

TEST_F(Runs, WhatDoesNotFitIsNamed) {
  Session session = begin();
  const std::vector<uint8_t> before = stateOf(session);
  const auto has = [&](const std::string &error, const std::string &text) {
    EXPECT_NE(error.find(text), std::string::npos) << "got: " << error;
    EXPECT_EQ(stateOf(session), before);
  };
  const std::string good = write(session, "good");
  has(errorOf([&] {
        resumeFrom(session, good, {2048, 8});
      }),
      ": the checkpoint's seed is 7, but this run's is 8; --resume-without position leaves it "
      "aside");
  has(errorOf([&] {
        resumeFrom(session, good, {99, 7});
      }),
      ": the checkpoint's number of training samples is 2048, but this run's is 99");
  Session larger = begin(4);
  has(errorOf([&] { resumeFrom(larger, good, kIdentity); }),
      ": the checkpoint's batch is 3, but this run's is 4");
  RunPosition position;
  position.epoch = 2;
  position.step = 3;
  ResumeDrops drops;
  drops.position = true;
  const RunPosition resumed =
      resumeFrom(larger, write(session, "later", position), kIdentity, drops);
  EXPECT_EQ(resumed.epoch, 2);
  EXPECT_EQ(resumed.step, 0);
}

TEST_F(Runs, FilesThatAreNoCheckpoints) {
  Session session = begin();
  const auto errorWith = [&](auto &&change) {
    SafetensorsWriter writer = makeCheckpoint(session, {}, kIdentity);
    change(writer);
    writer.write(dir.file("x"));
    return errorOf([&] { resumeFrom(session, dir.file("x"), kIdentity); });
  };
  const auto has = [](const std::string &error, const std::string &text) {
    EXPECT_NE(error.find(text), std::string::npos) << "got: " << error;
  };
  has(errorWith([](SafetensorsWriter &w) { w.addMetadata("run.version", "2"); }),
      ": expected a checkpoint of version 1, but got 2");
  has(errorWith([](SafetensorsWriter &w) { w.addMetadata("run.epoch", "-1"); }),
      ": 'run.epoch' is no number: '-1'");
  has(errorWith([](SafetensorsWriter &w) { w.addMetadata("run.best_loss", "low"); }),
      ": 'run.best_loss' is no number: 'low'");
  has(errorWith([](SafetensorsWriter &w) { w.addF32("more", {1}, {1}); }),
      ": tensor 'more' does not have its checksum: the file is damaged");
  has(errorWith([](SafetensorsWriter &w) {
        w.addF32("more", {1}, {1});
        w.addChecksums();
      }),
      ": the checkpoint does not fit the plan: expected ");
  RegressionShape wider;
  wider.channels = 5;
  Session other(regressionPlan(wider), createDevice("reference", 1));
  has(errorOf([&] { resumeFrom(other, write(session, "x"), kIdentity); }),
      ": the checkpoint does not fit the plan: tensor '");
  SafetensorsWriter weights;
  weights.addF32("w", {1}, {1});
  weights.write(dir.file("w"));
  has(errorOf([&] { resumeFrom(session, dir.file("w"), kIdentity); }),
      ": not a checkpoint: its metadata have no 'run.version'");
}

TEST_F(Runs, TheNewestGoodOneIsFound) {
  const Session session = begin();
  std::vector<std::string> messages;
  const auto find = [&] {
    return findLatest(dir.path(), [&](const std::string &text) { messages.push_back(text); });
  };
  EXPECT_EQ(find(), "");
  for (const int64_t steps : {5, 70, 1234})
    write(session, checkpointName(steps));
  write(session, "best.ckpt");
  EXPECT_EQ(find(), dir.file("step-0000001234.ckpt"));
  fs::resize_file(dir.file("step-0000001234.ckpt"), 1000);
  std::fstream damaged(dir.file("step-0000000070.ckpt"),
                       std::ios::in | std::ios::out | std::ios::binary);
  damaged.seekp(-1, std::ios::end);
  damaged.put('x');
  damaged.close();
  EXPECT_EQ(find(), dir.file("step-0000000005.ckpt"));
  EXPECT_EQ(messages.size(), 2u);
}

TEST_F(Runs, TheWriterKeepsTheNewestAndTheBest) {
  const Session session = begin();
  std::vector<std::string> messages;
  fs::create_directories(dir.file("a/b"));
  dir.write("a/b/.step-0000000001.ckpt.tmp-99-0", {1}); // of a killed run
  dir.write("a/b/.step-notes", {1});
  CheckpointWriter writer(dir.file("a/b"), 2,
                          [&](const std::string &text) { messages.push_back(text); });
  for (int64_t steps = 1; steps <= 5; ++steps)
    writer.add(makeCheckpoint(session, {}, kIdentity), checkpointName(steps), steps == 2);
  EXPECT_EQ(writer.finish(), dir.file("a/b/step-0000000005.ckpt"));
  EXPECT_EQ(listCheckpoints(dir.file("a/b")),
            (std::vector<std::string>{dir.file("a/b/step-0000000005.ckpt"),
                                      dir.file("a/b/step-0000000004.ckpt")}));
  EXPECT_TRUE(fs::exists(dir.file("a/b/best.ckpt")));
  EXPECT_FALSE(fs::exists(dir.file("a/b/.step-0000000001.ckpt.tmp-99-0")));
  EXPECT_TRUE(fs::exists(dir.file("a/b/.step-notes")));
  // Where nothing can be written any more, what is there stays.
  fs::remove(dir.file("a/b/step-0000000006.ckpt"));
  fs::create_directory(dir.file("a/b/step-0000000006.ckpt"));
  for (int i = 0; i < 2; ++i)
    writer.add(makeCheckpoint(session, {}, kIdentity), checkpointName(6), false);
  EXPECT_EQ(writer.finish(), dir.file("a/b/step-0000000005.ckpt"));
  EXPECT_TRUE(writer.failed());
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_NE(messages[0].find("; the last good checkpoint is '" + dir.file("a/b/step-0000000005")),
            std::string::npos)
      << messages[0];
  dir.write("file", {1});
  EXPECT_NE(errorOf([&] {
              CheckpointWriter(dir.file("file"), 1, nullptr);
            }).find("cannot make the folder '" + dir.file("file") + "'"),
            std::string::npos);
}
