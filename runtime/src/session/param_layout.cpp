// SPDX-License-Identifier: Apache-2.0
//
// Layouts and initial values of parameters.
#include "session/param_layout.h"

#include "base/philox.h"

#include <algorithm>
#include <cmath>

namespace trrt {

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
  return param.layout == ParamLayout::Vector ? d[3] : d[0] * d[1] * d[2] * d[3];
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
  std::fill(device, device + deviceDims[0] * deviceDims[1] * deviceDims[2] * deviceDims[3], 0.0f);
  forEachElement(param, deviceDims, [&](int64_t f, int64_t d) { device[d] = file[f]; });
}

void deviceToFile(const Param &param, const Dims &deviceDims, const float *device, float *file) {
  forEachElement(param, deviceDims, [&](int64_t f, int64_t d) { file[f] = device[d]; });
}

// In [0, 1), 24 bits.
static double unit(uint32_t word) { return (word >> 8) * (1.0 / 16777216.0); }

// Four values from one counter: uniform, or two Box-Muller pairs.
static void fourValues(const Param &param, const PhiloxCounter &words, float (&out)[4]) {
  if (param.init == Init::Uniform) {
    for (int i = 0; i < 4; ++i)
      out[i] = static_cast<float>(param.init_scale * (2.0 * unit(words[i]) - 1.0));
    return;
  }
  constexpr double kTwoPi = 6.283185307179586;
  for (int i = 0; i < 4; i += 2) {
    // 1 - u lies in (0, 1], so the logarithm is finite.
    const double radius = param.init_scale * std::sqrt(-2.0 * std::log(1.0 - unit(words[i])));
    const double angle = kTwoPi * unit(words[i + 1]);
    out[i] = static_cast<float>(radius * std::cos(angle));
    out[i + 1] = static_cast<float>(radius * std::sin(angle));
  }
}

void initialValues(const Param &param, uint32_t index, uint64_t seed, float *file) {
  const int64_t count = fileElements(param);
  if (param.init == Init::Zeros || param.init == Init::Ones) {
    std::fill(file, file + count, param.init == Init::Ones ? 1.0f : 0.0f);
    return;
  }
  for (int64_t at = 0; at < count; at += 4) {
    const uint64_t block = static_cast<uint64_t>(at) / 4;
    const PhiloxCounter counter = {static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32),
                                   index, static_cast<uint32_t>(PhiloxPurpose::Init)};
    float values[4];
    fourValues(param, philox4x32(counter, philoxKey(seed)), values);
    std::copy(values, values + std::min<int64_t>(4, count - at), file + at);
  }
}

} // namespace trrt
