// SPDX-License-Identifier: Apache-2.0
//
// Damaged plans: every truncation and every flipped bit, with the checksums as
// they are and made to fit. Whatever is still accepted is run under guard.
#include "plan_file.h"
#include "regression_plan.h"
#include "run_plan.h"
#include "sample_plan.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace trf;
using namespace trf::test;
using namespace trrt;
using namespace trrt::test;

namespace {

// A convolution and an FC layer; and softmax regression with both input halves.
struct SmallPlan {
  const char *name;
  std::vector<uint8_t> bytes;
};

std::vector<SmallPlan> smallPlans() {
  return {{"sample", bytesOf(samplePlan(/*runnable=*/true))},
          {"regression", bytesOf(regressionDraft())}};
}

class Outcomes {
public:
  void run(const std::vector<uint8_t> &bytes) {
    // Exactly as large as the file, so that a sanitizer sees each read outside.
    const std::vector<uint8_t> exact(bytes.begin(), bytes.end());
    ++counts[static_cast<size_t>(readAndRun(exact.data(), exact.size(), error))];
  }
  size_t of(PlanFate fate) const { return counts[static_cast<size_t>(fate)]; }

private:
  std::string error;
  size_t counts[4] = {};
};

void expectRejected(const std::vector<uint8_t> &bytes, const std::string &where) {
  const std::vector<uint8_t> exact(bytes.begin(), bytes.end());
  std::string error;
  ASSERT_EQ(readAndRun(exact.data(), exact.size(), error), PlanFate::Rejected) << where;
}

void flip(std::vector<uint8_t> &bytes, size_t bit) {
  bytes[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
}

size_t tableEnd(const std::vector<uint8_t> &bytes) {
  PlanFile file;
  EXPECT_TRUE(PlanFile::split(bytes.data(), bytes.size(), file));
  return TRF_HEADER_BYTES + file.sections.size() * sizeof(trf_section);
}

} // namespace

TEST(PlanDamage, ThePlansAreGoodBeforeTheDamage) {
  for (const SmallPlan &plan : smallPlans()) {
    std::string error;
    EXPECT_EQ(readAndRun(plan.bytes.data(), plan.bytes.size(), error), PlanFate::Ran)
        << plan.name << ": " << error;
    PlanFile file;
    ASSERT_TRUE(PlanFile::split(plan.bytes.data(), plan.bytes.size(), file));
    EXPECT_EQ(file.join(), plan.bytes) << plan.name;
  }
}

TEST(PlanDamage, FieldReport_18_1_EveryTruncationIsRejected) {
  for (const SmallPlan &plan : smallPlans())
    for (size_t size = 0; size < plan.bytes.size(); ++size) {
      std::vector<uint8_t> bytes(plan.bytes.begin(), plan.bytes.begin() + size);
      ASSERT_NO_FATAL_FAILURE(expectRejected(bytes, std::to_string(size)));
      if (size < TRF_HEADER_BYTES)
        continue;
      // The same with a header that admits to the new size.
      const uint64_t fileBytes = size;
      std::memcpy(bytes.data() + offsetof(trf_header, file_bytes), &fileBytes, 8);
      if (size >= tableEnd(plan.bytes))
        sealTable(bytes);
      ASSERT_NO_FATAL_FAILURE(expectRejected(bytes, std::to_string(size)));
    }
}

// With every checksum made to fit: one section cut, and all sections after a place.
TEST(PlanDamage, FieldReport_18_1_EveryCutSectionIsRejectedOrRuns) {
  for (const SmallPlan &plan : smallPlans()) {
    PlanFile whole;
    ASSERT_TRUE(PlanFile::split(plan.bytes.data(), plan.bytes.size(), whole));
    Outcomes outcomes;
    for (size_t s = 0; s < whole.sections.size(); ++s)
      for (size_t records = 0; records < whole.sections[s].records(); ++records) {
        PlanFile cut = whole;
        cut.sections[s].bytes.resize(records * cut.sections[s].recordBytes);
        outcomes.run(cut.join());
        for (size_t later = s + 1; later < cut.sections.size(); ++later)
          cut.sections[later].bytes.clear();
        outcomes.run(cut.join());
        cut.sections.resize(s + 1);
        outcomes.run(cut.join());
      }
    EXPECT_GT(outcomes.of(PlanFate::Rejected), 1000u);
    // Without FUSIONS or the last parameters there is less to tell, but it runs.
    EXPECT_LT(outcomes.of(PlanFate::Ran), 100u);
    EXPECT_EQ(outcomes.of(PlanFate::Large), 0u);
  }
}

TEST(PlanDamage, FieldReport_18_1_EveryFlippedBitIsRejected) {
  for (const SmallPlan &plan : smallPlans()) {
    std::vector<uint8_t> bytes = plan.bytes;
    for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      flip(bytes, bit);
      ASSERT_NO_FATAL_FAILURE(expectRejected(bytes, "bit " + std::to_string(bit)));
      flip(bytes, bit);
    }
  }
}

// In the sections.
TEST(PlanDamage, FieldReport_18_1_EveryFlippedBitWithGoodChecksumsIsRejectedOrRuns) {
  for (const SmallPlan &plan : smallPlans()) {
    Outcomes outcomes;
    for (size_t bit = tableEnd(plan.bytes) * 8; bit < plan.bytes.size() * 8; ++bit) {
      std::vector<uint8_t> bytes = plan.bytes;
      flip(bytes, bit);
      reseal(bytes);
      outcomes.run(bytes);
    }
    // Most bits are part of some reference, size or reserved field. Damage to names,
    // locations and initial values is harmless.
    EXPECT_GT(outcomes.of(PlanFate::Rejected), outcomes.of(PlanFate::Ran));
    EXPECT_GT(outcomes.of(PlanFate::Ran), 2000u);
  }
}

// In header and section table, with the checksums of both made to fit.
TEST(PlanDamage, FieldReport_18_1_EveryFlippedBitOfTheSectionTableIsRejectedOrRuns) {
  for (const SmallPlan &plan : smallPlans()) {
    Outcomes outcomes;
    for (size_t bit = 0; bit < tableEnd(plan.bytes) * 8; ++bit) {
      std::vector<uint8_t> bytes = plan.bytes;
      flip(bytes, bit);
      const size_t count = offsetof(trf_header, section_count);
      if (bit / 8 < count || bit / 8 >= count + 4) // else the table's end is unknown
        sealTable(bytes);
      outcomes.run(bytes);
    }
    // The minor version, the needed runtime, OPTIONAL, an alignment that is kept by
    // chance, and the two checksums, which were made to fit again.
    EXPECT_LT(outcomes.of(PlanFate::Ran), 200u);
    EXPECT_GT(outcomes.of(PlanFate::Ran), 64u);
  }
}
