// SPDX-License-Identifier: Apache-2.0
//
// The values of a tensor, from the device.
#ifndef TRRT_SESSION_TENSOR_VALUES_H
#define TRRT_SESSION_TENSOR_VALUES_H

#include "device/device.h"

namespace trrt {

// Dense, in n, h, w, c order. Throws Error where the tensor has another type.
std::vector<float> readF32(const trf::Plan &plan, const Device &device, uint32_t tensor,
                           uint32_t variant);
std::vector<int32_t> readI32(const trf::Plan &plan, const Device &device, uint32_t tensor,
                             uint32_t variant);

} // namespace trrt

#endif // TRRT_SESSION_TENSOR_VALUES_H
