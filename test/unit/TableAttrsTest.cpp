// SPDX-License-Identifier: Apache-2.0
//
// The tables of the plan format as attributes of `tr.graph`: every row comes back from its
// text, and two rows are never one attribute.
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
    EXPECT_EQ(cast<OptionsAttr>(whole).getTarget(), target.value);
  }
}

} // namespace
