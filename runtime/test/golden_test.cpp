// SPDX-License-Identifier: Apache-2.0
//
// Plans that earlier builds wrote, one folder entry for each format version: they
// still load, and compute what they computed then.
#include "base/status.h"
#include "plan/plan.h"
#include "session/session.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

using namespace trrt;

namespace {

struct Golden {
  const char *file, *model, *contentId;
  size_t parameters;
  uint64_t arenaBytes;
  std::vector<double> losses; // of one step of each variant, in their order
};

// What the build that wrote the file printed.
const Golden kGoldens[] = {
    {"v1-residual.plan",
     "residual",
     "0b2ba698dbfab2b9850930d6e5a573b8",
     22,
     85760,
     {1.7973027, 1.5610880, 1.7567893, 1.4138204, 1.6472440, 1.3130339}},
    {"v1-perceptron.plan",
     "perceptron",
     "88183cf1c78ff12543c031ab99f1f89a",
     4,
     27648,
     {1.1287338, 1.1287338, 1.1287338, 1.1287338, 1.1287338, 1.1287338}},
};

std::vector<uint8_t> readFile(const std::string &name) {
  std::ifstream in(std::string(TR_GOLDEN_DIR) + "/" + name, std::ios::binary);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string hex(const std::array<uint8_t, 16> &id) {
  std::string text;
  for (uint8_t byte : id) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

void fillInput(const Session &session, uint32_t variant) {
  const Variant &v = session.plan().variants[variant];
  const InputHalf &half = session.input(0);
  for (int64_t i = 0; i < v.batch * v.height * v.width * v.channels; ++i)
    half.images[i] = static_cast<float>((i * 37) % 101) / 50.0f - 1.0f;
  for (int64_t i = 0; i < v.batch; ++i)
    half.labels[i] = static_cast<int32_t>(i % session.plan().classes);
  *half.valid = static_cast<int32_t>(v.batch);
}

// Each from the same start.
double lossOf(Session &session, uint32_t variant) {
  session.initParameters(1);
  session.setSeed(1);
  fillInput(session, variant);
  if (session.plan().variants[variant].training) {
    session.trainStep(variant, 0);
  } else {
    session.foldBn();
    session.evalStep(variant, 0);
  }
  return session.scalar("loss");
}

class GoldenPlan : public testing::TestWithParam<Golden> {};

} // namespace

TEST_P(GoldenPlan, LoadsAndComputesWhatItDid) {
  const Golden &golden = GetParam();
  const std::vector<uint8_t> bytes = readFile(golden.file);
  auto plan = std::make_shared<Plan>();
  std::string error;
  ASSERT_TRUE(readPlan(bytes.data(), bytes.size(), *plan, error)) << error;
  EXPECT_EQ(plan->model, golden.model);
  EXPECT_EQ(hex(plan->content_id), golden.contentId);
  EXPECT_EQ(plan->params.size(), golden.parameters);
  EXPECT_EQ(plan->arena_bytes, golden.arenaBytes);
  ASSERT_EQ(plan->variants.size(), golden.losses.size());
  for (const char *backend : {"reference", "cpu"}) {
    Session session(plan, createBackend(backend, 1));
    session.setScalar("lr", 0.01);
    for (uint32_t v = 0; v < plan->variants.size(); ++v)
      EXPECT_NEAR(lossOf(session, v), golden.losses[v], 1e-5) << backend << plan->variants[v].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Format1, GoldenPlan, testing::ValuesIn(kGoldens),
                         [](const testing::TestParamInfo<Golden> &info) {
                           return std::string(info.param.model);
                         });

// A plan of another format says so, whatever else is in it.
TEST(GoldenPlan, OtherFormatsAreNamed) {
  std::vector<uint8_t> bytes = readFile("v1-perceptron.plan");
  for (const uint8_t major : {0, 2, 255}) {
    bytes[8] = major;
    Plan plan;
    std::string error;
    EXPECT_FALSE(readPlan(bytes.data(), bytes.size(), plan, error));
    EXPECT_NE(error.find("made by format " + std::to_string(major) + ", this runtime reads 1"),
              std::string::npos)
        << error;
  }
}
