// SPDX-License-Identifier: Apache-2.0
//
// Weights are worked out once for each axis.
#include "data/resampler.h"

#include <algorithm>

namespace trrt {

Resampler::Resampler(Size from, Size to, int64_t channels)
    : rowElements(from.width * channels), channels(channels),
      rows(makeTaps(from.height, to.height)), columns(makeTaps(from.width, to.width)) {}

std::vector<Resampler::Tap> Resampler::makeTaps(int64_t from, int64_t to) {
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  std::vector<Tap> taps(static_cast<size_t>(to));
  for (size_t i = 0; i < taps.size(); ++i) {
    const double position = std::max(0.0, scale * (static_cast<double>(i) + 0.5) - 0.5);
    Tap &tap = taps[i];
    tap.first = std::min(static_cast<int64_t>(position), from - 1);
    tap.second = std::min(tap.first + 1, from - 1);
    tap.secondWeight = static_cast<float>(position - static_cast<double>(tap.first));
    tap.firstWeight = 1.0f - tap.secondWeight;
  }
  return taps;
}

void Resampler::run(const float *in, float *out) const {
  for (const Tap &row : rows) {
    const float *top = in + row.first * rowElements, *bottom = in + row.second * rowElements;
    for (const Tap &column : columns) {
      const int64_t left = column.first * channels, right = column.second * channels;
      for (int64_t c = 0; c < channels; ++c) {
        const float above =
            column.firstWeight * top[left + c] + column.secondWeight * top[right + c];
        const float below =
            column.firstWeight * bottom[left + c] + column.secondWeight * bottom[right + c];
        *out++ = row.firstWeight * above + row.secondWeight * below;
      }
    }
  }
}

} // namespace trrt
