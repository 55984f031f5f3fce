// SPDX-License-Identifier: Apache-2.0
//
// Limits of control groups, on made-up trees of /proc and /sys.
#include "base/process_limits.h"
#include "temp_dir.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using trrt::availableCpus;
using trrt::availableMemory;

namespace {

class ProcessLimits : public testing::Test {
protected:
  void write(const std::string &path, const std::string &content) {
    const std::filesystem::path file = root + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << content;
  }
  // This process in group `group`, in a hierarchy mounted from `mountRoot`.
  void mountVersion2(const std::string &group, const std::string &mountRoot = "/") {
    write("/proc/self/cgroup", "0::" + group + "\n");
    write("/proc/self/mountinfo", "25 1 0:22 / /proc rw,nosuid - proc proc rw\n"
                                  "31 25 0:27 " +
                                      mountRoot +
                                      " /sys/fs/cgroup ro,relatime shared:4 - cgroup2 cgroup rw\n");
  }
  void mountVersion1(const std::string &group, const std::string &mountRoot = "/") {
    write("/proc/self/cgroup", "7:cpu,cpuacct:" + group + "\n4:memory:" + group + "\n0::/other\n");
    write("/proc/self/mountinfo", "40 25 0:30 " + mountRoot +
                                      " /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
                                      "41 25 0:31 " +
                                      mountRoot +
                                      " /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n");
  }
  uint64_t memory() const { return availableMemory(root); }

  trrt_test::TempDir folder;
  std::string root = folder.file("root");
};

constexpr uint64_t kMega = uint64_t{1} << 20;

TEST_F(ProcessLimits, WithoutGroupsWhatTheSystemHas) {
  write("/proc/meminfo", "MemTotal: 900 kB\nMemFree: 100 kB\nMemAvailable:  500 kB\n");
  EXPECT_EQ(memory(), 500u * 1024);
  EXPECT_GE(availableCpus(root), 1);
  EXPECT_GE(availableCpus(), 1);
  EXPECT_GT(availableMemory(), kMega);
  EXPECT_LT(availableMemory(), uint64_t{1} << 60);
}

TEST_F(ProcessLimits, UnusedCacheIsNotUse) {
  mountVersion2("/job");
  write("/sys/fs/cgroup/job/memory.max", std::to_string(50 * kMega));
  write("/sys/fs/cgroup/job/memory.current", std::to_string(40 * kMega));
  write("/sys/fs/cgroup/job/memory.stat",
        "anon 5\nfile 9\ninactive_file " + std::to_string(15 * kMega) + "\n");
  EXPECT_EQ(memory(), 25 * kMega);
}

TEST_F(ProcessLimits, TheSmallestLevelCounts) {
  mountVersion2("/slice/unit/job");
  write("/sys/fs/cgroup/slice/unit/job/memory.max", "max");
  write("/sys/fs/cgroup/slice/unit/memory.max", std::to_string(30 * kMega));
  write("/sys/fs/cgroup/slice/unit/memory.current", std::to_string(10 * kMega));
  write("/sys/fs/cgroup/slice/memory.max", std::to_string(60 * kMega));
  EXPECT_EQ(memory(), 20 * kMega);
  write("/sys/fs/cgroup/slice/memory.current", std::to_string(55 * kMega));
  EXPECT_EQ(memory(), 5 * kMega);
  write("/sys/fs/cgroup/slice/memory.current", std::to_string(70 * kMega)); // over its limit
  EXPECT_EQ(memory(), 0u);
}

TEST_F(ProcessLimits, AContainerSeesItsPart) {
  for (const auto &[group, mountRoot] : std::vector<std::pair<std::string, std::string>>{
           {"/", "/"}, {"/docker/abc", "/docker/abc"}, {"/../../outside", "/"}}) {
    mountVersion2(group, mountRoot);
    write("/sys/fs/cgroup/memory.max", std::to_string(7 * kMega));
    write("/sys/fs/cgroup/cpu.max", "100000 100000");
    EXPECT_EQ(memory(), 7 * kMega) << group;
    EXPECT_EQ(availableCpus(root), 1) << group;
  }
}

TEST_F(ProcessLimits, Version1) {
  mountVersion1("/docker/abc", "/docker");
  write("/sys/fs/cgroup/memory/abc/memory.limit_in_bytes", std::to_string(50 * kMega));
  write("/sys/fs/cgroup/memory/abc/memory.usage_in_bytes", std::to_string(20 * kMega));
  write("/sys/fs/cgroup/memory/abc/memory.stat",
        "inactive_file 1\ntotal_inactive_file " + std::to_string(10 * kMega) + "\n");
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712"); // none
  write("/sys/fs/cgroup/cpu/abc/cpu.cfs_quota_us", "50000");
  write("/sys/fs/cgroup/cpu/abc/cpu.cfs_period_us", "100000");
  write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1");
  write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  EXPECT_EQ(memory(), 40 * kMega);
  EXPECT_EQ(availableCpus(root), 1);
}

TEST_F(ProcessLimits, QuotasAreRoundedUpAndNeverRaised) {
  mountVersion2("/a/b");
  const int all = availableCpus(root);
  write("/sys/fs/cgroup/a/b/cpu.max", "max 100000");
  EXPECT_EQ(availableCpus(root), all);
  write("/sys/fs/cgroup/a/b/cpu.max", "99900000 100000");
  EXPECT_EQ(availableCpus(root), all);
  write("/sys/fs/cgroup/a/cpu.max", "20000 100000");
  EXPECT_EQ(availableCpus(root), 1);
  if (all >= 2) {
    write("/sys/fs/cgroup/a/cpu.max", "110000 100000");
    EXPECT_EQ(availableCpus(root), 2);
  }
}

} // namespace
