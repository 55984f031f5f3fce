// SPDX-License-Identifier: Apache-2.0
//
// Outputs at their edges: every kind of file, every moment of failure.
#include "scratch.h"
#include "trs/output_file.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

namespace trs {
namespace {

mode_t modeOf(const std::string &path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

bool isLink(const std::string &path) {
  struct stat info;
  return lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
}

TEST(OutputFile, NewFileHasTheUsersMode) {
  Scratch scratch;
  const mode_t old = umask(0027);
  EXPECT_EQ(writeWholeFile(scratch / "x", "new"), "");
  umask(old);
  EXPECT_EQ(scratch.read("x"), "new");
  EXPECT_EQ(modeOf(scratch / "x"), 0640u);
  EXPECT_EQ(scratch.countFiles(), 1u);
}

TEST(OutputFile, OldFileKeepsItsMode) {
  Scratch scratch;
  for (const mode_t mode : {0600u, 0644u, 0755u, 0666u}) {
    chmod(scratch.write("x", "old").c_str(), mode);
    EXPECT_EQ(writeWholeFile(scratch / "x", "new"), "");
    EXPECT_EQ(scratch.read("x"), "new");
    EXPECT_EQ(modeOf(scratch / "x"), mode);
  }
}

TEST(OutputFile, ALogCanBeFollowed) {
  Scratch scratch;
  chmod(scratch.write("x", "old").c_str(), 0600);
  std::filesystem::create_symlink("x", scratch / "link");
  std::filesystem::create_symlink("made", scratch / "dangling");
  for (const char *name : {"link", "dangling"}) {
    OutputFile log(scratch / name, OutputFile::Way::Append);
    EXPECT_TRUE(log.write("1\n"));
    EXPECT_EQ(scratch.read(name), "1\n");
    EXPECT_TRUE(log.write("2\n") && log.commit());
    EXPECT_EQ(scratch.read(name), "1\n2\n");
    EXPECT_TRUE(isLink(scratch / name));
  }
  EXPECT_EQ(modeOf(scratch / "x"), 0600u);
}

TEST(OutputFile, WithoutCommitNothingChanges) {
  Scratch scratch;
  scratch.write("x", "old");
  {
    OutputFile file(scratch / "x");
    EXPECT_TRUE(file.write("half"));
    EXPECT_EQ(scratch.read("x"), "old");
    EXPECT_EQ(scratch.countFiles(), 2u);
  }
  EXPECT_EQ(scratch.read("x"), "old");
  EXPECT_EQ(scratch.countFiles(), 1u);
}

TEST(OutputFile, LinksAreWrittenThrough) {
  Scratch scratch;
  std::filesystem::create_directory(scratch / "deep");
  scratch.write("deep/x", "old");
  std::filesystem::create_symlink("deep/x", scratch / "one");
  std::filesystem::create_symlink("one", scratch / "two");
  EXPECT_EQ(writeWholeFile(scratch / "two", "new"), "");
  EXPECT_EQ(scratch.read("deep/x"), "new");
  EXPECT_TRUE(isLink(scratch / "one") && isLink(scratch / "two"));

  std::filesystem::create_symlink(scratch / "deep/y", scratch / "dangling");
  EXPECT_EQ(writeWholeFile(scratch / "dangling", "made"), "");
  EXPECT_EQ(scratch.read("deep/y"), "made");
  EXPECT_TRUE(isLink(scratch / "dangling"));

  std::filesystem::create_symlink("b", scratch / "a");
  std::filesystem::create_symlink("a", scratch / "b");
  EXPECT_NE(writeWholeFile(scratch / "a", "x").find("symbolic links"), std::string::npos);
}

TEST(OutputFile, PipesAndDevicesAreStreamedTo) {
  Scratch scratch;
  ASSERT_EQ(mkfifo((scratch / "pipe").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = scratch.read("pipe"); });
  EXPECT_EQ(writeWholeFile(scratch / "pipe", "through"), "");
  reader.join();
  EXPECT_EQ(got, "through");
  EXPECT_TRUE(std::filesystem::is_fifo(scratch / "pipe"));
  EXPECT_EQ(writeWholeFile("/dev/null", "away"), "");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(OutputFile, OpenDescriptorsAreWrittenTo) {
  Scratch scratch;
  const int fd = open(scratch.write("x", "").c_str(), O_WRONLY | O_APPEND);
  for (const char *folder : {"/dev/fd/", "/proc/self/fd/"})
    EXPECT_EQ(writeWholeFile(folder + std::to_string(fd), "a"), "");
  close(fd);
  EXPECT_EQ(scratch.read("x"), "aa");
  EXPECT_EQ(writeWholeFile("/dev/fd/987", "a"), "cannot write '/dev/fd/987': Bad file descriptor");
}

TEST(OutputFile, AFullDiskLeavesTheOldFile) {
  const std::string error = writeWholeFile("/dev/full", "x");
  EXPECT_EQ(error, "cannot write '/dev/full': No space left on device");

  Scratch scratch;
  scratch.write("x", "old");
  struct rlimit old, small;
  getrlimit(RLIMIT_FSIZE, &old);
  small = old;
  small.rlim_cur = 100;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string large = writeWholeFile(scratch / "x", std::string(1000, 'n'));
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(large, "cannot write '" + scratch / "x" + "': File too large");
  EXPECT_EQ(scratch.read("x"), "old");
  EXPECT_EQ(scratch.countFiles(), 1u);
}

TEST(OutputFile, AFailureStays) {
  OutputFile file("/dev/full");
  EXPECT_FALSE(file.write("x"));
  EXPECT_FALSE(file.write("y"));
  EXPECT_FALSE(file.commit());
  EXPECT_TRUE(file.failed());
}

TEST(OutputFile, WhatCannotBeWritten) {
  Scratch scratch;
  EXPECT_EQ(writeWholeFile(scratch.folder, "x"),
            "cannot write '" + scratch.folder + "': Is a directory");
  EXPECT_EQ(writeWholeFile("", "x"), "cannot write '': No such file or directory");
  EXPECT_EQ(writeWholeFile(scratch / "none/x", "x"),
            "cannot write '" + scratch / "none/x" + "': No such file or directory");
  EXPECT_EQ(checkWritable(scratch / "none/x"), writeWholeFile(scratch / "none/x", "x"));
  EXPECT_EQ(checkWritable(scratch / "x"), "");
  EXPECT_EQ(scratch.countFiles(), 0u);
  if (geteuid() == 0)
    return; // rights hold root back from nothing
  chmod(scratch.write("x", "old").c_str(), 0400);
  EXPECT_EQ(writeWholeFile(scratch / "x", "new"),
            "cannot write '" + scratch / "x" + "': Permission denied");
}

TEST(OutputFile, LongNamesFitBesideThemselves) {
  Scratch scratch;
  const std::string name(255, 'n');
  EXPECT_EQ(writeWholeFile(scratch / name, "x"), "");
  EXPECT_EQ(scratch.read(name), "x");
}

// A child that is killed while it writes.
void writeAndDie(const std::string &path) {
  const pid_t child = fork();
  if (child == 0) {
    OutputFile file(path);
    file.write("half");
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
}

TEST(OutputFile, TheNextWriteRemovesWhatAKilledOneLeft) {
  Scratch scratch;
  writeAndDie(scratch / "x");
  writeAndDie(scratch / "x");
  EXPECT_EQ(scratch.countFiles(), 1u);
  EXPECT_EQ(writeWholeFile(scratch / "y", "other"), "");
  EXPECT_EQ(scratch.countFiles(), 2u);
  EXPECT_EQ(writeWholeFile(scratch / "x", "new"), "");
  EXPECT_EQ(scratch.countFiles(), 2u);
  EXPECT_EQ(scratch.read("x"), "new");
}

TEST(OutputFile, WhatIsBeingWrittenStays) {
  Scratch scratch;
  OutputFile first(scratch / "x");
  EXPECT_TRUE(first.write("first"));
  EXPECT_EQ(writeWholeFile(scratch / "x", "second"), "");
  EXPECT_EQ(scratch.read("x"), "second");
  EXPECT_TRUE(first.commit());
  EXPECT_EQ(scratch.read("x"), "first");
  EXPECT_EQ(scratch.countFiles(), 1u);
}

} // namespace
} // namespace trs
