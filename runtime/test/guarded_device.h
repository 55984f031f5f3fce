// SPDX-License-Identifier: Apache-2.0
//
// The reference library with guards around the arena.
#ifndef TRRT_TEST_GUARDED_DEVICE_H
#define TRRT_TEST_GUARDED_DEVICE_H

#include "device/device.h"

#include <memory>

namespace trrt::test {

// While a kernel runs, AddressSanitizer lets it reach the bytes of its own operands and nothing
// else of the arena. Without AddressSanitizer it is the reference library on one thread.
std::unique_ptr<Device> guardedDevice();

// The arena is out of the host's reach between calls of the device, like the memory of a GPU.
std::unique_ptr<Device> remoteDevice(const std::string &library);
// What nobody may do: reads the first word of the arena of a remote device.
uint32_t readRemoteArena(const Device &device);

} // namespace trrt::test

#endif // TRRT_TEST_GUARDED_DEVICE_H
