// SPDX-License-Identifier: Apache-2.0
//
// What a session asks of a plan and a device before it makes anything of them. That offsets,
// shapes and ids are in range was checked when the plan was read.
#ifndef TRRT_SESSION_REQUIREMENTS_H
#define TRRT_SESSION_REQUIREMENTS_H

#include "device/device.h"

namespace trrt {

// " (layer 0.conv)", or nothing.
std::string layerText(const trf::Plan &plan, uint32_t layer);

// All throw Error.
// The tensors that a session reads and writes by itself.
void requireInputs(const trf::Plan &plan);
void requireParameters(const trf::Plan &plan);
// The device has what the plan was compiled for, and a kernel for each of its ops.
void requireTarget(const trf::Plan &plan, const Device &device);
void requireKernels(const trf::Plan &plan, const Device &device);

} // namespace trrt

#endif // TRRT_SESSION_REQUIREMENTS_H
