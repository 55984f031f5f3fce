// SPDX-License-Identifier: Apache-2.0
//
// Plans that do not fit the memory: one message with the numbers, before anything is
// allocated.
#include "base/host_memory.h"
#include "base/status.h"
#include "device/devices.h"
#include "regression_plan.h"
#include "session/session.h"
#include "temp_dir.h"
#include "trrt/session.h"

#include <gtest/gtest.h>

using namespace trf;
using namespace trf::test;
using namespace trrt;
using trrt_test::errorOf;

namespace {

// Images of 6 x 2^20 values, 2^18 of them at once.
RegressionShape terabytes() {
  RegressionShape shape;
  shape.batch = 1 << 18;
  shape.channels = 1 << 20;
  return shape;
}

std::string openError(const RegressionShape &shape, uint64_t memoryBytes) {
  const std::shared_ptr<const Plan> plan = regressionPlan(shape);
  return errorOf([&] { Session(plan, createDevice("reference", 1, memoryBytes)); });
}

} // namespace

TEST(Memory, TerabytesAreRefusedWithTheLargestRegions) {
  const std::string error = openError(terabytes(), 8000000000);
  EXPECT_EQ(error.find("the plan needs 26.39 TB of memory (arena 13.19 TB, input halves 13.19 TB, "
                       "scratch 0 bytes), but device 'reference' has 8.00 GB; largest regions: "
                       "i_a_data 6.60 TB, i_b_data 6.60 TB, "),
            0u)
      << error;
  EXPECT_NE(error.find("w_fc_weight 100.66 MB"), std::string::npos) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos);
}

TEST(Memory, TerabytesAreRefusedOnThisMachine) {
  const std::vector<uint8_t> bytes = bytesOf(regressionDraft(terabytes()));
  trrt_plan_t *plan = nullptr;
  ASSERT_EQ(trrt_plan_load_bytes(bytes.data(), bytes.size(), &plan).code, TRRT_OK);
  trrt_session_t *session = nullptr;
  const trrt_status_t status = trrt_session_create(plan, nullptr, &session);
  EXPECT_EQ(status.code, TRRT_OUT_OF_MEMORY);
  EXPECT_EQ(std::string(status.message).find("the plan needs 26.39 TB of memory (arena 13.19 TB"),
            0u)
      << status.message;
  EXPECT_EQ(session, nullptr);
  trrt_plan_destroy(plan);
}

TEST(Memory, TheLimitIsExact) {
  const std::shared_ptr<const Plan> plan = regressionPlan();
  uint64_t staging = 0;
  for (const RegionInfo &region : plan->regions)
    staging += region.region.row().half == Half::Both ? 0 : region.bytes;
  const Session session(plan, createDevice("reference", 1));
  const uint64_t need = plan->arena_bytes + staging + session.device().scratchBytes();
  EXPECT_EQ(openError({}, need), "");
  const std::string error = openError({}, need - 1);
  EXPECT_NE(error.find("the plan needs "), std::string::npos) << error;
  EXPECT_NE(error.find(", and "), std::string::npos) << error;
}

TEST(Memory, TheCallerMayLowerTheLimit) {
  const std::vector<uint8_t> bytes = bytesOf(regressionDraft());
  trrt_plan_t *plan = nullptr;
  ASSERT_EQ(trrt_plan_load_bytes(bytes.data(), bytes.size(), &plan).code, TRRT_OK);
  trrt_session_t *session = nullptr;
  const trrt_session_options_t options = {"cpu", 1, 1000};
  const trrt_status_t status = trrt_session_create(plan, &options, &session);
  EXPECT_EQ(status.code, TRRT_OUT_OF_MEMORY);
  EXPECT_NE(std::string(status.message).find("but device 'cpu' has 1000 bytes"), std::string::npos)
      << status.message;
  trrt_plan_destroy(plan);
}

TEST(Memory, MoreThanAnAddressSpaceIsRefused) {
  EXPECT_EQ(errorOf([] { HostMemory(~uint64_t{0}); }),
            "cannot allocate 18446744073709551615 bytes of memory");
}
