// SPDX-License-Identifier: Apache-2.0
//
// Weight files that are damaged, differently named, or large.
#include "io/file.h"
#include "session/weight_names.h"
#include "session/weights.h"
#include "tr_run.h"

#include <chrono>
#include <limits>

using namespace trf;
using namespace trrt;
using trrt_test::errorOf;
using trrt_test::Outcome;

namespace {

using Weights = trrt_test::TrRun;

WeightsMap mapOf(const std::string &text) { return WeightsMap(text, "names.map"); }

std::string applied(const WeightsMap &map, const std::string &name) {
  return map.apply(name).value_or("(ignored)");
}

TEST(WeightsMap, TheFirstLineThatFitsCounts) {
  const WeightsMap map = mapOf("# torchvision's names\n"
                               "\n"
                               "conv1.weight -> 0.conv.weight  # the stem\r\n"
                               "layer{a}.{b}.conv{c}.weight -> {a}.{b}.conv{c}.weight\n"
                               "fc.{x}->head.{x}\n"
                               "{any}.num_batches_tracked -> ignore\n"
                               "module.{name} -> {name}\n"
                               "twice.{n} -> {n}.{n}\n");
  const std::vector<std::pair<const char *, const char *>> rows = {
      {"conv1.weight", "0.conv.weight"},
      {"layer2.10.conv3.weight", "2.10.conv3.weight"},
      {"fc.bias", "head.bias"},
      {"layer1.bn.num_batches_tracked", "(ignored)"},
      {"module.fc.bias", "fc.bias"}, // the name on the right is not mapped again
      {"twice.a", "a.a"},
      {"module.", "module."}, // a capture is one character or more
      {"xconv1.weight", "xconv1.weight"},
      {"other", "other"},
  };
  for (const auto &[from, to] : rows)
    EXPECT_EQ(applied(map, from), to);
}

TEST(WeightsMap, CapturesTakeAsLittleAsTheyCan) {
  EXPECT_EQ(applied(mapOf("{a}.{b} -> {b}/{a}"), "x.y.z"), "y.z/x");
  EXPECT_EQ(applied(mapOf("{a}.w -> {a}"), "x.w.w"), "x.w");
  EXPECT_EQ(applied(mapOf("a{x}a -> {x}"), "aa"), "aa");
}

TEST(WeightsMap, Errors) {
  const std::vector<std::pair<const char *, const char *>> rows = {
      {"a", "names.map:1: expected 'pattern -> pattern' or 'pattern -> ignore', but got 'a'"},
      {"\na b -> c", "names.map:2: expected a name or a pattern without spaces, but got 'a b'"},
      {"-> c", "names.map:1: expected a name or a pattern without spaces, but got ''"},
      {"a -> ", "names.map:1: expected a name or a pattern without spaces, but got ''"},
      {"{a -> c", "names.map:1: expected letters and digits between '{' and '}', but got '{a'"},
      {"{} -> c", "names.map:1: expected letters and digits between '{' and '}', but got '{}'"},
      {"a} -> c", "names.map:1: expected a '{' before '}'"},
      {"{a}{b} -> c", "names.map:1: expected a text between {a} and {b}"},
      {"{a}.{a} -> c", "names.map:1: expected each capture once on the left, but got {a} twice"},
      {"{a} -> {b}", "names.map:1: expected a capture of the left side, but got {b}"},
  };
  for (const auto &[text, error] : rows)
    EXPECT_EQ(errorOf([text = text] { mapOf(text); }), error);
}

// ---- many tensors

std::vector<Param> manyParams(size_t count) {
  std::vector<Param> params(count);
  for (size_t i = 0; i < count; ++i)
    params[i].name =
        std::to_string(i / 5) + ".bn." +
        std::vector<const char *>{"weight", "bias", "running_mean", "running_var", "scale"}[i % 5];
  return params;
}

SafetensorsFile fileOf(const std::vector<Param> &params, const std::string &prefix,
                       bool withCounters) {
  SafetensorsWriter writer;
  for (size_t i = 0; i < params.size(); ++i) {
    writer.addF32(prefix + params[i].name, {1}, {1.0f});
    if (withCounters && i % 5 == 0)
      writer.addI32(prefix + std::to_string(i / 5) + ".bn.num_batches_tracked", {}, {1});
  }
  return SafetensorsFile::parse(writer.serialize(), "w");
}

// Six thousand names cost no more than reading them; far less than a second here.
TEST(WeightNames, SixThousandTensors) {
  const std::vector<Param> params = manyParams(6000);
  const auto start = std::chrono::steady_clock::now();

  const WeightNames good = matchNames(fileOf(params, "", true), params, {});
  EXPECT_EQ(good.differences, "");
  EXPECT_EQ(good.notes,
            std::vector<std::string>{"note: w: 1200 tensors num_batches_tracked are ignored"});

  const SafetensorsFile module = fileOf(params, "module.", true);
  const WeightNames prefixed = matchNames(module, params, {});
  EXPECT_NE(prefixed.differences.find("missing '0.bn.weight'"), std::string::npos);
  EXPECT_NE(
      prefixed.differences.find(" and 5997 more; its names begin with 'module.', and the line "
                                "'module.{name} -> {name}' of a weights map takes that away"),
      std::string::npos)
      << prefixed.differences;
  EXPECT_EQ(matchNames(module, params, mapOf("module.{name} -> {name}")).differences, "");

  const WeightNames foreign = matchNames(fileOf(manyParams(6000), "x_", false), params, {});
  EXPECT_LT(foreign.differences.size(), 500u);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 5.0);
}

TEST(WeightNames, AMapThatMakesOneNameOfTwo) {
  const std::vector<Param> params = manyParams(1);
  EXPECT_EQ(errorOf([&] {
              matchNames(fileOf(manyParams(2), "", false), params, mapOf("{x}.bias -> {x}.weight"));
            }),
            "w: the map makes both '0.bn.bias' and '0.bn.weight' '0.bn.weight'");
}

// ---- damage

void flip(const std::string &path, size_t fromEnd) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(-static_cast<std::streamoff>(fromEnd), std::ios::end);
  const char byte = static_cast<char>(file.get() ^ 1);
  file.seekp(-static_cast<std::streamoff>(fromEnd), std::ios::end);
  file.put(byte);
}

TEST_F(Weights, AFlippedBitIsNamed) {
  ASSERT_EQ(run("train x.plan --dataset synthetic --epochs 1 --device reference --save w").code, 0);
  const std::string eval = "eval x.plan --dataset synthetic --device reference --weights ";
  EXPECT_EQ(run(eval + "w").code, 0);
  flip(dir.file("w"), 3);
  expect(eval + "w", 1, "w: tensor '0.fc.weight': its values do not have the checksum");
}

void writeWeights(const std::string &path, float value, bool checksums) {
  SafetensorsWriter writer;
  std::vector<float> weight(48);
  weight[7] = value;
  writer.addF32("0.fc.weight", {4, 12}, weight);
  writer.addF32("0.fc.bias", {4}, std::vector<float>(4));
  if (checksums)
    writer.addChecksums();
  writer.write(path);
}

TEST_F(Weights, NonFiniteValuesNeedAChecksum) {
  const std::string eval = "eval x.plan --dataset synthetic --device reference --weights ";
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    writeWeights(dir.file("w"), value, false);
    expect(eval + "w", 1, "w: tensor '0.fc.weight': value 7 is not finite");
    writeWeights(dir.file("w"), value, true);
    const Outcome json = run(eval + "w --json"), text = run(eval + "w");
    EXPECT_EQ(json.code, 0) << json.output;
    EXPECT_NE(json.output.find("\"loss\": null"), std::string::npos) << json.output;
    EXPECT_NE(text.output.find("loss nan "), std::string::npos) << text.output;
  }
}

TEST_F(Weights, AMapOnTheCommandLine) {
  SafetensorsWriter writer;
  writer.addF32("module.head.weight", {4, 12}, std::vector<float>(48));
  writer.addF32("module.head.bias", {4}, std::vector<float>(4));
  writer.addF32("module.old", {1}, {0});
  writer.write(dir.file("w"));
  const std::string map = "module.old -> ignore\nmodule.head.{x} -> 0.fc.{x}\n";
  dir.write("names", {map.begin(), map.end()});
  const std::string eval = "eval x.plan --dataset synthetic --device reference ";
  expect(eval + "--weights w", 1, "does not fit the plan: missing '0.fc.weight'");
  EXPECT_EQ(run(eval + "--weights w --weights-map names").code, 0);
  expect("train x.plan --dataset synthetic --epochs 1 --weights-map names", 2,
         "option '--weights-map' needs --weights");
}

// ---- other kinds of files

TEST_F(Weights, FilesOfAnotherKindAreNamed) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16), "it is a PNG image"},
      {std::string("\x93NUMPY\x01\0v\0{'descr'", 18),
       "it is a NumPy array; save it as safetensors"},
      {std::string("PK\x03\x04\x14\0\0\0\0\0\0\0", 12), "it is a zip archive"},
      {std::string("\x80\x02}q\0", 5), "it is a Python pickle"},
      {"hello", "it is text"},
  };
  for (const auto &[content, expected] : rows) {
    dir.write("other", {content.begin(), content.end()});
    const std::string error = ": not a valid safetensors file: " + expected;
    expect("eval x.plan --dataset synthetic --weights other", 1, "other" + error);
    writeWeights(dir.file("w"), 0, true);
    expect("infer x.plan --weights w --input other --output out", 1, "other" + error);
    expect("step x.plan --input other --output out", 1, "other" + error);
    expect("inspect other", 1, "other: not a plan file: it is ");
  }
  expect("eval x.plan --dataset synthetic --weights x.plan", 1, "it is a plan; tr-run runs it");
}

} // namespace
