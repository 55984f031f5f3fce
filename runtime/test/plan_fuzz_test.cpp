// SPDX-License-Identifier: Apache-2.0
//
// Hostile plans with good checksums: words of a complete plan are replaced by
// likely trouble, always the same way. What the verifier accepts is run by a
// session on the reference backend; nothing may crash, hang or throw anything
// but an Error.
#include "backend/host_backend.h"
#include "base/philox.h"
#include "base/status.h"
#include "regression_plan.h"
#include "session/session.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace trrt;
using namespace trrt::test;

namespace {

constexpr uint64_t kArenaLimit = 1 << 22; // nothing here needs more

// A fixed stream of numbers for each trial.
class Random {
public:
  explicit Random(uint32_t trial) : trial(trial) {}
  uint32_t below(uint32_t limit) {
    return philox4x32({count++, trial, 0, 0}, philoxKey(20240229))[0] % limit;
  }

private:
  uint32_t trial, count = 0;
};

size_t firstSectionByte(const std::vector<uint8_t> &bytes) {
  trrt_plan_header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return TRRT_PLAN_HEADER_BYTES + header.section_count * sizeof(trrt_plan_section);
}

// Replaces one aligned word by a neighbour, a near value or an extreme one.
void damageWord(std::vector<uint8_t> &bytes, Random &random) {
  static constexpr uint32_t kExtremes[] = {0, 1, 2, 255, 0x7fffffff, 0x80000000u, 0xffffffffu};
  const uint32_t first = static_cast<uint32_t>(firstSectionByte(bytes) / 4);
  const uint32_t words = static_cast<uint32_t>(bytes.size() / 4) - first;
  uint8_t *word = bytes.data() + 4 * (first + random.below(words));
  const uint8_t *other = bytes.data() + 4 * (first + random.below(words));
  uint32_t value;
  std::memcpy(&value, word, 4);
  switch (random.below(5)) {
  case 0:
    value += 1;
    break;
  case 1:
    value -= 1;
    break;
  case 2:
    value = kExtremes[random.below(7)];
    break;
  case 3: // most words of a section are near each other
    other = word + 4 * (static_cast<int>(random.below(25)) - 12);
    if (other < bytes.data() + 4 * first || other + 4 > bytes.data() + bytes.size())
      return;
    [[fallthrough]];
  default:
    std::memcpy(&value, other, 4);
  }
  std::memcpy(word, &value, 4);
}

void runAll(Session &session) {
  session.initParameters(7);
  for (uint32_t v = 0; v < session.plan().variants.size(); ++v)
    for (int half = 0; half < 2; ++half) {
      session.clearMetrics();
      if (session.canRun(v, half ? ScheduleKind::TrainB : ScheduleKind::TrainA))
        session.trainStep(v, half);
      session.foldBn();
      if (session.canRun(v, half ? ScheduleKind::ValB : ScheduleKind::ValA))
        session.evalStep(v, half);
      if (session.canRun(v, half ? ScheduleKind::InferB : ScheduleKind::InferA))
        session.inferStep(v, half);
    }
  for (uint32_t p = 0; p < session.plan().params.size(); ++p)
    session.writeParam(p, session.readParam(p));
}

} // namespace

TEST(PlanFuzz, WhatIsAcceptedRuns) {
  const std::vector<uint8_t> good = regressionImage().serialize();
  int accepted = 0, ran = 0;
  for (uint32_t trial = 0; trial < 20000; ++trial) {
    Random random(trial);
    std::vector<uint8_t> bytes = good;
    for (uint32_t i = random.below(3) + 1; i != 0; --i)
      damageWord(bytes, random);
    tr::PlanImage::reseal(bytes);
    auto plan = std::make_shared<Plan>();
    std::string error;
    if (!readPlan(bytes.data(), bytes.size(), *plan, error)) {
      ASSERT_NE(error, "") << trial;
      continue;
    }
    ++accepted;
    if (plan->arena_bytes > kArenaLimit)
      continue;
    try {
      Session session(plan, createBackend("reference", 1));
      runAll(session);
      ++ran;
    } catch (const Error &) {
      // The session refuses it, for example because a tensor has another name.
    }
  }
  // Damage to names, locations and initial values is harmless, so some run.
  EXPECT_GT(accepted, 500);
  EXPECT_GT(ran, 250);
}
