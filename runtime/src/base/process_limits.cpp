// SPDX-License-Identifier: Apache-2.0
//
// Control groups, versions 1 and 2 (Linux: Documentation/admin-guide/cgroup-v2.rst and cgroup-v1).
#include "base/process_limits.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <thread>
#include <vector>

namespace trrt {

namespace {

constexpr uint64_t kNone = std::numeric_limits<uint64_t>::max();

// A hierarchy of groups, as far as this process sees it.
struct Hierarchy {
  int version;
  std::string mountPoint; // where its root, or a part of it, is mounted
  std::string group;      // ours, below the mount point; "" is the mount point itself
};

std::optional<uint64_t> readNumber(const std::string &path) {
  std::ifstream file(path);
  uint64_t value = 0;
  return file >> value ? std::optional(value) : std::nullopt; // "max" is none
}

// The value of a line "key value".
std::optional<uint64_t> readField(const std::string &path, const std::string &field) {
  std::ifstream file(path);
  std::string key;
  for (uint64_t value = 0; file >> key >> value;)
    if (key == field)
      return value;
  return std::nullopt;
}

bool hasWord(const std::string &list, const std::string &word) {
  std::istringstream words(list);
  for (std::string next; std::getline(words, next, ',');)
    if (next == word)
      return true;
  return false;
}

// Our group in the hierarchy of `controller`, by /proc/self/cgroup: lines "ID:CONTROLLERS:PATH",
// of which version 2 has no controllers.
std::optional<std::string> findGroup(const std::string &root, int version,
                                     const std::string &controller) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (version == 2 ? controllers.empty() : hasWord(controllers, controller))
      return line.substr(second + 1);
  }
  return std::nullopt;
}

// A line of /proc/self/mountinfo: ID PARENT DEVICE ROOT MOUNTPOINT OPTIONS ... - TYPE SOURCE
// OPTIONS
struct Mount {
  std::string root, point, type, options;
};

std::vector<Mount> readMounts(const std::string &root) {
  std::vector<Mount> mounts;
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string skipped, word;
    Mount mount;
    words >> skipped >> skipped >> skipped >> mount.root >> mount.point;
    while (words >> word && word != "-") {
    }
    if (words >> mount.type >> skipped >> mount.options)
      mounts.push_back(mount);
  }
  return mounts;
}

// A container sees a part of the hierarchy: what lies above the mount's root is not there.
std::string belowMount(std::string group, const std::string &mountRoot) {
  if (mountRoot != "/" && group.compare(0, mountRoot.size(), mountRoot) == 0 &&
      (group.size() == mountRoot.size() || group[mountRoot.size()] == '/'))
    group.erase(0, mountRoot.size());
  return group == "/" || group.find("/..") != std::string::npos ? "" : group;
}

std::vector<Hierarchy> findHierarchies(const std::string &root, const std::string &controller) {
  std::vector<Hierarchy> found;
  for (const Mount &mount : readMounts(root)) {
    const int version = mount.type == "cgroup2"                                        ? 2
                        : mount.type == "cgroup" && hasWord(mount.options, controller) ? 1
                                                                                       : 0;
    if (version == 0)
      continue;
    if (const std::optional<std::string> group = findGroup(root, version, controller))
      found.push_back({version, root + mount.point, belowMount(*group, mount.root)});
  }
  return found;
}

// Calls visit(folder) for our group and each above it.
template <typename Visit> void eachLevel(const Hierarchy &hierarchy, Visit visit) {
  std::string group = hierarchy.group;
  for (;;) {
    visit(hierarchy.mountPoint + group);
    if (group.empty())
      return;
    group.erase(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
}

uint64_t memoryLeft(int version, const std::string &folder) {
  const bool second = version == 2;
  const std::optional<uint64_t> limit =
      readNumber(folder + (second ? "/memory.max" : "/memory.limit_in_bytes"));
  if (!limit)
    return kNone;
  const uint64_t used =
      readNumber(folder + (second ? "/memory.current" : "/memory.usage_in_bytes")).value_or(0);
  const uint64_t cache =
      readField(folder + "/memory.stat", second ? "inactive_file" : "total_inactive_file")
          .value_or(0);
  const uint64_t needed = used - std::min(used, cache);
  return *limit - std::min(*limit, needed);
}

// CPUs' worth of time in each period.
double cpuQuota(int version, const std::string &folder) {
  double quota = 0, period = 0;
  if (version == 2) {
    std::ifstream file(folder + "/cpu.max"); // "max 100000" or "150000 100000"
    file >> quota >> period;
  } else {
    std::ifstream(folder + "/cpu.cfs_quota_us") >> quota; // -1: none
    std::ifstream(folder + "/cpu.cfs_period_us") >> period;
  }
  return quota > 0 && period > 0 ? quota / period : std::numeric_limits<double>::infinity();
}

uint64_t physicalMemory() {
  const long pages = sysconf(_SC_PHYS_PAGES), pageBytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || pageBytes <= 0)
    return kNone;
  return static_cast<uint64_t>(pages) * static_cast<uint64_t>(pageBytes);
}

} // namespace

uint64_t availableMemory(const std::string &root) {
  uint64_t bytes = physicalMemory();
  std::ifstream system(root + "/proc/meminfo");
  for (std::string line; std::getline(system, line);) {
    std::istringstream words(line);
    std::string key;
    uint64_t kilobytes = 0;
    if (words >> key >> kilobytes && key == "MemAvailable:")
      bytes = std::min(bytes, kilobytes * 1024);
  }
  for (const Hierarchy &hierarchy : findHierarchies(root, "memory"))
    eachLevel(hierarchy, [&](const std::string &folder) {
      bytes = std::min(bytes, memoryLeft(hierarchy.version, folder));
    });
  return bytes;
}

int availableCpus(const std::string &root) {
  double cpus = std::max(1u, std::thread::hardware_concurrency());
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    cpus = std::max(1, CPU_COUNT(&set));
  for (const Hierarchy &hierarchy : findHierarchies(root, "cpu"))
    eachLevel(hierarchy, [&](const std::string &folder) {
      cpus = std::min(cpus, cpuQuota(hierarchy.version, folder));
    });
  return std::max(1, static_cast<int>(std::ceil(cpus)));
}

} // namespace trrt
