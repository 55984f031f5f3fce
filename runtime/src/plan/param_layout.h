// SPDX-License-Identifier: Apache-2.0
//
// Weight files hold PyTorch's layouts, devices hold ours: this is the only place
// that knows both.
#ifndef TRRT_PLAN_PARAM_LAYOUT_H
#define TRRT_PLAN_PARAM_LAYOUT_H

#include "trf/plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trrt {

// conv [o, i, kh, kw], fc [out, c*h*w], vector [c].
std::vector<int64_t> fileShape(const trf::Param &param);
int64_t fileElements(const trf::Param &param);

// Empty, or why the device tensor of these dims cannot hold the parameter.
std::string checkLayout(const trf::Param &param, const trf::Dims &device);

// `device` may have more input channels than the file (padding): they become 0.
void fileToDevice(const trf::Param &param, const trf::Dims &deviceDims, const float *file,
                  float *device);
void deviceToFile(const trf::Param &param, const trf::Dims &deviceDims, const float *device,
                  float *file);

} // namespace trrt

#endif // TRRT_PLAN_PARAM_LAYOUT_H
