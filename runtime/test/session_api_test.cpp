// SPDX-License-Identifier: Apache-2.0
//
// The C ABI of sessions.
#include "regression_plan.h"
#include "temp_dir.h"
#include "trrt/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

using namespace trf;
using namespace trf::test;
using trrt_test::TempDir;

namespace {

class SessionApi : public testing::Test {
protected:
  void SetUp() override {
    const std::vector<uint8_t> bytes = bytesOf(regressionDraft());
    trrt_plan_t *plan = nullptr;
    ASSERT_EQ(trrt_plan_load_bytes(bytes.data(), bytes.size(), &plan).code, TRRT_OK);
    const trrt_session_options_t options = {"reference", 1, 0};
    ASSERT_EQ(trrt_session_create(plan, &options, &session).code, TRRT_OK);
    trrt_plan_destroy(plan); // the session lives on
  }
  void TearDown() override { trrt_session_destroy(session); }

  trrt_session_t *session = nullptr;
  std::vector<float> images = std::vector<float>(3 * 12, 0.5f);
  std::vector<int32_t> labels = {0, 1, 2};
};

} // namespace

TEST_F(SessionApi, TrainsEvaluatesAndInfers) {
  ASSERT_EQ(trrt_session_init(session, 1).code, TRRT_OK);
  ASSERT_EQ(trrt_session_set_scalar(session, "lr", 0.1).code, TRRT_OK);
  double lr = 0;
  ASSERT_EQ(trrt_session_get_scalar(session, "lr", &lr).code, TRRT_OK);
  EXPECT_FLOAT_EQ(static_cast<float>(lr), 0.1f);
  trrt_step_result_t first, last;
  for (int i = 0; i < 30; ++i) {
    ASSERT_EQ(trrt_session_train_step(session, "train_base", images.data(), labels.data(), 3,
                                      i ? &last : &first)
                  .code,
              TRRT_OK);
  }
  EXPECT_LT(last.loss, first.loss);
  EXPECT_EQ(last.nonfinite, 0);
  trrt_step_result_t result;
  ASSERT_EQ(
      trrt_session_eval_step(session, "val_base", images.data(), labels.data(), 1, &result).code,
      TRRT_OK);
  EXPECT_GT(result.loss, 0);
  float logits[2 * 4];
  ASSERT_EQ(trrt_session_infer(session, "val_base", images.data(), 2, logits).code, TRRT_OK);
  EXPECT_EQ(std::memcmp(logits, logits + 4, 4 * sizeof(float)), 0) << "equal images";
}

// Row 6.3 of the field reports: a part of a larger buffer is read as what it is. There
// are no strides in this interface, so a caller with a strided view must copy it.
TEST_F(SessionApi, FieldReport_6_3_InputInsideALargerBuffer) {
  ASSERT_EQ(trrt_session_init(session, 1).code, TRRT_OK);
  std::vector<float> whole(3 + 12 + 5, 1e30f), image(12);
  for (size_t i = 0; i < 12; ++i)
    whole[3 + i] = image[i] = 0.1f * static_cast<float>(i);
  float expected[4], got[4];
  ASSERT_EQ(trrt_session_infer(session, "val_base", image.data(), 1, expected).code, TRRT_OK);
  ASSERT_EQ(trrt_session_infer(session, "val_base", whole.data() + 3, 1, got).code, TRRT_OK);
  EXPECT_EQ(std::memcmp(expected, got, sizeof(got)), 0);
}

TEST_F(SessionApi, WeightsTravelThroughFiles) {
  const TempDir dir;
  float before[48], after[48];
  ASSERT_EQ(trrt_session_init(session, 1).code, TRRT_OK);
  ASSERT_EQ(trrt_session_save_weights(session, dir.file("w").c_str()).code, TRRT_OK);
  ASSERT_EQ(trrt_session_read_param(session, "0.fc.weight", before, 48).code, TRRT_OK);
  ASSERT_EQ(trrt_session_init(session, 2).code, TRRT_OK);
  ASSERT_EQ(trrt_session_load_weights(session, dir.file("w").c_str()).code, TRRT_OK);
  ASSERT_EQ(trrt_session_read_param(session, "0.fc.weight", after, 48).code, TRRT_OK);
  EXPECT_EQ(std::memcmp(before, after, sizeof(before)), 0);
}

TEST_F(SessionApi, BadArgumentsAreStatuses) {
  ASSERT_EQ(trrt_session_init(session, 1).code, TRRT_OK);
  ASSERT_EQ(trrt_session_set_scalar(session, "lr", 0.1).code, TRRT_OK);
  EXPECT_EQ(trrt_session_load_weights(session, "/no/such/file").code, TRRT_NOT_FOUND);
  EXPECT_EQ(trrt_session_set_scalar(session, "beta1", 1).code, TRRT_NOT_FOUND);
  const auto train = [&](const char *variant, int64_t count) {
    return trrt_session_train_step(session, variant, images.data(), labels.data(), count, nullptr);
  };
  EXPECT_EQ(train("train_bas", 3).code, TRRT_NOT_FOUND);
  EXPECT_EQ(train("train_base", 2).code, TRRT_INVALID_ARGUMENT);
  EXPECT_EQ(train("val_base", 2).code, TRRT_OK) << "the hand-made plan has one graph for both";
  labels[1] = 4;
  const trrt_status_t status = train("train_base", 3);
  EXPECT_EQ(status.code, TRRT_INVALID_ARGUMENT);
  EXPECT_STREQ(status.message, "label 4 of sample 1 is outside [0, 4)");
  float values[47];
  const trrt_status_t small = trrt_session_read_param(session, "0.fc.weight", values, 47);
  EXPECT_EQ(small.code, TRRT_INVALID_ARGUMENT);
  EXPECT_STREQ(small.message, "'0.fc.weight' has 48 values, but there is room for 47");
  const trrt_status_t unknown = trrt_session_read_param(session, "0.fc.weigh", values, 47);
  EXPECT_EQ(unknown.code, TRRT_NOT_FOUND);
  EXPECT_STREQ(unknown.message,
               "the plan has no parameter '0.fc.weigh'; did you mean '0.fc.weight'?");
  EXPECT_EQ(trrt_session_infer(session, "val_base", images.data(), 3, values).code,
            TRRT_INVALID_ARGUMENT);
}

TEST(SessionApiCreate, UnknownDevice) {
  const std::vector<uint8_t> bytes = bytesOf(regressionDraft());
  trrt_plan_t *plan = nullptr;
  ASSERT_EQ(trrt_plan_load_bytes(bytes.data(), bytes.size(), &plan).code, TRRT_OK);
  const trrt_session_options_t options = {"abacus", 1, 0};
  trrt_session_t *session = nullptr;
  EXPECT_EQ(trrt_session_create(plan, &options, &session).code, TRRT_INVALID_ARGUMENT);
  EXPECT_EQ(session, nullptr);
  trrt_plan_destroy(plan);
}

// Nothing but its name makes a tensor the logits.
TEST(SessionOfAnOddPlan, LogitsSmallerThanTheBatch) {
  Draft draft = regressionDraft();
  std::swap(draft.records.tensors[findTensor(draft, "logits")].name,
            draft.records.tensors[findTensor(draft, "weight_decay")].name);
  const std::vector<uint8_t> bytes = bytesOf(draft);
  trrt_plan_t *plan = nullptr;
  trrt_session_t *session = nullptr;
  ASSERT_EQ(trrt_plan_load_bytes(bytes.data(), bytes.size(), &plan).code, TRRT_OK);
  const trrt_session_options_t options = {"reference", 1, 0};
  ASSERT_EQ(trrt_session_create(plan, &options, &session).code, TRRT_OK);
  ASSERT_EQ(trrt_session_init(session, 1).code, TRRT_OK);
  const float images[2 * 12] = {};
  float logits[2 * 4];
  const trrt_status_t status = trrt_session_infer(session, "val_base", images, 2, logits);
  EXPECT_EQ(status.code, TRRT_INVALID_FILE);
  EXPECT_STREQ(status.message, "the logits of the plan are smaller than its batch");
  trrt_session_destroy(session);
  trrt_plan_destroy(plan);
}

// On a full disk the host gets a status, and the old file stays.
TEST_F(SessionApi, SavingReturnsItsError) {
  const TempDir dir;
  ASSERT_EQ(trrt_session_init(session, 1).code, TRRT_OK);
  const trrt_status_t full = trrt_session_save_weights(session, "/dev/full");
  EXPECT_EQ(full.code, TRRT_IO_ERROR);
  EXPECT_STREQ(full.message, "cannot write '/dev/full': No space left on device");
  EXPECT_EQ(trrt_session_save_weights(session, dir.file("none/w").c_str()).code, TRRT_IO_ERROR);
  EXPECT_TRUE(dir.entries().empty());
}

TEST_F(SessionApi, WeightsWithOtherNames) {
  const TempDir dir;
  ASSERT_EQ(trrt_session_init(session, 1).code, TRRT_OK);
  ASSERT_EQ(trrt_session_save_weights(session, dir.file("w").c_str()).code, TRRT_OK);
  const std::string text = "0.fc.{x} -> head.{x}\n";
  const std::string wrong = dir.write("wrong", {text.begin(), text.end()});
  const std::string right = dir.write("right", {'{', 'x', '}', '-', '>', '{', 'x', '}'});
  EXPECT_EQ(trrt_session_load_weights_mapped(session, dir.file("w").c_str(), wrong.c_str()).code,
            TRRT_INVALID_FILE);
  EXPECT_EQ(trrt_session_load_weights_mapped(session, dir.file("w").c_str(), right.c_str()).code,
            TRRT_OK);
  EXPECT_EQ(trrt_session_load_weights_mapped(session, dir.file("w").c_str(), "none").code,
            TRRT_NOT_FOUND);
}
