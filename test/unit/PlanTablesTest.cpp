// SPDX-License-Identifier: Apache-2.0
//
// The compiler's view of the plan format and the kernel-op table.
#include "renaissance/Target/PlanTables.h"

#include "gtest/gtest.h"

using namespace tr::plan;

namespace {

template <typename Enum, typename Symbolize> void roundTrip(uint32_t count, Symbolize symbolize) {
  for (uint32_t i = 0; i < count; ++i) {
    auto value = static_cast<Enum>(i);
    EXPECT_FALSE(stringify(value).empty());
    EXPECT_EQ(symbolize(stringify(value)), value);
  }
  EXPECT_FALSE(symbolize("").has_value());
  EXPECT_FALSE(symbolize("no such name").has_value());
}

TEST(PlanTables, NamesComeBack) {
  roundTrip<DType>(5, symbolizeDType);
  roundTrip<Region>(kRegionCount, symbolizeRegion);
  roundTrip<Subgraph>(kSubgraphCount, symbolizeSubgraph);
  roundTrip<Schedule>(6, symbolizeSchedule);
  roundTrip<Init>(4, symbolizeInit);
  roundTrip<ParamLayout>(3, symbolizeParamLayout);
  for (uint32_t i = 0; i < kKernelCount; ++i)
    EXPECT_EQ(symbolizeKernel(getInfo(static_cast<Kernel>(i)).name), static_cast<Kernel>(i));
  EXPECT_FALSE(symbolizeKernel("conv").has_value());
}

TEST(PlanTables, KernelsHaveTheirOperands) {
  const KernelInfo &conv = getInfo(Kernel::conv_fwd);
  ASSERT_EQ(conv.operands.size(), 4u);
  EXPECT_EQ(conv.operands[2].name, "bias");
  EXPECT_TRUE(conv.operands[2].optional && conv.operands[2].reads() && !conv.operands[2].writes());
  EXPECT_TRUE(!conv.operands[3].optional && conv.operands[3].writes() && !conv.operands[3].reads());
  EXPECT_EQ(conv.attrs.size(), 9u);
  EXPECT_EQ(conv.attrs[0].name, "kernel_h");
  EXPECT_FALSE(conv.hasRanges());

  const KernelInfo &copy = getInfo(Kernel::copy);
  EXPECT_TRUE(copy.attrs.empty());
  EXPECT_FALSE(copy.operands[0].dtype.has_value());

  const KernelInfo &adamw = getInfo(Kernel::range_adamw);
  EXPECT_TRUE(adamw.hasRanges() && adamw.operands[0].range);
  EXPECT_TRUE(adamw.operands[0].reads() && adamw.operands[0].writes());
  EXPECT_EQ(adamw.stream, Stream::Update);
  EXPECT_TRUE(getInfo(Kernel::dropout_fwd).attrs[0].isFloat);
}

TEST(PlanTables, SlotsOfHalvesAreHalves) {
  for (int64_t elements : {1, 119, 120, 121, 1000, 12345}) {
    EXPECT_EQ(getSlotBytes(DType::F32, elements), 2 * getSlotBytes(DType::F16, elements));
    EXPECT_EQ(getSlotBytes(DType::I32, elements), getSlotBytes(DType::F32, elements));
    for (DType dtype : {DType::F32, DType::F16, DType::BF16, DType::I32, DType::U8}) {
      EXPECT_EQ(getSlotBytes(dtype, elements) % TRRT_PLAN_TENSOR_ALIGN, 0);
      EXPECT_GE(getSlotBytes(dtype, elements), elements * getBytes(dtype) + 16);
    }
  }
}

TEST(PlanTables, RegionsHaveTheirTypes) {
  EXPECT_EQ(getDType(Region::IALabel), DType::I32);
  EXPECT_TRUE(fits(DType::I32, Region::SMask) && fits(DType::U8, Region::SMask));
  EXPECT_FALSE(fits(DType::F32, Region::SMask) || fits(DType::I32, Region::WFcBias));
}

} // namespace
