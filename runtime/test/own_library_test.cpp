// SPDX-License-Identifier: Apache-2.0
//
// A kernel library that this build does not know.
#include "regression_plan.h"
#include "test_libraries.h"
#include "trrt/library.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

using namespace trf;
using namespace trf::test;
using trrt::test::libraryOf;

namespace {

int ownCalls = 0; // kernels have no other way out

// The reference library's kernels, one of them behind an own function.
void fillOwn(trk::KernelTable &table) {
  libraryOf("reference").fill(table);
  static const auto behind = table.at(Opcode::fc_fwd, Instance::F32).run;
  table.at(Opcode::fc_fwd, Instance::F32).run = [](const trk::Call &call) {
    ++ownCalls;
    behind(call);
  };
}

trk::Library ownLibrary() {
  trk::Library library = libraryOf("reference");
  library.name = "own";
  library.fill = fillOwn;
  return library;
}

class OwnLibrary : public testing::Test {
protected:
  void SetUp() override {
    const std::vector<uint8_t> bytes = bytesOf(regressionDraft());
    ASSERT_EQ(trrt_plan_load_bytes(bytes.data(), bytes.size(), &plan).code, TRRT_OK);
  }
  void TearDown() override { trrt_plan_destroy(plan); }

  // Loss of the third of three steps.
  float train(trrt_session_t *session) {
    const std::vector<float> images(3 * 12, 0.5f);
    const int32_t labels[] = {0, 1, 2};
    trrt_step_result_t result = {};
    EXPECT_EQ(trrt_session_init(session, 1).code, TRRT_OK);
    EXPECT_EQ(trrt_session_set_scalar(session, "lr", 0.1).code, TRRT_OK);
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(
          trrt_session_train_step(session, "train_base", images.data(), labels, 3, &result).code,
          TRRT_OK);
    trrt_session_destroy(session);
    return result.loss;
  }

  std::string faultOf(const trk::Library &library,
                      const trrt_session_options_t *options = nullptr) {
    auto *session = reinterpret_cast<trrt_session_t *>(1);
    const trrt_status_t status = trrt::createSession(plan, library, options, &session);
    EXPECT_EQ(session, nullptr);
    return std::string(trrt_status_code_name(status.code)) + ": " + status.message;
  }

  trrt_plan_t *plan = nullptr;
};

} // namespace

TEST_F(OwnLibrary, ItsKernelsRun) {
  const trrt_session_options_t options = {"reference", 1, 0}, own = {"own", 1, 0};
  trrt_session_t *session = nullptr;
  ASSERT_EQ(trrt_session_create(plan, &options, &session).code, TRRT_OK);
  const float expected = train(session);
  EXPECT_EQ(ownCalls, 0);
  const trrt_status_t status = trrt::createSession(plan, ownLibrary(), &own, &session);
  ASSERT_EQ(status.code, TRRT_OK) << status.message;
  EXPECT_EQ(train(session), expected);
  EXPECT_GT(ownCalls, 0);
  EXPECT_EQ(trk::findLibrary("own"), nullptr) << "nothing is registered";
}

TEST_F(OwnLibrary, FaultsHaveNames) {
  trk::Library library = ownLibrary();
  const trrt_session_options_t other = {"cpu", 1, 0}, many = {nullptr, 5000, 0};
  EXPECT_EQ(
      faultOf(library, &other),
      "invalid_argument: createSession: options.device: expected null or 'own', but got 'cpu'");
  EXPECT_EQ(faultOf(library, &many), "invalid_argument: createSession: options.threads: expected "
                                     "0, for every CPU, or 1 to 1024, but got 5000");
  library.fill = nullptr;
  EXPECT_EQ(faultOf(library), "invalid_argument: createSession: expected kernel library 'own' with "
                              "the functions fill and target, but got null");
  library.name = {};
  EXPECT_EQ(faultOf(library), "invalid_argument: createSession: "
                              "expected a name of the kernel library, but got none");
  library = ownLibrary();
  library.fill = [](trk::KernelTable &table) {
    fillOwn(table);
    table.at(Opcode::fc_fwd, Instance::F32) = {};
  };
  EXPECT_EQ(faultOf(library), "unsupported: device 'own' has no kernel for 'fc_fwd' (layer 0); run "
                              "the plan on another device");
}
