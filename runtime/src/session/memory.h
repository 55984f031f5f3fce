// SPDX-License-Identifier: Apache-2.0
//
// Whether the memory that a plan asks for is there, before any of it is allocated.
#ifndef TRRT_SESSION_MEMORY_H
#define TRRT_SESSION_MEMORY_H

#include "device/device.h"

namespace trrt {

// Throws Error(TRRT_OUT_OF_MEMORY) with the largest regions of the plan where arena,
// staging and the device's scratch together exceed the memory of the device.
void requireMemory(const trf::Plan &plan, const Device &device, uint64_t stagingBytes);

} // namespace trrt

#endif // TRRT_SESSION_MEMORY_H
