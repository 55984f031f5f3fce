// SPDX-License-Identifier: Apache-2.0
//
// Packs: written, read, and damaged byte by byte.
#include "data/pack.h"

#include "data/data_sets.h"
#include "data/image_reader.h"
#include "data/pack_format.h"
#include "image_files.h"
#include "temp_dir.h"
#include "trf/crc32c.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace trrt;
using trrt_test::errorOf;
using trrt_test::plainBmp;
using trrt_test::TempDir;

namespace fs = std::filesystem;

namespace {

class Packs : public testing::Test {
protected:
  Packs() {
    for (const char *name : {"train/a", "train/b", "val/a", "val/b"})
      fs::create_directories(dir.file(name));
    dir.write("train/a/0.bmp", plainBmp(2, 3, 10, 20, 30));
    dir.write("train/b/1.bmp", plainBmp(4, 1, 11, 21, 31));
    dir.write("val/b/2.bmp", plainBmp(1, 1, 12, 22, 32));
    dir.write("val/a/3.bmp", plainBmp(1, 1, 13, 23, 33));
  }
  std::unique_ptr<DataSet> folder(Split split) const {
    return openDataSet("folder:" + dir.path(), split);
  }
  std::vector<uint8_t> packed() const {
    writePack(folder(Split::Train).get(), folder(Split::Test).get(), dir.file("p"), {});
    std::ifstream in(dir.file("p"), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string openError(const std::vector<uint8_t> &bytes) const {
    const std::string path = dir.write("damaged", bytes);
    return errorOf([&] {
      const auto data = openDataSet("pack:" + path, Split::Train);
      std::vector<uint8_t> buffer;
      for (int64_t i = 0; i < data->size(); ++i)
        data->picture(i, buffer);
    });
  }
  // With the checksums that the changed bytes have.
  static void seal(std::vector<uint8_t> &bytes) {
    PackHeader header;
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.indexOffset < bytes.size())
      header.indexChecksum =
          trf::crc32c(bytes.data() + header.indexOffset, bytes.size() - header.indexOffset);
    header.checksum = 0;
    header.checksum = trf::crc32c(&header, sizeof header);
    std::memcpy(bytes.data(), &header, sizeof header);
  }
  template <typename F> std::string headerError(F &&change) const {
    std::vector<uint8_t> bytes = packed();
    PackHeader header;
    std::memcpy(&header, bytes.data(), sizeof header);
    change(header);
    std::memcpy(bytes.data(), &header, sizeof header);
    seal(bytes);
    return openError(bytes);
  }

  TempDir dir;
};

void has(const std::string &error, const std::string &text) {
  EXPECT_NE(error.find(text), std::string::npos) << "got: " << error;
}

} // namespace

TEST_F(Packs, HoldTheFilesAsTheyAre) {
  const PackReport report =
      writePack(folder(Split::Train).get(), folder(Split::Test).get(), dir.file("p"), {});
  EXPECT_EQ(report.training, 2);
  EXPECT_EQ(report.validation, 2);
  EXPECT_EQ(report.bytes, fs::file_size(dir.file("p")));
  for (const Split split : {Split::Train, Split::Test}) {
    const auto original = folder(split), pack = openDataSet("pack:" + dir.file("p"), split);
    EXPECT_EQ(pack->classNames, original->classNames);
    EXPECT_TRUE(pack->hasParts);
    ASSERT_EQ(pack->size(), original->size());
    std::vector<uint8_t> a, b;
    for (int64_t i = 0; i < pack->size(); ++i) {
      EXPECT_EQ(pack->label(i), original->label(i));
      EXPECT_EQ(pack->picture(i, a).file, original->picture(i, b).file);
    }
  }
}

TEST_F(Packs, BadPicturesAreLeftOutOrEndIt) {
  dir.write("train/a/bad.png", {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0});
  const auto data = folder(Split::Train);
  has(errorOf([&] { writePack(data.get(), nullptr, dir.file("q"), {}); }),
      "train/a/bad.png: the file ends early");
  EXPECT_FALSE(fs::exists(dir.file("q")));
  std::vector<std::string> names;
  PackOptions options;
  options.onBad = [&](const std::string &name, const std::string &) {
    names.push_back(name);
    return true;
  };
  EXPECT_EQ(writePack(data.get(), nullptr, dir.file("q"), options).leftOut, 1);
  EXPECT_EQ(names, std::vector<std::string>{dir.file("train/a/bad.png")});
  EXPECT_EQ(openDataSet("pack:" + dir.file("q"), Split::Test)->size(), 2); // its only part
}

TEST_F(Packs, AFileThatChangesWhileItIsPacked) {
  PackOptions options;
  const auto data = folder(Split::Train);
  dir.write("train/b/2.bmp", {'B', 'M'});
  const auto withBad = folder(Split::Train);
  options.onBad = [&](const std::string &, const std::string &) {
    dir.write("train/a/0.bmp", plainBmp(2, 3, 1, 2, 3));
    return true;
  };
  has(errorOf([&] { writePack(withBad.get(), nullptr, dir.file("q"), options); }),
      "train/a/0.bmp: it changed while it was packed");
}

TEST_F(Packs, PixelsAreNoFiles) {
  const std::vector<uint8_t> record(3073);
  dir.write("test_batch.bin", record);
  const auto data = openDataSet("cifar10:" + dir.path(), Split::Test);
  has(errorOf([&] { writePack(nullptr, data.get(), dir.file("q"), {}); }),
      "a pack holds image files, but this data set has pixels");
}

TEST_F(Packs, Damage) {
  const std::vector<uint8_t> good = packed();
  EXPECT_EQ(openError(good), "");
  for (size_t at = 0; at < good.size(); ++at) {
    std::vector<uint8_t> bytes = good;
    bytes[at] ^= 0x40;
    // Training alone is read here; nobody looks at pictures of the other part.
    EXPECT_TRUE(!openError(bytes).empty() || at > sizeof(PackHeader) + 100) << "byte " << at;
  }
  for (size_t size = 0; size < good.size(); size += 7)
    EXPECT_NE(openError({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}), "");
  has(openError({}), ": not a pack: it is empty");
  has(openError({1}), ": not a valid pack: it is shorter than a header");
  has(openError(std::vector<uint8_t>(100)), "it does not begin as one");
}

TEST_F(Packs, FieldsWithTheRightChecksum) {
  EXPECT_EQ(headerError([](PackHeader &) {}), "");
  has(headerError([](PackHeader &h) { h.version = 2; }), "expected version 1, but got 2");
  has(headerError([](PackHeader &h) { h.fileBytes += 1; }), "bytes, but got");
  has(headerError([](PackHeader &h) { h.count = ~uint64_t{0} / 24; }), "its index leaves the file");
  has(headerError([](PackHeader &h) { h.indexOffset = ~uint64_t{0}; }),
      "its index leaves the file");
  std::vector<uint8_t> bytes = packed();
  bytes[20] ^= 1;
  has(openError(bytes), "its header does not have its checksum");
  bytes = packed();
  bytes.back() ^= 1;
  has(openError(bytes), "its index does not have its checksum");
  bytes = packed();
  bytes[sizeof(PackHeader)] ^= 1;
  has(openError(bytes), "its bytes do not have their checksum: the pack is damaged");
  bytes = packed();
  PackHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const uint64_t far = ~uint64_t{0} - 8;
  std::memcpy(bytes.data() + header.indexOffset, &far, sizeof far);
  seal(bytes);
  has(openError(bytes), "an entry of its index leaves the file");
  has(headerError([](PackHeader &h) {
        h.count = 0;
        h.nameBytes += 4 * sizeof(PackEntry);
      }),
      "it holds no picture");
}
