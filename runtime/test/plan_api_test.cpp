// SPDX-License-Identifier: Apache-2.0
//
// The C ABI of plans: values, codes, null arguments.
#include "sample_plan.h"
#include "temp_dir.h"
#include "trrt/plan.h"

#include <gtest/gtest.h>

#include <cstring>
#include <sys/stat.h>

using namespace trf::test;

namespace {

class PlanApi : public testing::Test {
protected:
  void SetUp() override {
    const std::vector<uint8_t> bytes = bytesOf(samplePlan());
    const trrt_status_t status = trrt_plan_load_bytes(bytes.data(), bytes.size(), &plan);
    ASSERT_EQ(status.code, TRRT_OK) << status.message;
  }
  void TearDown() override { trrt_plan_destroy(plan); }

  trrt_plan_t *plan = nullptr;
};

} // namespace

TEST_F(PlanApi, Info) {
  trrt_plan_info_t info;
  ASSERT_EQ(trrt_plan_info(plan, &info).code, TRRT_OK);
  EXPECT_STREQ(info.model, "sample");
  EXPECT_STREQ(info.producer, "plan test");
  EXPECT_STREQ(info.device, "cpu");
  EXPECT_STREQ(info.feature, "any");
  EXPECT_STREQ(info.precision, "fp32");
  EXPECT_STREQ(info.optimizer, "sgd");
  EXPECT_EQ(info.slices, 2u);
  EXPECT_EQ(info.classes, 3u);
  EXPECT_EQ(info.variant_count, 2u);
  EXPECT_EQ(info.param_count, 5u);
  EXPECT_EQ(info.arena_bytes, samplePlan().records.target[0].arena_bytes);
  // The id lies at byte 32 of the file.
  EXPECT_EQ(std::memcmp(info.content_id, bytesOf(samplePlan()).data() + 32, 16), 0);
}

TEST_F(PlanApi, VariantsAndParameters) {
  trrt_variant_info_t variant;
  ASSERT_EQ(trrt_plan_variant_info(plan, 1, &variant).code, TRRT_OK);
  EXPECT_STREQ(variant.name, "val_base");
  EXPECT_EQ(variant.is_training, 0);
  EXPECT_EQ(variant.batch, 2);
  EXPECT_EQ(variant.width, 7);
  trrt_param_info_t param;
  ASSERT_EQ(trrt_plan_param_info(plan, 0, &param).code, TRRT_OK);
  EXPECT_STREQ(param.name, "0.conv.weight");
  EXPECT_EQ(param.is_trainable, 1);
  ASSERT_EQ(param.rank, 4u);
  EXPECT_EQ(param.shape[1], 2);
  EXPECT_EQ(param.shape[3], 3);
  EXPECT_EQ(param.elements, 72);
  ASSERT_EQ(trrt_plan_param_info(plan, 4, &param).code, TRRT_OK);
  EXPECT_EQ(param.is_trainable, 0);
  EXPECT_EQ(param.rank, 1u);
  const trrt_status_t noVariant = trrt_plan_variant_info(plan, 2, &variant);
  EXPECT_EQ(noVariant.code, TRRT_INVALID_ARGUMENT);
  EXPECT_STREQ(noVariant.message, "trrt_plan_variant_info: expected an index below 2, but got 2");
  const trrt_status_t noParam = trrt_plan_param_info(plan, UINT32_MAX, &param);
  EXPECT_EQ(noParam.code, TRRT_INVALID_ARGUMENT);
  EXPECT_STREQ(noParam.message,
               "trrt_plan_param_info: expected an index below 5, but got 4294967295");
  EXPECT_EQ(param.rank, 1u) << "what was there stays";
}

TEST_F(PlanApi, Errors) {
  trrt_plan_t *other = plan;
  const trrt_status_t status = trrt_plan_load_bytes("nonsense", 8, &other);
  EXPECT_EQ(status.code, TRRT_INVALID_FILE);
  EXPECT_NE(std::strstr(status.message, "not a plan file"), nullptr);
  EXPECT_EQ(other, nullptr);
  EXPECT_EQ(trrt_plan_load("/no/such.plan", &other).code, TRRT_NOT_FOUND);
  EXPECT_EQ(trrt_plan_load(testing::TempDir().c_str(), &other).code, TRRT_IO_ERROR);
  EXPECT_EQ(trrt_plan_load_bytes(nullptr, 0, &other).code, TRRT_INVALID_FILE);
  trrt_plan_destroy(nullptr);
}

// Each pointer that must not be null, in each function.
TEST_F(PlanApi, NullPointers) {
  trrt_plan_t *const garbage = reinterpret_cast<trrt_plan_t *>(0x1);
  trrt_plan_t *other = garbage, *third = garbage;
  trrt_plan_info_t info;
  trrt_variant_info_t variant;
  trrt_param_info_t param;
  const struct {
    const char *function, *argument;
    trrt_status_t status;
  } cases[] = {
      {"trrt_plan_load", "path", trrt_plan_load(nullptr, &other)},
      {"trrt_plan_load", "plan", trrt_plan_load("x", nullptr)},
      {"trrt_plan_load_bytes", "bytes", trrt_plan_load_bytes(nullptr, 8, &third)},
      {"trrt_plan_load_bytes", "plan", trrt_plan_load_bytes("x", 1, nullptr)},
      {"trrt_plan_info", "plan", trrt_plan_info(nullptr, &info)},
      {"trrt_plan_info", "info", trrt_plan_info(plan, nullptr)},
      {"trrt_plan_variant_info", "plan", trrt_plan_variant_info(nullptr, 0, &variant)},
      {"trrt_plan_variant_info", "info", trrt_plan_variant_info(plan, 0, nullptr)},
      {"trrt_plan_param_info", "plan", trrt_plan_param_info(nullptr, 0, &param)},
      {"trrt_plan_param_info", "info", trrt_plan_param_info(plan, 0, nullptr)},
  };
  for (const auto &null : cases) {
    EXPECT_EQ(null.status.code, TRRT_INVALID_ARGUMENT) << null.function;
    EXPECT_EQ(std::string(null.status.message),
              std::string(null.function) + ": expected '" + null.argument + "', but got null");
  }
  EXPECT_EQ(other, nullptr) << "a load that failed leaves no pointer";
  EXPECT_EQ(third, nullptr);
}

TEST(PlanFile, FieldReport_18_3_AnotherKindOfFile) {
  const trrt_test::TempDir folder;
  const auto bytes = [](const std::string &text) {
    return std::vector<uint8_t>(text.begin(), text.end());
  };
  const auto expect = [](const std::string &path, const std::string &expected) {
    trrt_plan_t *plan = nullptr;
    const trrt_status_t status = trrt_plan_load(path.c_str(), &plan);
    EXPECT_NE(status.code, TRRT_OK);
    EXPECT_EQ(plan, nullptr);
    EXPECT_EQ(std::string(status.message), path + ": not a plan file: " + expected);
  };
  const std::string magic = "expected it to start with 54 52 50 4c 41 4e 0d 0a ('TRPLAN..'), but ";
  expect(folder.write("empty", {}), magic + "it is empty");
  expect(folder.write("x.yaml", bytes("name: resnet50\n")),
         "it is text; tr-compile makes plans from text");
  expect(folder.write("x.jpg", {0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 'J', 'F', 'I', 'F'}),
         "it is a JPEG image");
  expect(folder.write("zeros", std::vector<uint8_t>(64)),
         magic + "got 00 00 00 00 00 00 00 00 ('........')");
  expect(folder.write("short", bytes("TR\x01")), magic + "got 54 52 01 ('TR.')");
  expect(folder.path(), "it is a directory");
  expect("/dev/null", "it is a device");
  trrt_plan_t *plan = nullptr;
  EXPECT_STREQ(trrt_plan_load("/dev/zero", &plan).message,
               "/dev/zero: not a plan file: it is a device");
  // Nobody ever writes to it, so that a reader who waits hangs.
  ASSERT_EQ(mkfifo(folder.file("pipe").c_str(), 0600), 0);
  expect(folder.file("pipe"), "it is a pipe");
}
