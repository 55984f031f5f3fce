// SPDX-License-Identifier: Apache-2.0
//
// Damaged plans: every truncation and every flipped bit, with the checksums as
// they are and made to fit. Whatever is still accepted must be safe to follow.
#include "base/crc32c.h"
#include "sample_plan.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace trrt;
using namespace trrt::test;

namespace {

bool accepted(const std::vector<uint8_t> &bytes, Plan &plan, std::string &error) {
  error.clear();
  // Exactly as large as the file, so that a sanitizer sees each read outside.
  std::vector<uint8_t> exact(bytes.begin(), bytes.end());
  return readPlan(exact.data(), exact.size(), plan, error);
}

// Follows every reference with bounds checks; throws where one leads nowhere.
uint64_t follow(const Plan &plan) {
  uint64_t sum = plan.shapes.at(plan.tensors.size() * plan.variants.size() - 1)[0];
  for (const Op &op : plan.ops)
    for (size_t i = 0; i < op.operands.size(); ++i) {
      const trk::OperandInfo &info = trk::info(op.opcode).operands[i];
      if (op.operands[i] == kNone)
        sum += info.optional ? 0 : throw std::logic_error("absent operand");
      else if (info.range)
        sum += plan.regions.at(static_cast<size_t>(plan.ranges.at(op.operands[i]).last)).bytes;
      else
        sum += plan.tensors.at(op.operands[i]).offset;
    }
  for (const TensorInfo &tensor : plan.tensors)
    if (tensor.offset + tensor.slot_bytes > plan.arena_bytes)
      throw std::logic_error("a slot outside the arena");
  for (const Schedule &schedule : plan.schedules) {
    for (const ScheduleNode &node : schedule.nodes)
      sum += plan.ops.at(node.op).layer;
    for (const auto &edge : schedule.edges)
      sum += schedule.nodes.at(edge[0]).op + schedule.nodes.at(edge[1]).op;
  }
  for (const AtlasEntry &entry : plan.atlas)
    if (entry.subgraph_record != kNone)
      sum += plan.subgraphs.at(entry.subgraph_record).op_count;
  for (const SubgraphInfo &s : plan.subgraphs)
    for (uint32_t i = 0; i < s.op_count; ++i)
      sum += plan.ops.at(s.first_op + i).operands.size();
  for (const Param &param : plan.params)
    sum += plan.tensors.at(param.tensor).offset;
  return sum;
}

} // namespace

TEST(PlanDamage, EveryTruncationIsRejected) {
  const std::vector<uint8_t> good = samplePlan().serialize();
  Plan plan;
  std::string error;
  for (size_t size = 0; size < good.size(); ++size) {
    std::vector<uint8_t> bytes(good.begin(), good.begin() + size);
    ASSERT_FALSE(accepted(bytes, plan, error)) << size;
    ASSERT_NE(error, "");
    if (size < TRRT_PLAN_HEADER_BYTES)
      continue;
    // The same with a header that admits to the new size.
    uint64_t fileBytes = size;
    std::memcpy(bytes.data() + 16, &fileBytes, sizeof(fileBytes));
    ASSERT_FALSE(accepted(bytes, plan, error)) << size;
  }
}

TEST(PlanDamage, EveryFlippedBitIsRejected) {
  std::vector<uint8_t> bytes = samplePlan().serialize();
  Plan plan;
  std::string error;
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
    ASSERT_FALSE(accepted(bytes, plan, error)) << "bit " << bit;
    ASSERT_NE(error, "");
    bytes[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
  }
}

// In the sections, where reseal() can make the checksums fit.
TEST(PlanDamage, EveryFlippedBitWithGoodChecksumsIsRejectedOrHarmless) {
  const std::vector<uint8_t> good = samplePlan().serialize();
  trrt_plan_header header;
  std::memcpy(&header, good.data(), sizeof(header));
  const size_t first = TRRT_PLAN_HEADER_BYTES + header.section_count * sizeof(trrt_plan_section);
  size_t rejected = 0, harmless = 0;
  for (size_t bit = first * 8; bit < good.size() * 8; ++bit) {
    std::vector<uint8_t> bytes = good;
    bytes[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
    tr::PlanImage::reseal(bytes);
    Plan plan;
    std::string error;
    if (accepted(bytes, plan, error)) {
      ASSERT_NO_THROW(follow(plan)) << "bit " << bit;
      ++harmless;
    } else {
      ASSERT_NE(error, "");
      ASSERT_EQ(error.find('\n'), std::string::npos);
      ++rejected;
    }
  }
  // Most bits are part of some reference, size or reserved field.
  EXPECT_GT(rejected, harmless);
}

// In header and section table, with the checksums of both made to fit.
TEST(PlanDamage, EveryFlippedBitOfTheSectionTableIsRejectedOrHarmless) {
  const std::vector<uint8_t> good = samplePlan().serialize();
  trrt_plan_header header;
  std::memcpy(&header, good.data(), sizeof(header));
  const size_t tableBytes = header.section_count * sizeof(trrt_plan_section);
  size_t harmless = 0;
  for (size_t bit = 0; bit < (TRRT_PLAN_HEADER_BYTES + tableBytes) * 8; ++bit) {
    const size_t at = bit / 8;
    std::vector<uint8_t> bytes = good;
    bytes[at] ^= static_cast<uint8_t>(1u << bit % 8);
    const uint32_t table = crc32c(bytes.data() + TRRT_PLAN_HEADER_BYTES, tableBytes);
    if (at < 56 || at >= TRRT_PLAN_HEADER_BYTES) // not where the table's checksum itself is damaged
      std::memcpy(bytes.data() + 56, &table, sizeof(table));
    const uint32_t outer = crc32c(bytes.data(), TRRT_PLAN_HEADER_BYTES - 4);
    std::memcpy(bytes.data() + 60, &outer, sizeof(outer));
    Plan plan;
    std::string error;
    if (accepted(bytes, plan, error)) {
      ASSERT_NO_THROW(follow(plan)) << "bit " << bit;
      ++harmless;
    }
  }
  // The minor version, the needed runtime, OPTIONAL, an alignment that is kept by
  // chance, and the header's checksum, which was made to fit again.
  EXPECT_LT(harmless, 200u);
}
