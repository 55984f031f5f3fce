// SPDX-License-Identifier: Apache-2.0
//
// Which name a misspelt one was meant to be.
#include "trf/nearest.h"

#include <gtest/gtest.h>

using trf::findNearest;

TEST(Nearest, TellsWhatIsClose) {
  EXPECT_EQ(findNearest("--epoch", {"--epochs", "--seed"}), "--epochs");
  EXPECT_EQ(findNearest("trian", {"eval", "train"}), "train");
  EXPECT_EQ(findNearest("fashion", {"fashion-mnist"}), "fashion-mnist");
  EXPECT_EQ(findNearest("Conv", {"cbr", "conv"}), "conv");
}

TEST(Nearest, PrefersEqualLength) { EXPECT_EQ(findNearest("cbx", {"cbrp", "cbr"}), "cbr"); }

TEST(Nearest, TellsNothingElse) {
  EXPECT_EQ(findNearest("xyz", {"--epochs", "--seed"}), "");
  EXPECT_EQ(findNearest("a", {}), "");
  EXPECT_EQ(findNearest("a", {"b"}), ""); // no letter in common
  EXPECT_EQ(findNearest(std::string(1000, 'a'), {"a"}), "");
}
