// SPDX-License-Identifier: Apache-2.0
//
// Numbers at the end of their range, in every option that takes one: from the tables that tr-run
// parses by, so that a new option falls under it.
#include "../../tools/tr-run/cli.h"
#include "session/scalar_limits.h"
#include "tr_run.h"
#include "trf/regions.h"
#include "trrt/session.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

using namespace trf;
using namespace trrt;

namespace {

using Numbers = trrt_test::TrRun;
using trrt_test::Outcome;

// ---- scalars

struct ScalarRow {
  SharedTensor scalar;
  std::vector<double> good, bad;
};
const double kNaN = std::numeric_limits<double>::quiet_NaN();
const double kInfinity = std::numeric_limits<double>::infinity();

std::vector<ScalarRow> scalarRows() {
  const std::vector<double> never = {kNaN, kInfinity, -kInfinity, 1e39, 1e-50, 1e-40, -1e-3};
  const auto with = [&](std::vector<double> more) {
    more.insert(more.end(), never.begin(), never.end());
    return more;
  };
  return {
      {SharedTensor::Lr, {0, 1e-3, 3e38, 1.2e-38}, never},
      {SharedTensor::WeightDecay, {0, 1e-3, 3e38}, never},
      {SharedTensor::BiasWeightDecay, {0, 1e-3, 3e38}, never},
      {SharedTensor::Momentum, {0, 0.9, 0.9999999}, with({1, 0.99999999999, 2})},
      {SharedTensor::Beta1, {0, 0.9, 0.9999999}, with({1, 0.99999999999, 2})},
      {SharedTensor::Beta2, {0, 0.999, 0.9999999}, with({1, 0.99999999999, 2})},
      {SharedTensor::LabelSmoothing, {0, 0.1}, with({1, 0.99999999999, 2})},
      {SharedTensor::AdamEps, {1e-8, 1.2e-38, 1}, with({0})},
  };
}

TEST(ScalarLimits, EveryScalarInFp32) {
  for (const ScalarRow &row : scalarRows()) {
    float narrowed = -1;
    for (const double value : row.good)
      EXPECT_FALSE(checkScalar(name(row.scalar), value, narrowed)) << name(row.scalar) << value;
    for (const double value : row.bad)
      EXPECT_TRUE(checkScalar(name(row.scalar), value, narrowed)) << name(row.scalar) << value;
  }
  float narrowed = 0;
  EXPECT_EQ(checkScalar("beta1", 0.99999999999, narrowed)->reason, "it is 1 in FP32");
  EXPECT_EQ(checkScalar("lr", 1e39, narrowed)->reason, "it is infinite in FP32");
  EXPECT_EQ(checkScalar("adam_eps", 1e-50, narrowed)->reason, "it is 0 in FP32");
}

TEST(ScalarLimits, ThroughTheCInterface) {
  const std::vector<uint8_t> bytes = test::bytesOf(test::regressionDraft());
  trrt_plan_t *plan = nullptr;
  trrt_session_t *session = nullptr;
  const trrt_session_options_t options = {"reference", 1, 0};
  ASSERT_EQ(trrt_plan_load_bytes(bytes.data(), bytes.size(), &plan).code, TRRT_OK);
  ASSERT_EQ(trrt_session_create(plan, &options, &session).code, TRRT_OK);
  ASSERT_EQ(trrt_session_set_scalar(session, "lr", 0.25).code, TRRT_OK);
  for (const double value : {kNaN, kInfinity, 1e39, 1e-50, -1.0})
    EXPECT_EQ(trrt_session_set_scalar(session, "lr", value).code, TRRT_INVALID_ARGUMENT) << value;
  EXPECT_STREQ(trrt_session_set_scalar(session, "lr", kNaN).message,
               "scalar 'lr': expected a number not below 0, but got nan: it is not a number");
  double value = 0;
  EXPECT_EQ(trrt_session_get_scalar(session, "lr", &value).code, TRRT_OK);
  EXPECT_EQ(value, 0.25);
  trrt_session_destroy(session);
  trrt_plan_destroy(plan);
}

// ---- options

// A valid rest of each command line.
std::string commandLine(const std::string &command) {
  const std::string data = command == "train"   ? " --dataset synthetic --epochs 1"
                           : command == "eval"  ? " --dataset synthetic --weights w"
                           : command == "infer" ? " --weights w --input batch --output out"
                           : command == "step"  ? " --input batch --output out"
                           : command == "bench" ? " --mode train --steps 1"
                                                : "";
  return command + " x.plan" + data + (command == "inspect" ? "" : " --device reference");
}

bool takesNumber(const trrun::Option &option) {
  // The table names a number by one capital letter.
  return option.value && std::string(option.value).size() == 1 &&
         std::string(option.name) != "--schedule" && std::string(option.name) != "--mode" &&
         !(std::string(option.name) == "--variant");
}

std::string withOption(const std::string &command, const std::string &option,
                       const std::string &value) {
  std::string line = commandLine(command);
  const size_t at = line.find(option + " ");
  if (at != std::string::npos)
    line.erase(at, line.find(' ', at + option.size() + 1) - at);
  return line + " " + option + " " + value;
}

TEST_F(Numbers, EveryOptionIsDecimalAndFinite) {
  writeBatch("batch", 3, {0, 3, 1});
  ASSERT_EQ(run("train x.plan --dataset synthetic --epochs 1 --device reference --save w").code, 0);
  size_t options = 0;
  for (const trrun::Command &command : trrun::commands())
    for (const trrun::Option &option : command.options) {
      if (!takesNumber(option))
        continue;
      ++options;
      for (const char *bad : {"0x4", "nan", "inf", "1e999", "one", "''", "1,5", "' 1'"}) {
        const Outcome outcome = run(withOption(command.name, option.name, bad));
        EXPECT_EQ(outcome.code, 2) << command.name << " " << option.name << " " << bad << "\n"
                                   << outcome.output;
        EXPECT_NE(outcome.output.find(std::string("option '") + option.name + "'"),
                  std::string::npos)
            << outcome.output;
      }
    }
  EXPECT_GT(options, 20u);
}

TEST_F(Numbers, ZerosInFrontDoNotCount) {
  const Outcome trained = run("train x.plan --dataset synthetic --epochs 08 --device reference "
                              "--json --lr 0.001");
  EXPECT_EQ(trained.code, 0);
  EXPECT_NE(trained.output.find("\"epoch\": 8,"), std::string::npos);
  expect("train x.plan --dataset synthetic --epochs 0x8", 2,
         "but got '0x8': it is hexadecimal, and numbers are decimal");
}

TEST_F(Numbers, ScalarsOfTheCommandLine) {
  const std::string train = "train x.plan --dataset synthetic --epochs 1 --device reference ";
  expect(train + "--lr 1e39", 2,
         "option '--lr' expects a number not below 0, but got '1e39': it is infinite in FP32");
  expect(
      train + "--momentum 0.99999999999", 2,
      "option '--momentum' expects a number in [0, 1), but got '0.99999999999': it is 1 in FP32");
  expect(train + "--weight-decay 1e-50", 2, "it is 0 in FP32");
}

// ---- what becomes of runs that diverge

TEST_F(Numbers, WeightsThatAreNotFiniteAreNotSaved) {
  const std::string train = "train x.plan --dataset synthetic --epochs 3 --device reference "
                            "--lr 3e38 --momentum 0.9 --json --save w ";
  const Outcome lost = run(train);
  EXPECT_EQ(lost.code, 1) << lost.output;
  EXPECT_NE(lost.output.find("error: the training diverged: '0.fc."), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(dir.file("w")));
  EXPECT_EQ(run(train + "--save-anyway").code, 1);
  EXPECT_TRUE(std::filesystem::exists(dir.file("w")));
  const Outcome evaluated =
      run("eval x.plan --dataset synthetic --weights w --device reference --json");
  EXPECT_EQ(evaluated.code, 0) << evaluated.output;
  EXPECT_TRUE(nlohmann::json::parse(evaluated.output)["loss"].is_null());
  EXPECT_EQ(run("eval x.plan --dataset synthetic --weights w --device reference").output.find('-'),
            std::string::npos);
}

TEST_F(Numbers, InferenceFollowsTheRuleOfKernels) {
  SafetensorsWriter weights, input;
  std::vector<float> weight(48);
  weight[12 * 2] = std::numeric_limits<float>::quiet_NaN(); // of class 2
  weights.addF32("0.fc.weight", {4, 12}, weight);
  weights.addF32("0.fc.bias", {4}, {9, 1, 2, 3});
  weights.addChecksums();
  weights.write(dir.file("w"));
  writeBatch("batch", 5, {0, 1, 2, 3, 0});
  const Outcome outcome =
      run("infer x.plan --device reference --weights w --input batch --output out");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output, "warning: 5 of 5 samples have logits that are not finite\n");
  EXPECT_EQ(SafetensorsFile::read(dir.file("out")).i32("predicted"), std::vector<int32_t>(5, 2));
}

TEST_F(Numbers, InferenceOfNoSampleAndOfBytes) {
  ASSERT_EQ(run("train x.plan --dataset synthetic --epochs 1 --device reference --save w").code, 0);
  const std::string infer = "infer x.plan --device reference --weights w --input in --output out";
  SafetensorsWriter none, bytes;
  none.addF32("input", {0, 2, 3, 2}, {});
  none.write(dir.file("in"));
  EXPECT_EQ(run(infer).output, "");
  EXPECT_EQ(SafetensorsFile::read(dir.file("out")).tensor("logits").shape,
            (std::vector<int64_t>{0, 4}));
  std::vector<float> pixels(24);
  for (size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<float>(i * 11);
  bytes.addF32("input", {2, 2, 3, 2}, pixels);
  bytes.write(dir.file("in"));
  const Outcome outcome = run(infer);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.output.find("warning: in: the pixels are whole numbers up to 253; expected"),
            std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("from -0.81 to 2.02"), std::string::npos) << outcome.output;
  SafetensorsWriter integers;
  integers.addI32("input", {1, 2, 3, 2}, std::vector<int32_t>(12));
  integers.write(dir.file("integers"));
  expect("infer x.plan --device reference --weights w --input integers --output no", 1,
         "integers: tensor 'input': expected F32, but got I32");
  // The same through a pipe.
  EXPECT_EQ(shell("mkfifo p; cat in > p & '" TR_RUN_PATH "' infer x.plan --device reference "
                  "--weights w --input p --output - 2>/dev/null | cmp - out; wait")
                .output,
            "");
}

} // namespace
