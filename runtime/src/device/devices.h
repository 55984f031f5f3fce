// SPDX-License-Identifier: Apache-2.0
//
// The devices that a session can be made on, by the names of `--device`. A name stands for a
// kind of device with a kernel library; "auto" is the first of them.
#ifndef TRRT_DEVICE_DEVICES_H
#define TRRT_DEVICE_DEVICES_H

#include "device/device.h"
#include "trk/library.h"

namespace trrt {

// What createDevice() accepts, "auto" first.
std::vector<std::string> deviceNames();

// A machine has no more CPUs that a plan could use.
inline constexpr int kMostThreads = 1024;

// Throws Error for an unknown name. `threads` <= 0: all CPUs of the process.
// `memoryBytes` 0: the memory that is available now.
std::unique_ptr<Device> createDevice(const std::string &name, int threads,
                                     uint64_t memoryBytes = 0);

// On a library that need not be one of this build.
std::unique_ptr<Device> createDevice(const trk::Library &library, int threads,
                                     uint64_t memoryBytes = 0);

} // namespace trrt

#endif // TRRT_DEVICE_DEVICES_H
