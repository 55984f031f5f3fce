// SPDX-License-Identifier: Apache-2.0
//
// Tables as attributes: every row comes back from its text, and two rows are never one attribute.
#include "renaissance/Dialect/TR/IR/TRDialect.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <set>

using namespace mlir;
using namespace tr;

namespace {

class TableAttrs : public ::testing::Test {
protected:
  void SetUp() override { context.loadDialect<TRDialect>(); }

  // The attribute with this value, after a way through text.
  template <typename Attr, typename Value> void expectRoundTrip(Value value) {
    auto attr = Attr::get(&context, value);
    std::string text;
    llvm::raw_string_ostream(text) << attr;
    EXPECT_NE(text.find('"' + std::string(spell(value)) + '"'), std::string::npos) << text;
    EXPECT_EQ(parseAttribute(text, &context), attr) << text;
    EXPECT_TRUE(seen.insert(attr.getAsOpaquePointer()).second) << text;
  }
  template <typename Attr, typename Enum> void expectTable() {
    for (const auto &row : trf::Table<Enum>::rows)
      expectRoundTrip<Attr>(row.value);
  }

  MLIRContext context;
  std::set<const void *> seen;
};

TEST_F(TableAttrs, RowsComeBackFromTheirText) {
  expectTable<DTypeAttr, trf::DType>();
  expectTable<ParamLayoutAttr, trf::ParamLayout>();
  expectTable<InitAttr, trf::Init>();
  expectTable<SubgraphAttr, trf::Subgraph>();
  expectTable<InstanceAttr, trf::Instance>();
  expectTable<ConvAlgorithmAttr, trf::ConvAlgorithm>();
  expectTable<ScheduleAttr, trf::Schedule>();
  expectTable<PrecisionAttr, trf::Precision>();
  for (const trf::OpInfo &op : trf::kOps)
    expectRoundTrip<OpcodeAttr>(op.opcode);
}

TEST_F(TableAttrs, RegionsComeBackFromTheirText) {
  for (const trf::RoleRow &role : trf::kRoles)
    for (const trf::GroupRow &group : trf::kGroups) {
      trf::Region region{role.value, group.value};
      if (!region.isValid())
        continue;
      if (region.isPooled())
        expectRoundTrip<TypedRegionAttr>(trf::TypedRegion{region, std::nullopt});
      for (const trf::DTypeRow &dtype : trf::kDTypes)
        if (!region.isPooled())
          expectRoundTrip<TypedRegionAttr>(trf::TypedRegion{region, dtype.value});
    }
}

// Both spellings of a target are one.
TEST_F(TableAttrs, TargetsComeBackFromTheirText) {
  for (const trf::TargetRow &target : trf::kTargets) {
    std::string name(target.name);
    Attribute whole = parseAttribute("#tr.options<target = \"cpu:" + name + "\">", &context);
    ASSERT_TRUE(whole) << name;
    EXPECT_EQ(parseAttribute("#tr.options<target = \"" + name + "\">", &context), whole);
    EXPECT_EQ(cast<OptionsAttr>(whole).getValues().target, target.value);
  }
}

// Tables of the compiler's own stand in attributes as keywords.
TEST_F(TableAttrs, BlocksComeBackFromTheirText) {
  for (const BlockStyleRow &style : kBlockStyles) {
    Attribute attr = parseAttribute(("#tr.style<" + style.name + ">").str(), &context);
    EXPECT_EQ(attr, BlockStyleAttr::get(&context, style.value)) << style.name.str();
  }
  for (const BlockFamilyRow &family : kBlockFamilies)
    EXPECT_EQ(Spelling<BlockFamily>::find(family.name), family.value);
  for (const BlockShortcutRow &shortcut : kBlockShortcuts)
    EXPECT_EQ(Spelling<BlockShortcut>::find(shortcut.name), shortcut.value);
}

// A program may set members itself, so the attribute looks at ranges too.
TEST_F(TableAttrs, OptionsHoldTheirRanges) {
  CompileOptions options;
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  auto emit = [&] { return emitError(UnknownLoc::get(&context)); };
  EXPECT_TRUE(getOptionsAttr(&context, options, emit));
  options.slices = 0;
  EXPECT_FALSE(getOptionsAttr(&context, options, emit));
  EXPECT_EQ(message, "slices: expected an integer in [1, 1024], but got '0'");
  options = {};
  options.batch = -5;
  EXPECT_FALSE(getOptionsAttr(&context, options, emit));
  EXPECT_EQ(message, "batch: expected an integer in [1, 2147483647], but got '-5'");
  options = {};
  options.trainResolution = {{32, -1}, {}, -1};
  EXPECT_FALSE(getOptionsAttr(&context, options, emit));
  EXPECT_EQ(message, "train_res: expected R, HxW or R,R@EPOCH, but got '32x-1'");
}

// What an option is set to comes back as text that sets it to the same.
TEST(CompileOptions, ValuesComeBackFromTheirText) {
  CompileOptions set;
  for (auto [name, text] : {std::pair("batch", "7"),
                            {"drop-last", "true"},
                            {"val-res", "3x5"},
                            {"train-res", "32x24,16x8@3"},
                            {"optimizer", "adamw"},
                            {"precision", "amp_bf16"},
                            {"target", "cpu:any"}}) {
    EXPECT_EQ(setOption(set, name, text), "") << name;
    EXPECT_EQ(getOption(set, name), text) << name;
  }
  CompileOptions copy;
  for (const OptionRow &row : getOptionRows()) {
    std::string text = getOption(set, row.name);
    ASSERT_FALSE(text.empty()) << row.name;
    EXPECT_EQ(setOption(copy, row.name, text), "") << row.name;
  }
  EXPECT_TRUE(copy == set);
  for (const OptionRow &row : getOptionRows())
    resetOption(copy, row.name);
  EXPECT_TRUE(copy == CompileOptions());
  EXPECT_EQ(setOption(copy, "batches", "7"), "expected the name of an option, but got 'batches'");
}

} // namespace
