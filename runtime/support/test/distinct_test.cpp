// SPDX-License-Identifier: Apache-2.0
//
// Two names of one file.
#include "scratch.h"
#include "trs/output_file.h"

#include <gtest/gtest.h>

#include <unistd.h>

namespace trs {
namespace {

TEST(Distinct, TheSameFileByAnyName) {
  Scratch scratch;
  const std::string file = scratch.write("x", "old");
  std::filesystem::create_symlink("x", scratch / "link");
  std::filesystem::create_hard_link(file, scratch / "hard");
  for (const std::string &other :
       {file, scratch / "./x", scratch / "link", scratch / "hard", "/proc/self/root" + file}) {
    EXPECT_EQ(checkDistinct({{"MODEL", file}}, {{"--output", other}}),
              "MODEL and --output are the same file '" + other + "'");
    EXPECT_EQ(checkDistinct({}, {{"--log", file}, {"--save", other}}),
              "--log and --save are the same file '" + other + "'");
  }
  EXPECT_EQ(checkDistinct({{"MODEL", file}}, {{"--output", scratch / "y"}}), "");
  EXPECT_EQ(checkDistinct({{"A", file}, {"B", file}}, {}), "");
}

TEST(Distinct, FilesThatDoNotExistYet) {
  Scratch scratch;
  std::filesystem::create_symlink("new", scratch / "dangling");
  EXPECT_NE(checkDistinct({}, {{"--log", scratch / "new"}, {"--save", scratch / "dangling"}}), "");
  EXPECT_NE(checkDistinct({}, {{"--log", scratch / "new"}, {"--save", scratch / "./new"}}), "");
  EXPECT_EQ(checkDistinct({}, {{"--log", scratch / "new"}, {"--save", scratch / "other"}}), "");
  EXPECT_EQ(checkDistinct({}, {{"--log", scratch / "no/x"}, {"--save", scratch / "no/x"}}), "");
}

TEST(Distinct, DevicesMayBeNamedTwice) {
  EXPECT_EQ(checkDistinct({{"A", "/dev/null"}}, {{"--log", "/dev/null"}, {"--save", "/dev/null"}}),
            "");
  EXPECT_EQ(checkDistinct({{"A", "-"}}, {{"--output", "-"}}), "");
}

TEST(Distinct, TheStandardOutputMayBeAFile) {
  Scratch scratch;
  const std::string file = scratch.write("x", "");
  const int kept = dup(STDOUT_FILENO);
  ASSERT_NE(std::freopen(file.c_str(), "w", stdout), nullptr);
  const std::string error = checkDistinct({{"MODEL", file}}, {{"--output", "-"}});
  dup2(kept, STDOUT_FILENO);
  close(kept);
  EXPECT_EQ(error, "MODEL and --output are the same file '" + file + "'");
}

} // namespace
} // namespace trs
