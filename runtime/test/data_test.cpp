// SPDX-License-Identifier: Apache-2.0
//
// IDX files and data sets, good and bad.
#include "data/data_sets.h"
#include "data/idx.h"
#include "data/image_reader.h"
#include "temp_dir.h"

#include <gtest/gtest.h>

#include <zlib.h>

#include <set>

using namespace trf;
using namespace trrt;
using trrt_test::errorOf;
using trrt_test::TempDir;

static std::vector<uint8_t> idx(const std::vector<uint32_t> &dims, std::vector<uint8_t> values,
                                uint8_t type = 8) {
  std::vector<uint8_t> bytes = {0, 0, type, static_cast<uint8_t>(dims.size())};
  for (const uint32_t d : dims)
    for (int shift = 24; shift >= 0; shift -= 8)
      bytes.push_back(static_cast<uint8_t>(d >> shift));
  bytes.insert(bytes.end(), values.begin(), values.end());
  return bytes;
}

static std::vector<uint8_t> gzip(const std::vector<uint8_t> &bytes) {
  const TempDir dir;
  gzFile out = gzopen(dir.file("z").c_str(), "wb");
  gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(out);
  std::ifstream in(dir.file("z"), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

static std::string idxError(const std::vector<uint8_t> &bytes, uint32_t rank) {
  const TempDir dir;
  const std::string path = dir.write("f", bytes);
  return errorOf([&] { readIdx(path, rank); });
}

TEST(Idx, ReadsPlainAndGzip) {
  const TempDir dir;
  const std::vector<uint8_t> bytes = idx({2, 1, 3}, {1, 2, 3, 4, 5, 6});
  for (const auto &content : {bytes, gzip(bytes)}) {
    const IdxFile file = readIdx(dir.write("f", content), 3);
    EXPECT_EQ(file.dims, (std::vector<uint32_t>{2, 1, 3}));
    EXPECT_EQ(file.values, (std::vector<uint8_t>{1, 2, 3, 4, 5, 6}));
  }
}

TEST(Idx, BadFiles) {
  const std::vector<uint8_t> good = idx({2, 1, 3}, {1, 2, 3, 4, 5, 6});
  const auto has = [](const std::string &error, const char *text) {
    EXPECT_NE(error.find(text), std::string::npos) << "got: " << error;
  };
  EXPECT_EQ(idxError(good, 3), "");
  has(idxError({}, 3), "expected a header, but the file ends");
  has(idxError({0, 0, 8}, 3), "expected a header, but the file ends");
  has(idxError({0, 0, 8, 3, 0, 0}, 3), "expected a header, but the file ends");
  has(idxError({1, 0, 8, 1, 0, 0, 0, 1, 0}, 1), "it does not start with two zero bytes");
  has(idxError(idx({2}, {1, 2}, 0x0d), 1),
      "expected elements of type 0x08 (unsigned byte), but got type 13");
  has(idxError(good, 1), "expected 1 dimensions, but got 3");
  has(idxError(idx({2, 0, 3}, {}), 3), "dimension 1 is zero");
  has(idxError(idx({~0u, ~0u, ~0u}, {}), 3), "it claims more than 16 GiB of data");
  has(idxError(idx({~0u, 1, 1}, {1, 2}), 3), "expected 4294967295 bytes of data, but got 2");
  has(idxError(idx({2, 1, 3}, {1, 2, 3, 4, 5}), 3), "expected 6 bytes of data, but got 5");
  has(idxError(idx({2, 1, 3}, {1, 2, 3, 4, 5, 6, 7}), 3),
      "expected 6 bytes of data, but there are more");
  std::vector<uint8_t> packed = gzip(good);
  for (size_t cut = 1; cut < packed.size(); ++cut)
    EXPECT_NE(idxError({packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(cut)}, 3), "");
  has(idxError({packed.begin(), packed.end() - 4}, 3), "the gzip data ends early");
  packed[packed.size() - 6] ^= 0xff; // the checksum
  has(idxError(packed, 3), "/f: not a valid IDX file: ");
  EXPECT_NE(errorOf([] {
              readIdx("/no/such/file", 3);
            }).find("cannot open '/no/such/file': No such file"),
            std::string::npos);
}

static Plan planFor(int64_t height, int64_t width, int64_t channels, uint32_t classes) {
  Plan plan;
  plan.variants.resize(1);
  plan.variants[0].batch = 4;
  plan.variants[0].height = height;
  plan.variants[0].width = width;
  plan.variants[0].channels = channels;
  plan.classes = classes;
  return plan;
}

static void writeMnist(const TempDir &dir, const std::vector<uint8_t> &labels) {
  const uint32_t n = static_cast<uint32_t>(labels.size());
  std::vector<uint8_t> pixels(n * 6);
  for (size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<uint8_t>(i);
  dir.write("train-images-idx3-ubyte", idx({n, 2, 3}, pixels));
  dir.write("train-labels-idx1-ubyte.gz", gzip(idx({n}, labels)));
}

TEST(DataSet, FashionMnistFolder) {
  const TempDir dir;
  writeMnist(dir, {0, 9, 4});
  const auto data = openDataSet("fashion-mnist:" + dir.path(), Split::Train, planFor(2, 3, 1, 10));
  EXPECT_EQ(data->size(), 3);
  EXPECT_EQ(data->label(1), 9);
  EXPECT_EQ(data->shape.height, 2); // the loader resamples for variants of other sizes
  EXPECT_EQ(
      openDataSet("fashion-mnist:" + dir.path(), Split::Train, planFor(5, 4, 1, 10))->shape.height,
      2);
  float image[6];
  ImageReader::Memory memory;
  ImageReader(*data, 1, {}).read(1, 0, {2, 3}, image, memory);
  for (int i = 0; i < 6; ++i)
    EXPECT_FLOAT_EQ(image[i], (static_cast<float>(6 + i) / 255.0f - 0.2860f) / 0.3530f);
}

// The original site names its files with a dot.
TEST(DataSet, BothSpellingsAreFound) {
  for (const char *name : {"train-images.idx3-ubyte", "train-images.idx3-ubyte.gz"}) {
    const TempDir dir;
    writeMnist(dir, {0, 9, 4});
    std::filesystem::rename(dir.file("train-images-idx3-ubyte"), dir.file(name));
    EXPECT_EQ(
        openDataSet("fashion-mnist:" + dir.path(), Split::Train, planFor(2, 3, 1, 10))->size(), 3);
    EXPECT_EQ(dataSetFiles("fashion-mnist:" + dir.path()),
              (std::vector<std::string>{dir.file(name), dir.file("train-labels-idx1-ubyte.gz")}));
  }
}

TEST(DataSet, Mismatches) {
  const TempDir dir;
  writeMnist(dir, {0, 9, 4});
  const std::string spec = "fashion-mnist:" + dir.path();
  const auto open = [&](const std::string &name, Split split, const Plan &plan) {
    return errorOf([&] { openDataSet(name, split, plan); });
  };
  const auto has = [](const std::string &error, const std::string &text) {
    EXPECT_NE(error.find(text), std::string::npos) << "got: " << error;
  };
  has(open(spec, Split::Train, planFor(2, 3, 3, 10)),
      ": the plan expects images of shape [2, 3, 3] (h, w, c), but got [2, 3, 1]");
  has(open(spec, Split::Train, planFor(2, 3, 1, 9)),
      dir.file("train-labels-idx1-ubyte.gz") + ": label 9 of sample 1 is outside [0, 9)");
  EXPECT_EQ(open(spec, Split::Test, planFor(2, 3, 1, 10)),
            "data set fashion-mnist: no file 't10k-images-idx3-ubyte[.gz]' in '" + dir.path() +
                "'");
  has(open("fashion-mnist:", Split::Train, planFor(2, 3, 1, 10)),
      "data set 'fashion-mnist:': expected a folder after ':'");
  has(open("synthetic:x", Split::Train, planFor(2, 3, 1, 10)),
      "data set 'synthetic:x': synthetic takes no folder");
  has(open("fashion-mnis", Split::Train, planFor(2, 3, 1, 10)),
      "unknown data set 'fashion-mnis'; expected one of ");
  has(open("fashion-mnis", Split::Train, planFor(2, 3, 1, 10)), "did you mean 'fashion-mnist'");
  std::filesystem::create_directory(dir.file("class"));
  dir.write("class/x.png", {1});
  has(open("folder:" + dir.path(), Split::Train, planFor(2, 3, 2, 10)),
      "data set folder: images have 1 or 3 channels, but the plan expects 2");
  std::filesystem::create_directory(dir.file("other"));
  dir.write("other/x.png", {1});
  has(open("folder:" + dir.path(), Split::Train, planFor(2, 3, 3, 1)),
      "expected at most 1 classes, those of the plan, but got 2");
  has(open("synthetic", Split::Train, Plan()), "the plan has no variant or no classes");
  dir.write("train-images-idx3-ubyte", idx({2, 2, 3}, std::vector<uint8_t>(12)));
  has(open(spec, Split::Train, planFor(2, 3, 1, 10)), "one label for each of the 2 images");
}

TEST(DataSet, SyntheticFitsAnyPlanAndIsFixed) {
  const Plan plan = planFor(5, 3, 2, 7);
  const auto a = openDataSet("synthetic", Split::Train, plan);
  const auto b = openDataSet("synthetic", Split::Train, plan);
  const auto test = openDataSet("synthetic", Split::Test, plan);
  std::vector<uint8_t> x, y, z;
  std::set<int32_t> labels;
  for (int64_t i = 0; i < 20; ++i) {
    a->picture(i, x);
    b->picture(i, y);
    test->picture(i, z);
    EXPECT_EQ(x.size(), 30u);
    EXPECT_EQ(x, y);
    EXPECT_NE(x, z);
    labels.insert(a->label(i));
  }
  EXPECT_EQ(labels.size(), 7u);
}
