// SPDX-License-Identifier: Apache-2.0
//
// The merging patterns under other drivers than the passes': they reach a fixed point,
// their counts are right, and a second run finds nothing.
#include "renaissance/Dialect/TR/Transforms/MergePatterns.h"
#include "renaissance/Dialect/TR/IR/ArchOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tr;

namespace {

constexpr const char *kNet = R"mlir(
!a = tensor<?x6x5x4xf32>
!f = tensor<?x1x1x4xf32>
tr.arch.network @net classes 4 {
^bb0(%x: !a):
  %0 = tr.arch.conv %x ["0.conv"] <out = 4, kernel = [1, 1]> first : !a -> !a
  %1 = tr.arch.bn2d %0 ["1.bn"] eps 1.0e-5 momentum 0.1 : !a -> !a
  %2 = tr.arch.act %1 ["2"] <relu> : !a -> !a
  %3 = tr.arch.maxpool %2 ["3"] <kernel = [1, 1], stride = [1, 1]> : !a -> !a
  %4 = tr.arch.add2 %3 ["4"] : !a -> !a shortcut {
  ^bb0(%s: !a):
    tr.arch.yield %s : !a
  } stem {
  ^bb0(%s: !a):
    %5 = tr.arch.conv %s ["4.1.0.conv"] <out = 4, kernel = [3, 3], pad = [1, 1]> : !a -> !a
    %6 = tr.arch.bn2d %5 ["4.1.1.bn"] eps 1.0e-5 momentum 0.1 : !a -> !a
    %7 = tr.arch.act %6 ["4.1.2"] <relu> : !a -> !a
    %8 = tr.arch.conv %7 ["4.1.3.conv"] <out = 4, kernel = [3, 3], pad = [1, 1]> : !a -> !a
    %9 = tr.arch.bn2d %8 ["4.1.4.bn"] eps 1.0e-5 momentum 0.1 : !a -> !a
    tr.arch.yield %9 : !a
  }
  %10 = tr.arch.act %4 ["5"] <relu> : !a -> !a
  %11 = tr.arch.conv %10 ["6.conv"] <out = 4, kernel = [1, 1]> : !a -> !a
  %12 = tr.arch.bn2d %11 ["7.bn"] eps 1.0e-5 momentum 0.1 : !a -> !a
  %13 = tr.arch.act %12 ["8"] <silu> : !a -> !a
  %14 = tr.arch.conv %13 ["9.conv"] <out = 4, kernel = [1, 1]> : !a -> !a
  %15 = tr.arch.bn2d %14 ["10.bn"] eps 1.0e-5 momentum 0.1 : !a -> !a
  %16 = tr.arch.gap %15 ["11"] : !a -> !f
  %17 = tr.arch.fc %16 ["12.fc"] out 4 bias true : !f -> !f
  tr.arch.yield %17 : !f
}
)mlir";

using Populate = void (*)(RewritePatternSet &, MergeCounts *);

// Steps 7 to 10 in order.
constexpr Populate kSteps[] = {populateArchMergeBlocksPatterns, populateArchMergeCbrpPatterns,
                               populateArchMergeCbrPatterns, populateArchMergeGapFcPatterns};

class MergePatterns : public ::testing::Test {
protected:
  void SetUp() override {
    context.disableMultithreading();
    context.loadDialect<TRDialect>();
    module = parseSourceString<ModuleOp>(kNet, &context);
    ASSERT_TRUE(module);
  }

  template <typename OpT> int count() {
    int total = 0;
    module->walk([&](OpT) { ++total; });
    return total;
  }

  void expectMerged() {
    EXPECT_TRUE(succeeded(module->verify()));
    EXPECT_EQ(count<arch::BlockOp>(), 1);
    EXPECT_EQ(count<arch::CbrpOp>(), 1);
    EXPECT_EQ(count<arch::CbrOp>(), 1);
    EXPECT_EQ(count<arch::GapFcOp>(), 1);
    EXPECT_EQ(count<arch::Add2Op>() + count<arch::ActOp>() + count<arch::GapOp>(), 0);
    // The convolution without an activation and its bn2d are left.
    EXPECT_EQ(count<arch::ConvOp>(), 1);
    EXPECT_EQ(count<arch::Bn2dOp>(), 1);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(MergePatterns, CountWhatTheyDo) {
  for (auto [step, missed] : {std::pair(0, 0), {1, 0}, {2, 1}, {3, 0}}) {
    MergeCounts counts;
    RewritePatternSet patterns(&context);
    kSteps[step](patterns, &counts);
    applyPatternsOnce(*module, std::move(patterns));
    EXPECT_EQ(counts.merged, 1u) << "step " << step;
    EXPECT_EQ(counts.missed, static_cast<unsigned>(missed)) << "step " << step;
  }
  expectMerged();
}

TEST_F(MergePatterns, ReachAFixedPointUnderTheGreedyDriver) {
  for (Populate populate : kSteps) {
    RewritePatternSet patterns(&context);
    populate(patterns, nullptr);
    ASSERT_TRUE(succeeded(applyPatternsGreedily(*module, std::move(patterns))));
  }
  expectMerged();
  RewritePatternSet all(&context);
  for (Populate populate : kSteps)
    populate(all, nullptr);
  bool changed = true;
  ASSERT_TRUE(succeeded(applyPatternsGreedily(*module, std::move(all), {}, &changed)));
  EXPECT_FALSE(changed);
}

TEST_F(MergePatterns, MergedLayersKeepAllLocations) {
  RewritePatternSet patterns(&context);
  populateArchMergeBlocksPatterns(patterns);
  applyPatternsOnce(*module, std::move(patterns));
  ASSERT_EQ(count<arch::BlockOp>(), 1);
  module->walk([](arch::BlockOp block) {
    auto fused = dyn_cast<FusedLoc>(block.getLoc());
    ASSERT_TRUE(fused);
    EXPECT_EQ(fused.getLocations().size(), 7u); // add2, five layers, the ReLU
  });
}

} // namespace
