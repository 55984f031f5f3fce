// SPDX-License-Identifier: Apache-2.0
//
// Weight files hold PyTorch's layouts, devices hold ours: this is the only place
// that knows both.
#ifndef TRRT_SESSION_PARAM_LAYOUT_H
#define TRRT_SESSION_PARAM_LAYOUT_H

#include "plan/plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trrt {

// conv [o, i, kh, kw], fc [out, c*h*w], vector [c].
std::vector<int64_t> fileShape(const Param &param);
int64_t fileElements(const Param &param);

// Empty, or why the device tensor of these dims cannot hold the parameter.
std::string checkLayout(const Param &param, const Dims &device);

// `device` may have more input channels than the file (padding): they become 0.
void fileToDevice(const Param &param, const Dims &deviceDims, const float *file, float *device);
void deviceToFile(const Param &param, const Dims &deviceDims, const float *device, float *file);

// Initial values in the file's layout, a function of (seed, index of the parameter
// in the plan) alone.
void initialValues(const Param &param, uint32_t index, uint64_t seed, float *file);

} // namespace trrt

#endif // TRRT_SESSION_PARAM_LAYOUT_H
