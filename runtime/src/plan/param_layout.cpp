// SPDX-License-Identifier: Apache-2.0
//
// Layouts of parameters.
#include "plan/param_layout.h"

#include <algorithm>

namespace trrt {

using namespace trf;

std::vector<int64_t> fileShape(const Param &param) {
  const Dims &d = param.logical;
  switch (param.layout) {
  case ParamLayout::Vector:
    return {d[3]};
  case ParamLayout::Conv:
    return {d[0], d[3], d[1], d[2]};
  case ParamLayout::Fc:
    return {d[0], d[3] * d[1] * d[2]};
  }
  return {};
}

int64_t fileElements(const Param &param) {
  const Dims &d = param.logical;
  return param.layout == ParamLayout::Vector ? d[3] : elementsOf(d);
}

std::string checkLayout(const Param &param, const Dims &device) {
  const Dims &d = param.logical;
  const bool fits =
      param.layout == ParamLayout::Vector
          ? device[0] == 1 && device[1] == 1 && device[2] == 1 && device[3] >= d[3]
          : device[0] >= d[0] && device[1] == d[1] && device[2] == d[2] && device[3] >= d[3];
  return fits ? "" : "the device tensor of parameter '" + param.name + "' is too small";
}

// Calls body(file index, device index) for every element. Both conv and FC files
// put the channel before the spatial extents.
template <typename F> static void forEachElement(const Param &param, const Dims &device, F &&body) {
  const Dims &d = param.logical;
  if (param.layout == ParamLayout::Vector) {
    for (int64_t c = 0; c < d[3]; ++c)
      body(c, c);
    return;
  }
  int64_t at = 0;
  for (int64_t o = 0; o < d[0]; ++o)
    for (int64_t c = 0; c < d[3]; ++c)
      for (int64_t h = 0; h < d[1]; ++h)
        for (int64_t w = 0; w < d[2]; ++w)
          body(at++, ((o * device[1] + h) * device[2] + w) * device[3] + c);
}

void fileToDevice(const Param &param, const Dims &deviceDims, const float *file, float *device) {
  std::fill(device, device + elementsOf(deviceDims), 0.0f);
  forEachElement(param, deviceDims, [&](int64_t f, int64_t d) { device[d] = file[f]; });
}

void deviceToFile(const Param &param, const Dims &deviceDims, const float *device, float *file) {
  forEachElement(param, deviceDims, [&](int64_t f, int64_t d) { file[f] = device[d]; });
}

} // namespace trrt
