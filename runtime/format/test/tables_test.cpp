// SPDX-License-Identifier: Apache-2.0
//
// Tables of the format: unique spellings, names of regions, and what follows from columns.
#include "trf/kernel_ops.h"
#include "trf/plan_format.h"
#include "trf/regions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace trf;

namespace {

template <typename E> class TableTest : public testing::Test {};
using Tables = testing::Types<DType, Instance, Precision, Activation, ConvAlgorithm, DeviceKind,
                              Init, ParamLayout, TensorLayout, Optimizer, Target, Schedule,
                              Subgraph, StandardVariant, Role, Group, SharedTensor>;
TYPED_TEST_SUITE(TableTest, Tables);

// Every region that a plan may have, of every element type.
std::vector<Region> validRegions() {
  std::vector<Region> regions;
  for (const RoleRow &role : kRoles)
    for (const GroupRow &group : kGroups)
      if (const Region region{role.value, group.value}; region.isValid())
        regions.push_back(region);
  return regions;
}

// The regions that the project's design lists, by name and element type.
const std::pair<const char *, DType> kDesignRegions[] = {
    {"b_prev_mean", DType::F32},       {"b_prev_var", DType::F32},
    {"b_next_mean", DType::F32},       {"b_next_var", DType::F32},
    {"w_eq_bias", DType::F32},         {"w_eq_scale", DType::F32},
    {"w_bn_bias", DType::F32},         {"w_bn_weight", DType::F32},
    {"w_fc_bias", DType::F32},         {"w_fc_weight", DType::F32},
    {"w_first_conv", DType::F32},      {"w_deep_conv", DType::F32},
    {"e_bn_bias", DType::F32},         {"e_bn_weight", DType::F32},
    {"e_fc_bias", DType::F32},         {"e_fc_weight", DType::F32},
    {"e_first_conv", DType::F32},      {"e_deep_conv", DType::F32},
    {"e_fc_weight_fp16", DType::F16},  {"e_first_conv_fp16", DType::F16},
    {"e_deep_conv_fp16", DType::F16},  {"a_fc_weight", DType::F16},
    {"a_first_conv", DType::F16},      {"a_deep_conv", DType::F16},
    {"g_bn_bias", DType::F32},         {"g_bn_weight", DType::F32},
    {"g_fc_bias", DType::F32},         {"g_fc_weight", DType::F32},
    {"g_first_conv", DType::F32},      {"g_deep_conv", DType::F32},
    {"r_result", DType::F32},          {"g_fc_weight_fp16", DType::F16},
    {"g_first_conv_fp16", DType::F16}, {"g_deep_conv_fp16", DType::F16},
    {"m_bn_bias", DType::F32},         {"m_bn_weight", DType::F32},
    {"m_fc_bias", DType::F32},         {"m_fc_weight", DType::F32},
    {"m_first_conv", DType::F32},      {"m_deep_conv", DType::F32},
    {"v_bn_bias", DType::F32},         {"v_bn_weight", DType::F32},
    {"v_fc_bias", DType::F32},         {"v_fc_weight", DType::F32},
    {"v_first_conv", DType::F32},      {"v_deep_conv", DType::F32},
    {"n_fc_weight", DType::F32},       {"n_first_conv", DType::F32},
    {"n_deep_conv", DType::F32},       {"i_a_label", DType::I32},
    {"i_a_data", DType::F32},          {"i_b_label", DType::I32},
    {"i_b_data", DType::F32},          {"f_feature_fp32", DType::F32},
    {"f_grad_slot_fp32", DType::F32},  {"f_feature_fp16", DType::F16},
    {"f_grad_slot_fp16", DType::F16},  {"s_scalar_fp32", DType::F32},
    {"s_scalar_fp16", DType::F16},     {"s_scalar_int32", DType::I32},
    {"s_scalar_int8", DType::U8},      {"s_mask", DType::U8},
    {"t_temp_fp32", DType::F32},       {"t_temp_fp16", DType::F16},
    {"t_temp_int32", DType::I32},      {"t_temp_int8", DType::U8},
    {"r_predicted_label", DType::I32}, {"r_result_accumulated", DType::F32},
};

} // namespace

TYPED_TEST(TableTest, RowsAreDenseAndSpellingsFindThem) {
  std::set<std::string_view> names;
  uint32_t id = 0;
  for (const auto &row : Table<TypeParam>::rows) {
    EXPECT_EQ(static_cast<uint32_t>(row.value), id++);
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(symbolize<TypeParam>(row.name), row.value) << row.name;
    EXPECT_EQ(name(row.value), row.name);
  }
  EXPECT_EQ(id, kCount<TypeParam>);
  EXPECT_FALSE(symbolize<TypeParam>("no such spelling"));
  EXPECT_NE(Table<TypeParam>::noun, std::string());
}

TEST(Tables, RegionNamesAreUniqueAndFindTheirRegion) {
  std::set<std::string> names;
  for (const Region region : validRegions()) {
    EXPECT_EQ(symbolizeRegion(regionName(region)), region) << regionName(region);
    for (const DTypeRow &dtype : kDTypes)
      EXPECT_TRUE(names.insert(regionName(region, dtype.value)).second)
          << regionName(region, dtype.value);
  }
  EXPECT_EQ(names.size(), validRegions().size() * kCount<DType>);
  for (const char *none : {"", "w", "w_", "w_none", "w_fc", "wfc_weight", "x_fc_weight",
                           "f_feature_fp32", "b_prev_mean_fc_bias"})
    EXPECT_FALSE(symbolizeRegion(none)) << none;
}

TEST(Tables, TypedRegionsAreFoundByTheNameThatTheyHave) {
  std::set<std::string> names;
  for (const Region region : validRegions())
    for (const DTypeRow &dtype : kDTypes) {
      const TypedRegion typed = typedRegion(region, dtype.value);
      EXPECT_TRUE(typed.isValid());
      EXPECT_EQ(typed.dtype.has_value(), !region.isPooled());
      EXPECT_EQ(symbolizeTypedRegion(typed.name()), typed) << typed.name();
      names.insert(typed.name());
    }
  size_t pooled = 0;
  for (const Region region : validRegions())
    pooled += region.isPooled();
  EXPECT_EQ(names.size(), pooled + (validRegions().size() - pooled) * kCount<DType>);
  for (const char *none : {"", "s_scalar", "w_fc_weight_fp32", "f_feature_fp32", "w_fc_weight_f16"})
    EXPECT_FALSE(symbolizeTypedRegion(none)) << none;
}

TEST(Tables, TargetsAreFoundWithAndWithoutTheirDevice) {
  for (const TargetRow &target : kTargets)
    EXPECT_EQ(symbolizeTarget(targetName(target.value)), target.value);
  EXPECT_EQ(targetName(Target::CpuV3), "cpu:x86-64-v3");
  EXPECT_EQ(symbolizeTarget("x86-64-v4"), Target::CpuV4);
  EXPECT_EQ(symbolizeTarget("cpu"), Target::CpuAny);
  for (const char *none : {"", "x86-64-v5", "cpu:", "cpu:any:any", "gpu:any", ":any"})
    EXPECT_FALSE(symbolizeTarget(none)) << none;
}

TEST(Tables, ARegionWithoutGroupOrWithTooManyIsInvalid) {
  EXPECT_FALSE((Region{Role::Weight}).isValid());
  EXPECT_FALSE((Region{Role::Feature, Group::FcBias}).isValid());
}

TEST(Tables, TheRegionsOfTheDesignHaveTheirNames) {
  std::set<std::pair<std::string, DType>> names;
  for (const Region region : validRegions())
    for (const DTypeRow &dtype : kDTypes)
      names.insert({regionName(region, dtype.value), dtype.value});
  for (const auto &[name, dtype] : kDesignRegions)
    EXPECT_TRUE(names.count({name, dtype})) << name;
  EXPECT_EQ(std::size(kDesignRegions), 68u);
}

// So that one op updates all groups of a role that decay, and another one the rest.
TEST(Tables, GroupsThatDecayLieTogether) {
  std::vector<Region> regions = validRegions();
  std::sort(regions.begin(), regions.end(), isBefore);
  for (size_t i = 1; i < regions.size(); ++i) {
    EXPECT_TRUE(isBefore(regions[i - 1], regions[i]));
    EXPECT_FALSE(isBefore(regions[i], regions[i - 1]));
    const bool falls = row(regions[i - 1].group).decayed && !row(regions[i].group).decayed;
    EXPECT_FALSE(falls && regions[i].role == regions[i - 1].role);
  }
}

TEST(Tables, SchedulesAreKindsOfStepsOnHalves) {
  for (const ScheduleRow &schedule : kSchedules)
    EXPECT_EQ(scheduleOf(schedule.step, schedule.half), schedule.value) << schedule.name;
  EXPECT_EQ(scheduleOf(StepKind::Validate, Half::B), Schedule::ValB);
}

TEST(Tables, SubgraphsOfAHalfRunInStepsOnIt) {
  EXPECT_TRUE(row(Subgraph::DeepFwdBwd).isRunBy(true));
  EXPECT_FALSE(row(Subgraph::DeepFwdBwd).isRunBy(false));
  EXPECT_TRUE(row(Subgraph::InfMainA).isRunBy(false));
  EXPECT_TRUE(row(Subgraph::ClearMetrics).isRunBy(true));
  EXPECT_EQ(row(Subgraph::TransferB).half, Half::B);
  // Places of a kind of step are a dense order; the halves share one.
  for (const StepKind step : {StepKind::Train, StepKind::Validate, StepKind::Infer})
    for (const Half half : {Half::A, Half::B}) {
      std::set<int> places;
      for (const SubgraphRow &subgraph : kSubgraphs)
        if (subgraph.places[step] != 0 && (subgraph.half == Half::Both || subgraph.half == half)) {
          EXPECT_TRUE(places.insert(subgraph.places[step]).second) << subgraph.name;
        }
      EXPECT_EQ(*places.begin(), 1);
      EXPECT_EQ(static_cast<size_t>(*places.rbegin()), places.size());
    }
}

TEST(Tables, SharedTensorsLieWhereTheirRoleSays) {
  for (const Half half : {Half::A, Half::B}) {
    const HalfTensors tensors = tensorsOf(half);
    for (const SharedTensor tensor : {tensors.images, tensors.labels, tensors.valid})
      EXPECT_EQ(row(row(tensor).role).half, half) << name(tensor);
  }
  for (const SharedTensorRow &tensor : kSharedTensors) {
    const Region region{tensor.role};
    EXPECT_TRUE(region.isValid()) << tensor.name;
    EXPECT_TRUE(!region.row().home || region.row().home == tensor.dtype) << tensor.name;
  }
}

TEST(Tables, ADeviceRunsWhatAsksForLess) {
  EXPECT_TRUE(covers(Target::CpuV4, Target::CpuV3));
  EXPECT_TRUE(covers(Target::CpuV3, Target::CpuV3));
  EXPECT_TRUE(covers(Target::CpuAny, Target::CpuAny));
  EXPECT_FALSE(covers(Target::CpuAny, Target::CpuV3));
}

TEST(Tables, SlotsHoldTheirElementsAndSomeMore) {
  for (const DTypeRow &dtype : kDTypes)
    for (const int64_t elements : {0, 1, 60, 61, 128, 1000}) {
      const int64_t bytes = slotBytes(dtype.value, elements);
      EXPECT_EQ(bytes % TRF_TENSOR_ALIGN, 0) << dtype.name;
      EXPECT_GE(bytes, elements * bytesOf(dtype.value) + 16) << dtype.name;
    }
  // Whole regions can be cast between 32 and 16 bits.
  for (const int64_t elements : {1, 119, 120, 121, 1000})
    EXPECT_EQ(slotBytes(DType::F32, elements), 2 * slotBytes(DType::BF16, elements));
}

TEST(Tables, OpcodesFindTheirRows) {
  std::set<std::string_view> names;
  for (const OpInfo &op : kOps) {
    EXPECT_TRUE(names.insert(op.name).second) << op.name;
    EXPECT_EQ(&info(op.opcode), &op);
    EXPECT_EQ(&kOps[positionOf(op.opcode)], &op);
    EXPECT_EQ(symbolizeOpcode(op.name), op.opcode);
    EXPECT_EQ(name(op.opcode), op.name);
    EXPECT_TRUE(isOpcode(static_cast<uint32_t>(op.opcode)));
  }
  EXPECT_FALSE(symbolizeOpcode("conv"));
  for (const uint32_t none : {1u, 9u, 142u, 0xffffffffu})
    EXPECT_FALSE(isOpcode(none)) << none;
}

TEST(Tables, OperandsAndAttributesHaveTheNamesOfTheRow) {
  const OpInfo &conv = info(Opcode::conv_inf);
  EXPECT_EQ(conv.operands[ops::conv_inf::shortcut].name, "shortcut");
  EXPECT_EQ(conv.operands.size(), static_cast<uint32_t>(ops::conv_inf::kOperandCount));
  EXPECT_TRUE(conv.operands[ops::conv_inf::shortcut].isOptional());
  EXPECT_TRUE(conv.operands[ops::conv_inf::y].mayLieOn(ops::conv_inf::shortcut));
  Attr values[12] = {};
  for (int64_t i = 0; i < 12; ++i)
    values[i].i = i;
  const auto attrs = readAttrs<ops::conv_inf::Attrs>(values);
  EXPECT_EQ(attrs.stride_w, 3);
  values[9].i = static_cast<int64_t>(Activation::SiLU);
  EXPECT_EQ(readAttrs<ops::conv_inf::Attrs>(values).act, Activation::SiLU);
}

// The number of the row alone is the activation with the row's own parameter.
TEST(Tables, ActivationsHoldTheirParameter) {
  for (const ActivationRow &row : kActivations) {
    ActAttr attr;
    attr.bits = static_cast<int64_t>(row.value);
    EXPECT_EQ(Act(attr), Act(row.value));
    EXPECT_EQ(ActAttr(Act(row.value)).bits, attr.bits);
    EXPECT_EQ(name(Act(row.value)), row.name);
    EXPECT_EQ(symbolizeAct(row.name), Act(row.value));
    EXPECT_EQ(Act(row.value, 2).isValid(), row.hasParameter());
  }
  const Act steep(Activation::LeakyReLU, 0.2f);
  EXPECT_EQ(Act(ActAttr(steep)), steep);
  EXPECT_EQ(name(steep), "leaky_relu(0.2)");
  EXPECT_EQ(name(Act(Activation::ELU, 1e-7f)), "elu(0.0000001)");
  EXPECT_EQ(symbolizeAct("leaky_relu(0.2)"), steep);
  EXPECT_EQ(symbolizeAct("leaky_relu(0)"), Act(Activation::LeakyReLU, 0));
  for (const char *wrong : {"leaky_relu(0.2", "leaky_relu()", "leaky_relu(-1)", "relu(1)",
                            "elu(1)x", "nothing", "elu(2000000)", ""})
    EXPECT_FALSE(symbolizeAct(wrong)) << wrong;
}

TEST(Tables, LaterAttributesHaveAValueOfTheirOwn) {
  const OpInfo &pool = info(Opcode::maxpool_fwd);
  EXPECT_EQ(pool.leastAttrs(), 7u);
  ASSERT_EQ(pool.attrs.size(), 11u);
  EXPECT_EQ(pool.attrs[9].name, "dilation_h");
  EXPECT_EQ(pool.attrs[9].since, 1u);
  EXPECT_EQ(missingAttr(pool.attrs[9]).i, 1);
  EXPECT_EQ(ops::maxpool_fwd::Attrs().dilation_h, 1);
  Attr one, two;
  one.i = 1;
  two.i = 2;
  EXPECT_TRUE(isAsMissing(pool.attrs[9], one));
  EXPECT_FALSE(isAsMissing(pool.attrs[9], two));
  EXPECT_FALSE(isAsMissing(pool.attrs[0], one)); // the kernel came with the op
  EXPECT_EQ(info(Opcode::act_fwd).leastAttrs(), info(Opcode::act_fwd).attrs.size());
}

TEST(Tables, TypeVariablesFollowTheInstance) {
  EXPECT_EQ(typeOf(OperandType::A, Instance::F32), DType::F32);
  EXPECT_EQ(typeOf(OperandType::U8, Instance::F32), DType::U8);
  EXPECT_FALSE(typeOf(OperandType::Any, Instance::F32));
  EXPECT_FALSE(typeOf(OperandType::I, Instance::F32));
  EXPECT_TRUE(hasInstances(info(Opcode::conv_fwd)));
  EXPECT_FALSE(hasInstances(info(Opcode::range_sgd)));
  EXPECT_EQ(row(Precision::FP32).findInstance(), Instance::F32);
  EXPECT_FALSE(row(Precision::AmpBF16).findInstance());
}
