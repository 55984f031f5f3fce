// SPDX-License-Identifier: Apache-2.0
//
// Texts from outside.
#include "trs/text.h"

#include <gtest/gtest.h>

namespace trs {
namespace {

TEST(Printable, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("conv1"), "conv1");
  EXPECT_EQ(printable("a\nb\x1b[31mc\x7f"), "a\\x0ab\\x1b[31mc\\x7f");
  EXPECT_EQ(printable(std::string("\0x", 2)), "\\x00x");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m"); // U+009B, a one-byte escape sequence
}

TEST(Printable, KeepsUtf8AndEscapesTheRest) {
  EXPECT_EQ(printable("gr\xc3\xb6\xc3\x9f"
                      "e \xe2\x82\xac \xf0\x9f\x99\x82"),
            "gr\xc3\xb6\xc3\x9f"
            "e \xe2\x82\xac \xf0\x9f\x99\x82");
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xc3"), "\\xc3");                   // cut
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");          // not the shortest form
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80"); // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Printable, IsAsLongAsALine) {
  EXPECT_EQ(printable(std::string(1000, 'x')), std::string(120, 'x') + "...");
  EXPECT_EQ(printable(std::string(120, 'x')), std::string(120, 'x'));
  EXPECT_LT(printable(std::string(1000, '\1')).size(), 130u);
}

} // namespace
} // namespace trs
