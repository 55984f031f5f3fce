// SPDX-License-Identifier: Apache-2.0
//
// Hostile plans with good checksums: words of a complete plan are replaced by
// likely trouble, always the same way. What the verifier accepts is run under guard;
// nothing may crash, hang or throw anything but an Error.
#include "regression_plan.h"
#include "run_plan.h"
#include "trf/philox.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace trf;
using namespace trf::test;
using namespace trrt;
using namespace trrt::test;

namespace {

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
  trf_header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return TRF_HEADER_BYTES + header.section_count * sizeof(trf_section);
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

} // namespace

TEST(PlanFuzz, WhatIsAcceptedRuns) {
  const std::vector<uint8_t> good = bytesOf(regressionDraft());
  std::string error;
  int accepted = 0, ran = 0;
  for (uint32_t trial = 0; trial < 20000; ++trial) {
    Random random(trial);
    std::vector<uint8_t> bytes = good;
    for (uint32_t i = random.below(3) + 1; i != 0; --i)
      damageWord(bytes, random);
    reseal(bytes);
    const PlanFate fate = readAndRun(bytes.data(), bytes.size(), error);
    accepted += fate != PlanFate::Rejected;
    ran += fate == PlanFate::Ran;
  }
  // Damage to names, locations and initial values is harmless, so some run.
  EXPECT_GT(accepted, 500);
  EXPECT_GT(ran, 250);
}

// A seed that the reader refuses teaches a fuzzer little: after a change of the format,
// test/fuzz/make_corpus.py must be run again.
TEST(PlanFuzz, SeedsOfTheFuzzTargetRun) {
  size_t seeds = 0;
  for (const auto &entry : std::filesystem::directory_iterator(TR_PLAN_CORPUS)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("found-", 0) == 0)
      continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(file)),
                                  std::istreambuf_iterator<char>());
    std::string error;
    EXPECT_EQ(readAndRun(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size(), error),
              PlanFate::Ran)
        << name << ": " << error;
    ++seeds;
  }
  EXPECT_GE(seeds, 10u);
}
