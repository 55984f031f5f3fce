// SPDX-License-Identifier: Apache-2.0
//
// What becomes of bad files, and that readers agree whatever their number.
#include "data/batch_loader.h"
#include "data/data_sets.h"
#include "device/devices.h"
#include "image_files.h"
#include "regression_plan.h"
#include "temp_dir.h"
#include "train/passes.h"

#include <gtest/gtest.h>

using namespace trf;
using namespace trrt;
using namespace trf::test;
using trrt_test::errorOf;
using trrt_test::plainBmp;
using trrt_test::TempDir;

namespace {

class FileReader : public testing::Test {
protected:
  // Seven files, of which the third and the fourth are damaged.
  FileReader() {
    std::vector<std::string> paths;
    for (uint8_t i = 0; i < 7; ++i)
      paths.push_back(dir.write(std::to_string(i) + ".bmp", i == 2 || i == 3
                                                                ? std::vector<uint8_t>{'B', 'M'}
                                                                : plainBmp(2, 2, i, i, i)));
    data = openFiles(paths);
    data->normal = {{0}, {1.0 / 255}};
  }
  ImageOptions options(BadFiles badFiles, int threads = 1) {
    ImageOptions result;
    result.badFiles = badFiles;
    result.threads = threads;
    result.onMessage = [this](const std::string &text) { messages.push_back(text); };
    return result;
  }
  int64_t readGood(ImageReader &reader, int64_t index) {
    ImageReader::Memory memory;
    return reader.readGood(index, 0, {2, 2}, pixels.data(), memory);
  }

  TempDir dir;
  std::unique_ptr<DataSet> data;
  std::vector<std::string> messages;
  std::vector<float> pixels = std::vector<float>(12);
};

} // namespace

TEST_F(FileReader, StopsWithPathAndReason) {
  ImageReader reader(*data, 3, options(BadFiles::Stop));
  EXPECT_EQ(readGood(reader, 5), 5);
  EXPECT_EQ(pixels[0], 5.0f);
  EXPECT_EQ(errorOf([&] { readGood(reader, 2); }), dir.file("2.bmp") + ": the file ends early");
}

TEST_F(FileReader, ReplacesByTheNextGoodOne) {
  ImageReader reader(*data, 3, options(BadFiles::Replace));
  EXPECT_EQ(readGood(reader, 2), 4);
  EXPECT_EQ(readGood(reader, 3), 4);
  EXPECT_EQ(messages.size(), 2u); // one for each file, however often it is met
  EXPECT_EQ(messages[0], "warning: " + dir.file("2.bmp") + ": the file ends early");
  EXPECT_EQ(reader.badFiles(), 2);
}

TEST_F(FileReader, Skips) {
  ImageReader reader(*data, 3, options(BadFiles::Skip));
  EXPECT_EQ(readGood(reader, 3), -1);
  EXPECT_EQ(readGood(reader, 6), 6);
}

TEST_F(FileReader, ABatchOfNothingButBadFilesIsAnError) {
  const Session session(regressionPlan(), createDevice("reference", 1));
  std::vector<std::string> paths(9, dir.file("2.bmp"));
  const auto bad = openFiles(paths);
  bad->channels = 2; // of the plan; nothing is decoded
  BatchLoader loader(session, *bad, options(BadFiles::Skip));
  Pass pass;
  pass.variant = pass.lastVariant = session.variant(StandardVariant::TrainBase);
  pass.whole = 2;
  loader.begin(pass);
  EXPECT_EQ(errorOf([&] { loader.next(); }), "none of the images of a batch can be read");
}

TEST_F(FileReader, RandomTransformsDependOnSeedEpochAndSampleAlone) {
  std::vector<uint8_t> noise = plainBmp(20, 30, 0, 0, 0);
  for (size_t i = 54; i < noise.size(); ++i)
    noise[i] = static_cast<uint8_t>(i * i * 31 >> 3);
  const auto picture = openFiles({dir.write("noise.bmp", noise)});
  const auto draw = [&](uint64_t seed, uint64_t epoch) {
    ImageOptions given = options(BadFiles::Stop);
    given.seed = seed;
    tri::Pipeline::parse("random_resized_crop(8), flip(), color_jitter(0.4, 0.4, 0.4, 0.1)",
                         given.pipeline);
    ImageReader::Memory memory;
    std::vector<float> out(192);
    ImageReader(*picture, 3, given).read(0, epoch, {8, 8}, out.data(), memory);
    return out;
  };
  EXPECT_EQ(draw(1, 0), draw(1, 0));
  EXPECT_NE(draw(1, 0), draw(2, 0));
  EXPECT_NE(draw(1, 0), draw(1, 1));
}

TEST(BatchLoaderThreads, AnyNumberGivesTheSameBatches) {
  const Session session(regressionPlan(), createDevice("reference", 1));
  const auto data = openDataSet("synthetic", Split::Train, session.plan());
  const auto epoch = [&](int threads) {
    ImageOptions options;
    options.threads = threads;
    options.seed = 3;
    tri::Pipeline::parse("pad(1), random_crop(), flip()", options.pipeline);
    BatchLoader loader(session, *data, options);
    Pass pass = trainingPasses(session, *data, 1).base;
    pass.whole = 50;
    loader.begin(pass, Permutation(2048, 3, 0));
    std::vector<float> all;
    for (auto batch = loader.next(); batch.valid > 0; batch = loader.next()) {
      const InputHalf &input = session.input(batch.half);
      all.insert(all.end(), input.images, input.images + batch.valid * 12);
      all.insert(all.end(), input.labels, input.labels + batch.valid);
    }
    return all;
  };
  const std::vector<float> one = epoch(1);
  EXPECT_EQ(one.size(), 50u * 3 * 13);
  EXPECT_EQ(epoch(2), one);
  EXPECT_EQ(epoch(7), one);
}
