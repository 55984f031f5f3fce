// SPDX-License-Identifier: Apache-2.0
//
// What this process may use of the machine: its control groups say less than the machine has.
#ifndef TRRT_BASE_PROCESS_LIMITS_H
#define TRRT_BASE_PROCESS_LIMITS_H

#include <cstdint>
#include <string>

namespace trrt {

// Bytes that this process could still use: what the system calls available, or what its control
// group, or one above it, has left where that is less. A group has left its limit less what it
// uses, of which the page cache that nobody needs (inactive_file) does not count.
// Files are read below `root`, "" for the system's own.
uint64_t availableMemory(const std::string &root = "");

// CPUs that this process may use: those that it may run on, or the quota of its control groups,
// rounded up, where that is less. At least 1.
int availableCpus(const std::string &root = "");

} // namespace trrt

#endif // TRRT_BASE_PROCESS_LIMITS_H
