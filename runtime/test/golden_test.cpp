// SPDX-License-Identifier: Apache-2.0
//
// Plans that earlier builds wrote: those of this format still load and compute what they
// computed then, those of another one are refused by name.
#include "device/devices.h"
#include "session/session.h"
#include "trf/plan_format.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

using namespace trf;
using namespace trrt;

namespace {

struct Golden {
  const char *model;
  size_t parameters;
  uint64_t arenaBytes;
  std::vector<double> losses; // of one step of each variant, in their order
};

// What the build that wrote the file v2-MODEL.plan printed.
const Golden kGoldens[] = {
    {"residual", 22, 86272, {1.7973027, 1.5610880, 1.7567893, 1.4138204, 1.6472440, 1.3130339}},
    {"perceptron", 4, 27648, {1.1287338, 1.1287338, 1.1287338, 1.1287338, 1.1287338, 1.1287338}},
};

std::string pathOf(const std::string &name) { return std::string(TR_GOLDEN_DIR) + "/" + name; }

std::string pathOf(const Golden &golden) {
  return pathOf("v" + std::to_string(TRF_FORMAT_MAJOR) + "-" + golden.model + ".plan");
}

std::vector<uint8_t> readFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

void fillInput(const Session &session, uint32_t variant) {
  const Variant &v = session.plan().variants[variant];
  const InputHalf &half = session.input(Half::A);
  for (int64_t i = 0; i < v.batch * v.height * v.width * v.channels; ++i)
    half.images[i] = static_cast<float>((i * 37) % 101) / 50.0f - 1.0f;
  for (int64_t i = 0; i < v.batch; ++i)
    half.labels[i] = static_cast<int32_t>(i % session.plan().classes);
  half.pad(v, v.batch);
}

// Each from the same start.
double lossOf(Session &session, uint32_t variant) {
  session.parameters().init(1);
  session.tensors().setSeed(1);
  fillInput(session, variant);
  if (session.plan().variants[variant].training) {
    session.trainStep(variant, Half::A);
  } else {
    session.foldBn();
    session.evalStep(variant, Half::A);
  }
  return session.tensors().scalar(SharedTensor::Loss);
}

class GoldenPlan : public testing::TestWithParam<Golden> {};

} // namespace

TEST_P(GoldenPlan, LoadsAndComputesWhatItDid) {
  const Golden &golden = GetParam();
  const std::vector<uint8_t> bytes = readFile(pathOf(golden));
  auto plan = std::make_shared<Plan>();
  std::string error;
  ASSERT_TRUE(readPlan(bytes.data(), bytes.size(), *plan, error)) << error;
  EXPECT_EQ(plan->model, golden.model);
  EXPECT_EQ(plan->params.size(), golden.parameters);
  EXPECT_EQ(plan->arena_bytes, golden.arenaBytes);
  ASSERT_EQ(plan->variants.size(), golden.losses.size());
  for (const std::string &device : deviceNames()) {
    Session session(plan, createDevice(device, 1));
    session.tensors().setScalar(SharedTensor::Lr, 0.01);
    for (uint32_t v = 0; v < plan->variants.size(); ++v)
      EXPECT_NEAR(lossOf(session, v), golden.losses[v], 1e-5) << device << plan->variants[v].name;
  }
}

INSTANTIATE_TEST_SUITE_P(ThisFormat, GoldenPlan, testing::ValuesIn(kGoldens),
                         [](const testing::TestParamInfo<Golden> &info) {
                           return std::string(info.param.model);
                         });

// A plan of another format says so, whatever else is in it.
TEST(GoldenPlans, OtherFormatsAreNamed) {
  std::vector<uint8_t> bytes = readFile(pathOf("v1-perceptron.plan"));
  for (const uint8_t major : {1, 0, 3, 255}) {
    bytes[8] = major;
    Plan plan;
    std::string error;
    EXPECT_FALSE(readPlan(bytes.data(), bytes.size(), plan, error));
    EXPECT_EQ(error,
              "made by format " + std::to_string(major) +
                  ", this runtime reads 2; compile the model again; renaissance 0.1.0 wrote it");
  }
}
