// SPDX-License-Identifier: Apache-2.0
//
// Text helpers of error messages.
#include "base/text.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace trrt;

TEST(Text, DidYouMean) {
  EXPECT_EQ(didYouMean("xyz", {"--epochs", "--seed"}), "");
  EXPECT_EQ(didYouMean("traim", {"train", "eval"}), "; did you mean 'train'?");
}

TEST(Text, ShortNumber) {
  EXPECT_EQ(shortNumber(0.001), "0.001");
  EXPECT_EQ(shortNumber(1e39), "1e+39");
  EXPECT_EQ(shortNumber(-std::nan("")), "nan");
}

TEST(Text, Shape) { EXPECT_EQ(shapeText({3, 1}), "[3, 1]"); }
