// SPDX-License-Identifier: Apache-2.0
//
// The C ABI of plans: values, codes, null arguments.
#include "sample_plan.h"
#include "trrt/plan.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace trrt::test;

namespace {

class PlanApi : public testing::Test {
protected:
  void SetUp() override {
    const std::vector<uint8_t> bytes = samplePlan().serialize();
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
  EXPECT_STREQ(info.backend, "cpu");
  EXPECT_STREQ(info.precision, "fp32");
  EXPECT_STREQ(info.optimizer, "sgd");
  EXPECT_EQ(info.slices, 2u);
  EXPECT_EQ(info.classes, 3u);
  EXPECT_EQ(info.variant_count, 2u);
  EXPECT_EQ(info.param_count, 5u);
  EXPECT_EQ(info.arena_bytes, samplePlan().target.arena_bytes);
  // The id lies at byte 32 of the file.
  EXPECT_EQ(std::memcmp(info.content_id, samplePlan().serialize().data() + 32, 16), 0);
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
  EXPECT_EQ(trrt_plan_variant_info(plan, 2, &variant).code, TRRT_INVALID_ARGUMENT);
  EXPECT_EQ(trrt_plan_param_info(plan, 5, &param).code, TRRT_INVALID_ARGUMENT);
}

TEST_F(PlanApi, Errors) {
  trrt_plan_t *other = plan;
  const trrt_status_t status = trrt_plan_load_bytes("nonsense", 8, &other);
  EXPECT_EQ(status.code, TRRT_INVALID_FILE);
  EXPECT_NE(std::strstr(status.message, "not a plan file"), nullptr);
  EXPECT_EQ(other, nullptr);
  EXPECT_EQ(trrt_plan_load("/no/such.plan", &other).code, TRRT_NOT_FOUND);
  EXPECT_EQ(trrt_plan_load(testing::TempDir().c_str(), &other).code, TRRT_IO_ERROR);
  EXPECT_EQ(trrt_plan_load(nullptr, &other).code, TRRT_INVALID_ARGUMENT);
  EXPECT_EQ(trrt_plan_load("x", nullptr).code, TRRT_INVALID_ARGUMENT);
  EXPECT_EQ(trrt_plan_load_bytes(nullptr, 8, &other).code, TRRT_INVALID_ARGUMENT);
  EXPECT_EQ(trrt_plan_load_bytes(nullptr, 0, &other).code, TRRT_INVALID_FILE);
  trrt_plan_info_t info;
  EXPECT_EQ(trrt_plan_info(nullptr, &info).code, TRRT_INVALID_ARGUMENT);
  EXPECT_EQ(trrt_plan_info(plan, nullptr).code, TRRT_INVALID_ARGUMENT);
  trrt_plan_destroy(nullptr);
}
