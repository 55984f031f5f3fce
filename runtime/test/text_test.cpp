// SPDX-License-Identifier: Apache-2.0
//
// Text helpers of error messages.
#include "base/text.h"

#include <gtest/gtest.h>

using namespace trrt;

TEST(Text, DidYouMean) {
  EXPECT_EQ(didYouMean("xyz", {"--epochs", "--seed"}), "");
  EXPECT_EQ(didYouMean("traim", {"train", "eval"}), "; did you mean 'train'?");
}

TEST(Text, Printable) {
  EXPECT_EQ(printable("a\nb\x7f"), "a\\x0ab\\x7f");
  const std::string cut = printable(std::string(119, 'x') + "\xc3\xa9zzz");
  EXPECT_EQ(cut.substr(119), "...");
}

TEST(Text, Shape) { EXPECT_EQ(shapeText({3, 1}), "[3, 1]"); }
