// SPDX-License-Identifier: Apache-2.0
//
// safetensors: what is written reads back, and nothing else is accepted.
#include "io/file.h"
#include "io/safetensors.h"
#include "io/safetensors_stream.h"
#include "io/safetensors_writer.h"
#include "temp_dir.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <thread>

using namespace trrt;
using trrt_test::errorOf;
using trrt_test::TempDir;

static std::vector<uint8_t> fileOf(const std::string &header, size_t dataBytes,
                                   uint64_t headerBytes = ~uint64_t{0}) {
  if (headerBytes == ~uint64_t{0})
    headerBytes = header.size();
  std::vector<uint8_t> bytes;
  for (int i = 0; i < 8; ++i)
    bytes.push_back(static_cast<uint8_t>(headerBytes >> (8 * i)));
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.resize(bytes.size() + dataBytes, 0);
  return bytes;
}

static std::string parseError(const std::vector<uint8_t> &bytes) {
  return errorOf([&] { SafetensorsFile::parse(bytes, "x.safetensors"); });
}

static SafetensorsWriter sample() {
  SafetensorsWriter writer;
  writer.addMetadata("format", "pt");
  writer.addF32("b", {2, 1}, {1.5f, -2.0f});
  writer.addF32("a", {}, {7.0f});
  writer.addI32("c", {3}, {1, -1, 5});
  writer.addF32("empty", {0, 4}, {});
  return writer;
}

TEST(Safetensors, RoundTrip) {
  const TempDir dir;
  sample().write(dir.file("w.safetensors"));
  EXPECT_EQ(dir.entries(), std::vector<std::string>{"w.safetensors"});
  EXPECT_EQ(readFile(dir.file("w.safetensors")), sample().serialize());
  const SafetensorsFile file = SafetensorsFile::read(dir.file("w.safetensors"));
  EXPECT_EQ(file.tensors().size(), 4u);
  EXPECT_EQ(file.f32("b"), (std::vector<float>{1.5f, -2.0f}));
  EXPECT_EQ(file.f32("a"), std::vector<float>{7.0f});
  EXPECT_EQ(file.tensor("a").shape, std::vector<int64_t>{});
  EXPECT_EQ(file.i32("c"), (std::vector<int32_t>{1, -1, 5}));
  EXPECT_EQ(file.tensor("empty").shape, (std::vector<int64_t>{0, 4}));
  EXPECT_EQ(file.metadata().at("format"), "pt");
}

TEST(Safetensors, DataIsAligned) {
  const std::vector<uint8_t> bytes = sample().serialize();
  uint64_t header = 0;
  std::memcpy(&header, bytes.data(), 8);
  EXPECT_EQ((header + 8) % 64, 0u);
}

TEST(Safetensors, WrongTypeAndMissingNameAreNamed) {
  const SafetensorsFile file = SafetensorsFile::parse(sample().serialize(), "x");
  EXPECT_NE(errorOf([&] { file.f32("c"); }).find("expected F32, but got I32"), std::string::npos);
  EXPECT_NE(errorOf([&] { file.i32("b"); }).find("'b': expected I32 or I64, but got F32"),
            std::string::npos);
  EXPECT_NE(
      errorOf([&] { file.tensor("empti"); }).find(": no tensor 'empti'; did you mean 'empty'"),
      std::string::npos);
}

TEST(Safetensors, I64IsNarrowedWithACheck) {
  std::vector<uint8_t> bytes =
      fileOf(R"({"l":{"dtype":"I64","shape":[2],"data_offsets":[0,16]}})", 16);
  const int64_t good[2] = {-5, 7};
  std::memcpy(bytes.data() + bytes.size() - 16, good, 16);
  EXPECT_EQ(SafetensorsFile::parse(bytes, "x").i32("l"), (std::vector<int32_t>{-5, 7}));
  const int64_t bad[2] = {0, int64_t{1} << 31};
  std::memcpy(bytes.data() + bytes.size() - 16, bad, 16);
  const SafetensorsFile file = SafetensorsFile::parse(bytes, "x");
  EXPECT_NE(errorOf([&] { file.i32("l"); }).find("value 2147483648 does not fit 32 bits"),
            std::string::npos);
}

TEST(Safetensors, AcceptsWhatTheFormatAllows) {
  EXPECT_EQ(parseError(fileOf("{}", 0)), "");
  EXPECT_EQ(parseError(fileOf("{}    ", 0)), "");
  EXPECT_EQ(parseError(fileOf(R"({"__metadata__":{},"a":{"shape":[],"dtype":"F64",)"
                              R"("data_offsets":[0,8]}})",
                              8)),
            "");
  // Order in the header is free.
  EXPECT_EQ(parseError(fileOf(R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[2,5]},)"
                              R"("b":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}})",
                              5)),
            "");
}

struct BadHeader {
  const char *header;
  size_t dataBytes;
  const char *expected;
};

class SafetensorsBad : public testing::TestWithParam<BadHeader> {};

TEST_P(SafetensorsBad, IsRefused) {
  const std::string error = parseError(fileOf(GetParam().header, GetParam().dataBytes));
  EXPECT_NE(error.find(GetParam().expected), std::string::npos) << "got: " << error;
  EXPECT_EQ(error.find("x.safetensors: not a valid safetensors file: "), 0u) << error;
}

INSTANTIATE_TEST_SUITE_P(
    Headers, SafetensorsBad,
    testing::Values(
        BadHeader{" {}", 0, "the header does not start with '{'"},
        BadHeader{"[]", 0, "does not start"}, BadHeader{"{", 0, "not valid JSON"},
        BadHeader{"{} x", 0, "not valid JSON"}, BadHeader{"{\"a\xff\":{}}", 0, "not valid JSON"},
        BadHeader{R"({"a":1})", 0, "an unexpected number"},
        BadHeader{R"({"a":null})", 0, "an unexpected null"},
        BadHeader{R"({"a":true})", 0, "an unexpected boolean"},
        BadHeader{R"({"a":[]})", 0, "an unexpected list"},
        BadHeader{R"({"a":{}})", 0, "no field 'dtype'"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[1]}})", 4, "no field 'data_offsets'"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":1}})", 4,
                  "an unknown field 'x'"},
        BadHeader{R"({"a":{"dtype":"F32","dtype":"F32"}})", 4, "the field 'dtype' twice"},
        BadHeader{R"({"a":{"dtype":"F32","shape":{"x":1}}})", 4, "an unexpected object"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[[1]]}})", 4, "an unexpected list"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[-1]}})", 4, "a negative number"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[1.0]}})", 4,
                  "a number that is not an unsigned integer"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[99999999999999999999]}})", 4,
                  "not an unsigned integer"},
        BadHeader{R"({"a":{"dtype":"F32","shape":["1"]}})", 4, "an unexpected string"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1]}})", 4,
                  "an unexpected number"},
        BadHeader{R"({"a":{"dtype":"F31","shape":[1],"data_offsets":[0,4]}})", 4, "dtype 'F31'"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0]}})", 4, "2 numbers"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}})", 4, "number"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4, "needs 8 bytes"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4, "outside"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 4, "outside"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})",
                  0, "overflows"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,0]}})", 0,
                  "overflows"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", 8, "hole"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 5, "1 bytes after"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                  R"("b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                  4, "overlap"},
        BadHeader{R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                  R"("a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                  2, "a second entry"},
        BadHeader{R"({"__metadata__":{"a":1}})", 0, "number"},
        BadHeader{R"({"__metadata__":{"a":{}}})", 0, "object"},
        BadHeader{R"({"__metadata__":{"a":"x","a":"y"}})", 0, "the key 'a' twice"},
        BadHeader{R"({"__metadata__":{},"__metadata__":{}})", 0, "a second entry"},
        BadHeader{R"({"__metadata__":"x"})", 0, "string"}));

TEST(Safetensors, BadLengths) {
  const std::string start = "x.safetensors: not a valid safetensors file: ";
  EXPECT_EQ(parseError({}), start + "expected at least 8 bytes, but got 0");
  EXPECT_EQ(parseError({1, 2, 3}), start + "expected at least 8 bytes, but got 3");
  EXPECT_EQ(parseError(fileOf("{}", 0, 3)), start + "a header of 3 bytes in a file of 10");
  EXPECT_NE(parseError(fileOf("{}", 0, 0)), "");
  EXPECT_NE(parseError(fileOf("{}", 0, ~uint64_t{1})), "");
  EXPECT_NE(parseError(fileOf("{}", 0, 100000001)), "");
}

TEST(Safetensors, NamesHaveALimitAndAreWrittenOnce) {
  const std::string entry = R"(":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
  EXPECT_EQ(parseError(fileOf("{\"" + std::string(1024, 'n') + entry, 1)), "");
  EXPECT_NE(parseError(fileOf("{\"" + std::string(1025, 'n') + entry, 1))
                .find("the header has a name of more than 1024 bytes at 'nnn"),
            std::string::npos);
  SafetensorsWriter writer = sample();
  EXPECT_EQ(errorOf([&] { writer.addF32("a", {}, {1.0f}); }), "tensor 'a' is written twice");
}

TEST(Safetensors, DeepNestingIsRefused) {
  EXPECT_NE(parseError(fileOf(R"({"a":)" + std::string(1000000, '['), 0)), "");
  std::string objects = "{";
  for (int i = 0; i < 100000; ++i)
    objects += R"("a":{)";
  EXPECT_NE(parseError(fileOf(objects, 0)), "");
}

// No byte of a good file can be changed into a crash.
TEST(Safetensors, EveryFlippedByteIsHandled) {
  const std::vector<uint8_t> good = sample().serialize();
  for (size_t at = 0; at < good.size(); ++at)
    for (const uint8_t flip : {0x01, 0x20, 0x80, 0xff}) {
      std::vector<uint8_t> bad = good;
      bad[at] ^= flip;
      errorOf([&] {
        const SafetensorsFile file = SafetensorsFile::parse(bad, "x");
        for (const auto &item : file.tensors())
          EXPECT_LE(item.second.bytes, bad.size());
      });
    }
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_NE(parseError({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}), "");
}

TEST(Safetensors, ControlCharactersOfNamesAreEscaped) {
  const std::string error = parseError(
      fileOf("{\"a\\u001b[31m\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,3]}}", 4));
  EXPECT_EQ(error.find('\x1b'), std::string::npos);
  EXPECT_NE(error.find("a\\x1b[31m"), std::string::npos) << error;
}

// ---- tensor by tensor

TEST(SafetensorsWriter, AMakerGivesWhatTheShapeNeeds) {
  SafetensorsWriter writer;
  writer.add("a", "F32", {3}, [](const SafetensorsWriter::Sink &sink) {
    const float values[] = {1, 2, 3};
    sink(values, 4);
    sink(values + 1, 8);
  });
  writer.addChecksums();
  const SafetensorsFile file = SafetensorsFile::parse(writer.serialize(), "x");
  EXPECT_EQ(file.f32("a"), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(file.metadata().at("crc32c.a").size(), 8u);
  SafetensorsWriter wrong;
  wrong.add("a", "F32", {3}, [](const SafetensorsWriter::Sink &sink) { sink("1234", 4); });
  EXPECT_EQ(errorOf([&] { wrong.serialize(); }), "tensor 'a' has 4 bytes, but its shape needs 12");
}

TEST(SafetensorsStream, ReadsInTheOrderOfTheData) {
  const TempDir dir;
  const std::string path = dir.file("x");
  sample().write(path);
  SafetensorsStream stream(path);
  std::vector<float> b(2);
  stream.seek(stream.tensor("b"));
  stream.read(b.data(), 8);
  EXPECT_EQ(b, (std::vector<float>{1.5f, -2.0f}));
  EXPECT_EQ(errorOf([&] { stream.seek(stream.tensor("a")); }),
            "the stream is already behind the tensor");
  EXPECT_EQ(errorOf([&] { stream.tensor("bb"); }), path + ": no tensor 'bb'");
  stream.finish();
}

TEST(SafetensorsStream, FilesThatEndEarlyOrLate) {
  const TempDir dir;
  const std::vector<uint8_t> good = sample().serialize();
  for (size_t size = 0; size < good.size(); ++size) {
    const std::string path =
        dir.write("x", {good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)});
    EXPECT_NE(errorOf([&] { SafetensorsStream stream(path); }), "") << size;
  }
  // Through a pipe the size is not known before the end.
  const auto piped = [&](const std::vector<uint8_t> &bytes) {
    const std::string path = dir.file("pipe");
    unlink(path.c_str());
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    std::thread writer([&] { dir.write("pipe", bytes); });
    const std::string error = errorOf([&] { SafetensorsStream(path).finish(); });
    writer.join();
    return error;
  };
  EXPECT_EQ(piped(good), "");
  const std::string start = dir.file("pipe") + ": not a valid safetensors file: ";
  EXPECT_EQ(piped({good.begin(), good.begin() + 40}), start + "the file ends within the header");
  EXPECT_EQ(piped({good.begin(), good.end() - 1}), start + "the file ends within the data");
  std::vector<uint8_t> more = good;
  more.push_back(0);
  EXPECT_EQ(piped(more), start + "there are bytes after the last tensor");
}

TEST(ReadFile, BadSources) {
  const TempDir dir;
  EXPECT_NE(errorOf([&] {
              readFile(dir.file("none"));
            }).find("cannot open '" + dir.file("none") + "': No such file"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { readFile(dir.path()); }).find("cannot read '" + dir.path() + "': "),
            std::string::npos);
  EXPECT_TRUE(readFile(dir.write("empty", {})).empty());
}
