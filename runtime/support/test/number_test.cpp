// SPDX-License-Identifier: Apache-2.0
//
// Numbers at the edges of their notation and of their type.
#include "trs/number.h"

#include <gtest/gtest.h>

#include <limits>

namespace trs {
namespace {

TEST(Number, Integers) {
  const struct {
    const char *text;
    int64_t value;
    const char *reason;
  } rows[] = {
      {"0", 0, ""},
      {"010", 10, ""},
      {"08", 8, ""},
      {"-7", -7, ""},
      {"9223372036854775807", std::numeric_limits<int64_t>::max(), ""},
      {"9223372036854775808", -1, "it has more than 64 bits"},
      {"0x40", -1, "it is hexadecimal, and numbers are decimal"},
      {"-0X4", -1, "it is hexadecimal, and numbers are decimal"},
      {"", -1, "it is no integer"},
      {"-", -1, "it is no integer"},
      {" 1", -1, "it is no integer"},
      {"1 ", -1, "it is no integer"},
      {"1e3", -1, "it is no integer"},
      {"1.0", -1, "it is no integer"},
  };
  for (const auto &row : rows) {
    int64_t value = -1;
    EXPECT_EQ(parseInteger(row.text, value), row.reason) << row.text;
    EXPECT_EQ(value, row.value) << row.text;
  }
  uint64_t value = 0;
  EXPECT_EQ(parseUnsigned("18446744073709551615", value), "");
  EXPECT_EQ(value, std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(parseUnsigned("-1", value), "it is no integer without a sign");
}

TEST(Number, Reals) {
  const struct {
    const char *text;
    double value;
    const char *reason;
  } rows[] = {
      {"0.5", 0.5, ""},
      {"1e-3", 1e-3, ""},
      {"-.5", -0.5, ""},
      {"010", 10, ""},
      {"1e400", -1, "it is beyond what FP64 holds"},
      {"inf", -1, "it is not finite"},
      {"nan", -1, "it is not finite"},
      {"0x1p3", -1, "it is hexadecimal, and numbers are decimal"},
      {"1,5", -1, "it is no number"},
      {"", -1, "it is no number"},
  };
  for (const auto &row : rows) {
    double value = -1;
    EXPECT_EQ(parseReal(row.text, value), row.reason) << row.text;
    EXPECT_EQ(value, row.value) << row.text;
  }
}

TEST(Number, InFp32) {
  const struct {
    double value;
    const char *reason;
  } rows[] = {
      {0.0, ""},
      {3.4e38, ""},
      {1.2e-38, ""},
      {-1e-3, ""},
      {1e39, "it is infinite in FP32"},
      {1e-50, "it is 0 in FP32"},
      {1e-40, "it is 0 in FP32"},
      {std::numeric_limits<double>::infinity(), "it is infinite"},
      {std::numeric_limits<double>::quiet_NaN(), "it is not a number"},
  };
  for (const auto &row : rows) {
    float value = -1;
    EXPECT_EQ(narrow(row.value, value), row.reason) << row.value;
  }
}

} // namespace
} // namespace trs
