// SPDX-License-Identifier: Apache-2.0
//
// What is built on Philox: permutations and initial values; and layouts of parameters.
#include "data/permutation.h"
#include "plan/param_layout.h"
#include "session/initial_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace trf;
using namespace trrt;

static std::vector<uint64_t> orderOf(uint64_t n, uint64_t seed, uint64_t epoch) {
  const Permutation permutation(n, seed, epoch);
  std::vector<uint64_t> order(n);
  for (uint64_t i = 0; i < n; ++i)
    order[i] = permutation(i);
  return order;
}

TEST(Permutation, IsABijection) {
  for (const uint64_t n : {1, 2, 3, 4, 5, 7, 16, 17, 64, 65, 1000, 4096, 4097, 60000}) {
    std::vector<uint64_t> order = orderOf(n, 7, 3);
    std::sort(order.begin(), order.end());
    for (uint64_t i = 0; i < n; ++i)
      ASSERT_EQ(order[i], i) << "n = " << n;
  }
}

TEST(Permutation, DependsOnSeedAndEpochAlone) {
  const auto base = orderOf(1000, 1, 0);
  EXPECT_EQ(base, orderOf(1000, 1, 0));
  EXPECT_NE(base, orderOf(1000, 2, 0));
  EXPECT_NE(base, orderOf(1000, 1, 1));
  EXPECT_NE(base, orderOf(1000, uint64_t{1} << 32 | 1, 0));
}

// A shuffle leaves about one element in place and moves the rest by n/3 on average.
TEST(Permutation, Shuffles) {
  const uint64_t n = 10007;
  const auto order = orderOf(n, 5, 2);
  uint64_t fixed = 0;
  double distance = 0;
  for (uint64_t i = 0; i < n; ++i) {
    fixed += order[i] == i;
    distance += std::fabs(static_cast<double>(order[i]) - static_cast<double>(i));
  }
  EXPECT_LT(fixed, 10u);
  EXPECT_NEAR(distance / static_cast<double>(n * n), 1.0 / 3.0, 0.02);
}

static Param makeParam(ParamLayout layout, Init init, double scale, Dims logical) {
  Param param;
  param.name = "p";
  param.layout = layout;
  param.init = init;
  param.init_scale = scale;
  param.logical = logical;
  return param;
}

static std::vector<float> initial(const Param &param, uint32_t index, uint64_t seed) {
  std::vector<float> values(static_cast<size_t>(fileElements(param)));
  initialValues(param, index, seed, values.data());
  return values;
}

TEST(Init, NormalHasItsMoments) {
  const Param param = makeParam(ParamLayout::Conv, Init::Normal, 0.25, {64, 5, 5, 31});
  const std::vector<float> values = initial(param, 3, 11);
  double sum = 0, squares = 0;
  for (const float v : values) {
    sum += v;
    squares += double{v} * v;
  }
  const double n = static_cast<double>(values.size());
  EXPECT_NEAR(sum / n, 0.0, 0.005);
  EXPECT_NEAR(std::sqrt(squares / n), 0.25, 0.005);
}

TEST(Init, UniformStaysInItsRange) {
  const Param param = makeParam(ParamLayout::Vector, Init::Uniform, 0.5, {1, 1, 1, 10001});
  const std::vector<float> values = initial(param, 0, 11);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  EXPECT_GE(*least, -0.5f);
  EXPECT_LT(*most, 0.5f);
  EXPECT_LT(*least, -0.499f);
  EXPECT_GT(*most, 0.499f);
  EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0) / 10001, 0.0, 0.01);
}

TEST(Init, DependsOnSeedAndIndexAlone) {
  const Param param = makeParam(ParamLayout::Vector, Init::Normal, 1, {1, 1, 1, 13});
  EXPECT_EQ(initial(param, 2, 5), initial(param, 2, 5));
  EXPECT_NE(initial(param, 2, 5), initial(param, 3, 5));
  EXPECT_NE(initial(param, 2, 5), initial(param, 2, 6));
  // A longer tensor begins with the same values.
  const Param longer = makeParam(ParamLayout::Vector, Init::Normal, 1, {1, 1, 1, 29});
  const std::vector<float> a = initial(param, 2, 5), b = initial(longer, 2, 5);
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin()));
}

TEST(Init, ConstantsAreConstant) {
  EXPECT_EQ(initial(makeParam(ParamLayout::Vector, Init::Constant, 1e-6, {1, 1, 1, 2}), 0, 1),
            (std::vector<float>{1e-6f, 1e-6f}));
  EXPECT_EQ(initial(makeParam(ParamLayout::Vector, Init::Ones, 0, {1, 1, 1, 3}), 0, 1),
            (std::vector<float>{1, 1, 1}));
  EXPECT_EQ(initial(makeParam(ParamLayout::Vector, Init::Zeros, 0, {1, 1, 1, 3}), 0, 1),
            (std::vector<float>{0, 0, 0}));
}

// Device OHWI with i innermost, file OIHW.
TEST(ParamLayout, ConvIsPermuted) {
  const Dims dims = {2, 3, 1, 2};
  const Param param = makeParam(ParamLayout::Conv, Init::Zeros, 0, dims);
  EXPECT_EQ(fileShape(param), (std::vector<int64_t>{2, 2, 3, 1}));
  std::vector<float> file(12), device(12), back(12);
  std::iota(file.begin(), file.end(), 0.0f);
  fileToDevice(param, dims, file.data(), device.data());
  // file[o][i][kh][kw] = 6o + 3i + kh goes to device[o][kh][kw][i].
  EXPECT_EQ(device, (std::vector<float>{0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11}));
  deviceToFile(param, dims, device.data(), back.data());
  EXPECT_EQ(back, file);
}

// Columns of the file run over c, h, w; those of the device over h, w, c.
TEST(ParamLayout, FcColumnsArePermuted) {
  const Dims dims = {1, 2, 3, 2};
  const Param param = makeParam(ParamLayout::Fc, Init::Zeros, 0, dims);
  EXPECT_EQ(fileShape(param), (std::vector<int64_t>{1, 12}));
  std::vector<float> file(12), device(12);
  std::iota(file.begin(), file.end(), 0.0f);
  fileToDevice(param, dims, file.data(), device.data());
  EXPECT_EQ(device, (std::vector<float>{0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11}));
}

TEST(ParamLayout, PaddedChannelsAreZero) {
  const Param param = makeParam(ParamLayout::Conv, Init::Zeros, 0, {1, 1, 2, 1});
  const Dims device = {1, 1, 2, 4};
  EXPECT_EQ(checkLayout(param, device), "");
  EXPECT_NE(checkLayout(param, {1, 1, 1, 4}), "");
  const std::vector<float> file = {5, 6};
  std::vector<float> values(8, -1.0f), back(2);
  fileToDevice(param, device, file.data(), values.data());
  EXPECT_EQ(values, (std::vector<float>{5, 0, 0, 0, 6, 0, 0, 0}));
  deviceToFile(param, device, values.data(), back.data());
  EXPECT_EQ(back, file);
}
