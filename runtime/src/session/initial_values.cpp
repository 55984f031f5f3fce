// SPDX-License-Identifier: Apache-2.0
//
// Rules of initial values over Philox.
#include "session/initial_values.h"

#include "plan/param_layout.h"
#include "trf/philox.h"

#include <algorithm>
#include <cmath>

namespace trrt {

using namespace trf;

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
  if (param.init == Init::Zeros || param.init == Init::Ones || param.init == Init::Constant) {
    const double value = param.init == Init::Constant ? param.init_scale : param.init == Init::Ones;
    std::fill(file, file + count, static_cast<float>(value));
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
