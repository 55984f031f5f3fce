// SPDX-License-Identifier: Apache-2.0
//
// CIFAR, folders, lists and arrays, good and bad.
#include "data/data_sets.h"
#include "data/npy.h"
#include "image_files.h"
#include "io/safetensors_writer.h"
#include "temp_dir.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace trrt;
using trrt_test::errorOf;
using trrt_test::plainBmp;
using trrt_test::TempDir;

namespace fs = std::filesystem;

static void has(const std::string &error, const std::string &text) {
  EXPECT_NE(error.find(text), std::string::npos) << "got: " << error;
}

static std::string openError(const std::string &spec, Split split = Split::Train) {
  return errorOf([&] { openDataSet(spec, split); });
}

static std::vector<uint8_t> bytesOf(const std::string &text) { return {text.begin(), text.end()}; }

TEST(Cifar, PlanesBecomePixels) {
  const TempDir dir;
  std::vector<uint8_t> record = {9};
  for (int i = 0; i < 3072; ++i)
    record.push_back(static_cast<uint8_t>(i / 1024 * 50 + i % 7));
  for (int i = 1; i <= 5; ++i)
    dir.write("data_batch_" + std::to_string(i) + ".bin", record);
  dir.write("batches.meta.txt", bytesOf("airplane\nautomobile\n\n"));
  const auto data = openDataSet("cifar10:" + dir.path(), Split::Train);
  EXPECT_EQ(data->size(), 5);
  EXPECT_EQ(data->label(4), 9);
  EXPECT_EQ(data->classNames, (std::vector<std::string>{"airplane", "automobile"}));
  std::vector<uint8_t> buffer;
  const uint8_t *pixels = data->picture(0, buffer).pixels;
  EXPECT_EQ(std::vector<uint8_t>(pixels + 3, pixels + 6),
            (std::vector<uint8_t>{1 % 7, 50 + 1025 % 7, 100 + 2049 % 7}));
  has(openError("cifar10:" + dir.path(), Split::Test), "no file 'test_batch.bin'");
  dir.write("test_batch.bin", {1, 2, 3});
  has(openError("cifar10:" + dir.path(), Split::Test),
      ": expected records of 3073 bytes, but it has 3");
}

TEST(Cifar, TheFineLabelOfCifar100Counts) {
  const TempDir dir;
  fs::create_directory(dir.file("cifar-100-binary"));
  std::vector<uint8_t> record(3074);
  record[0] = 4;
  record[1] = 77;
  dir.write("cifar-100-binary/train.bin", record);
  EXPECT_EQ(openDataSet("cifar100:" + dir.path(), Split::Train)->label(0), 77);
}

static void writeFolder(const TempDir &dir, const std::string &name) {
  const fs::path path = dir.file(name);
  fs::create_directories(path.parent_path());
  dir.write(name, plainBmp(2, 3, 10, 20, 30));
}

TEST(Folder, ClassesAreSortedFolders) {
  const TempDir dir;
  for (const char *name : {"train/dog/b.bmp", "train/dog/a.BMP", "train/cat/deep/er/c.bmp",
                           "train/cat/notes.txt", "val/cat/d.bmp", "val/dog/e.bmp"})
    writeFolder(dir, name);
  const auto data = openDataSet("folder:" + dir.path(), Split::Train);
  EXPECT_EQ(data->classNames, (std::vector<std::string>{"cat", "dog"}));
  EXPECT_EQ(data->size(), 3);
  EXPECT_EQ(data->describe(0), dir.file("train/cat/deep/er/c.bmp"));
  EXPECT_EQ(data->describe(1), dir.file("train/dog/a.BMP"));
  EXPECT_EQ(data->label(2), 1);
  EXPECT_TRUE(data->hasParts);
  EXPECT_EQ(openDataSet("folder:" + dir.path(), Split::Test)->size(), 2);
  const auto part = openDataSet("folder:" + dir.file("train"), Split::Train);
  EXPECT_FALSE(part->hasParts);
  fs::create_directories(dir.file("val/bird"));
  has(errorOf([&] { checkSameClasses(*data, *openDataSet("folder:" + dir.path(), Split::Test)); }),
      "training and validation data have different classes: class 0 is 'cat' and 'bird'");
}

TEST(Folder, BadFolders) {
  const TempDir dir;
  has(openError("folder:" + dir.file("none")), "cannot read the folder '" + dir.file("none"));
  has(openError("folder:" + dir.path()), ": no image of a class in '" + dir.path());
  fs::create_directory(dir.file("train"));
  has(openError("folder:" + dir.path(), Split::Test),
      "' has a folder train, but none of val, test, validation and valid");
  has(errorOf([&] { openFiles({dir.path()}); }), "no image in the folder '" + dir.path());
  has(openError("idx:" + dir.file("none")), "cannot read the folder '" + dir.file("none"));
  has(openError("synthetic"), "data set synthetic has no files");
  has(openError("list:"), "expected a file after ':'");
  has(openError("folder"), "expected a folder after ':'");
}

TEST(List, PathsAreThoseOfItsFolder) {
  const TempDir dir;
  writeFolder(dir, "pics/a b.bmp");
  dir.write("names.txt", bytesOf("# a list\npics/a b.bmp \t dog\r\n\npics/none.bmp cat\n"));
  const auto data = openDataSet("list:" + dir.file("names.txt"), Split::Train);
  EXPECT_EQ(data->classNames, (std::vector<std::string>{"cat", "dog"}));
  EXPECT_EQ(data->label(0), 1);
  EXPECT_EQ(data->describe(0), dir.file("pics/a b.bmp"));
  std::vector<uint8_t> buffer;
  EXPECT_EQ(data->picture(0, buffer).file.size(), plainBmp(2, 3, 0, 0, 0).size());
  has(errorOf([&] { data->picture(1, buffer); }), "cannot open '" + dir.file("pics/none.bmp"));
  dir.write("numbers.txt", bytesOf("pics/none.bmp 7\npics/empty.bmp 07\n"));
  const auto numbered = openDataSet("list:" + dir.file("numbers.txt"), Split::Train);
  EXPECT_TRUE(numbered->classNames.empty());
  EXPECT_EQ(numbered->label(1), 7);
  dir.write("pics/empty.bmp", {});
  has(errorOf([&] { numbered->picture(1, buffer); }), "the file is empty");
}

TEST(List, BadLists) {
  const TempDir dir;
  has(openError("list:" + dir.file("none")), "data set list: cannot open '" + dir.file("none"));
  dir.write("a", bytesOf("x.png 1\n  y.png\n"));
  has(openError("list:" + dir.file("a")), dir.file("a") + ":2: expected 'PATH LABEL', but got '");
  dir.write("b", bytesOf("# nothing\n"));
  has(openError("list:" + dir.file("b")), dir.file("b") + ": the list is empty");
}

TEST(Idx, FoldersOfAnyNames) {
  const TempDir dir;
  const std::vector<uint8_t> images = {0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 5, 6};
  const std::vector<uint8_t> labels = {0, 0, 8, 1, 0, 0, 0, 1, 3};
  dir.write("my-train-images.idx3", images);
  dir.write("my-train-labels.idx1", labels);
  EXPECT_EQ(openDataSet("idx:" + dir.path(), Split::Train)->label(0), 3);
  has(openError("idx:" + dir.path(), Split::Test),
      "expected one IDX file of images with test or t10k or val in its name");
  dir.write("other-train-images.idx3", images);
  has(openError("idx:" + dir.path()), "but got " + dir.file("my-train-images.idx3") + ", ");
}

TEST(Emnist, PicturesAreTurned) {
  const TempDir dir;
  dir.write("emnist-letters-train-images-idx3-ubyte",
            {0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4});
  dir.write("emnist-letters-train-labels-idx1-ubyte", {0, 0, 8, 1, 0, 0, 0, 1, 26});
  const auto data = openDataSet("emnist-letters:" + dir.path(), Split::Train);
  EXPECT_EQ(data->label(0), 25); // letters are counted from 1 there
  std::vector<uint8_t> buffer;
  const uint8_t *pixels = data->picture(0, buffer).pixels;
  EXPECT_EQ(std::vector<uint8_t>(pixels, pixels + 4), (std::vector<uint8_t>{1, 3, 2, 4}));
  dir.write("emnist-letters-train-images-idx3-ubyte",
            {0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2});
  has(openError("emnist-letters:" + dir.path()), ": expected square images, as many as");
}

// ---- arrays

static std::vector<uint8_t> npy(const std::string &type, const std::string &shape,
                                const std::vector<uint8_t> &data, const char *order = "False") {
  const std::string header =
      "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
  std::vector<uint8_t> out = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
  trrt_test::appendLittle(out, static_cast<uint32_t>(header.size()), 2);
  out.insert(out.end(), header.begin(), header.end());
  out.insert(out.end(), data.begin(), data.end());
  return out;
}

static std::string npyError(const std::vector<uint8_t> &bytes) {
  return errorOf([&] { parseNpy(bytes, "x.npy"); });
}

TEST(Npy, GoodAndBadFiles) {
  const NpyArray array = parseNpy(npy("<i8", "(2, 1)", std::vector<uint8_t>(16)), "x.npy");
  EXPECT_EQ(array.dtype, "I64");
  EXPECT_EQ(array.shape, (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(parseNpy(npy("|u1", "(3,)", {1, 2, 3}), "x.npy").data, (std::vector<uint8_t>{1, 2, 3}));
  EXPECT_EQ(parseNpy(npy("<f4", "()", std::vector<uint8_t>(4)), "x.npy").shape.size(), 0u);
  has(npyError({}), "x.npy: not a valid .npy file: it does not begin with NumPy's magic number");
  has(npyError({0x93, 'N', 'U', 'M', 'P', 'Y', 9, 0, 0, 0}), "its version is not known");
  has(npyError({0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 9, 0}), "its header ends early");
  has(npyError(npy(">i8", "(1,)", std::vector<uint8_t>(8))),
      "expected numbers in little-endian order, but got type '>i8'");
  has(npyError(npy("|u1", "(1,)", {1}, "True")), "the array is in Fortran order");
  has(npyError(npy("|u1", "5", {1})), "its shape is no tuple");
  has(npyError(npy("|u1", "(-1,)", {1})), "its shape is no tuple of extents");
  has(npyError(npy("<f8", "(9000000000000000000, 9)", {1})), "its shape is too large");
  has(npyError(npy("|u1", "(2,)", {1})), "expected 2 bytes of data, but got 1");
  std::vector<uint8_t> other = npy("|u1", "(1,)", {1});
  const std::string key = "descr";
  *std::search(other.begin(), other.end(), key.begin(), key.end()) = 'x';
  has(npyError(other), "its header has no 'descr'");
}

TEST(Arrays, PairsOfNpy) {
  const TempDir dir;
  const std::string images = dir.write("i.npy", npy("|u1", "(2, 1, 2)", {1, 2, 3, 4}));
  const std::string labels = dir.write("l.npy", npy("<i4", "(2,)", {3, 0, 0, 0, 1, 0, 0, 0}));
  const auto data = openDataSet("arrays:" + images + "," + labels, Split::Train);
  EXPECT_EQ(data->size(), 2);
  EXPECT_EQ(data->channels, 1);
  EXPECT_EQ(data->label(0), 3);
  EXPECT_FALSE(data->hasParts);
  has(openError("arrays:" + images),
      "data set arrays: expected IMAGES.npy,LABELS.npy or a .safetensors file");
  has(openError("arrays:" + labels + "," + labels),
      ": expected images U8 [N, H, W, C] or [N, H, W], none of them 0, but got I32 [2]");
  has(openError("arrays:" + images + "," + images), ": expected labels U8, I32 or I64 [N]");
  const std::string bad = dir.write("b.npy", npy("<i4", "(1,)", {255, 255, 255, 255}));
  has(openError("arrays:" + images + "," + bad), ": label -1 of sample 0 is no class");
  const std::string one = dir.write("o.npy", npy("|u1", "(1,)", {0}));
  has(openError("arrays:" + images + "," + one), ": expected one label for each of the 2 images");
}

TEST(Arrays, SafetensorsWithBothParts) {
  const TempDir dir;
  SafetensorsWriter writer;
  const auto add = [&](const std::string &prefix, uint8_t value) {
    writer.add(prefix + "images", "U8", {1, 1, 1, 3}, [value](const SafetensorsWriter::Sink &sink) {
      const uint8_t pixels[3] = {value, value, value};
      sink(pixels, 3);
    });
    writer.addI32(prefix + "labels", {1}, {value});
  };
  add("", 5);
  add("test_", 6);
  writer.write(dir.file("a.safetensors"));
  const std::string spec = "arrays:" + dir.file("a.safetensors");
  EXPECT_EQ(openDataSet(spec, Split::Train)->label(0), 5);
  EXPECT_EQ(openDataSet(spec, Split::Test)->label(0), 6);
  EXPECT_TRUE(openDataSet(spec, Split::Test)->hasParts);
}
