// SPDX-License-Identifier: Apache-2.0
//
// Weights of maps that are linear along an axis.
#include "Weights.h"

#include <algorithm>
#include <cmath>

using namespace tr;

static AxisWeights makeZeros(int64_t in, int64_t out) {
  return {in, out, llvm::SmallVector<float>(in * out, 0)};
}

AxisWeights weights::mean(int64_t in, int64_t out) {
  AxisWeights map = makeZeros(in, out);
  for (int64_t o = 0; o < out; ++o) {
    const int64_t begin = o * in / out, end = llvm::divideCeil((o + 1) * in, out);
    for (int64_t i = begin; i < end; ++i)
      map.weights[o * in + i] = 1.0f / static_cast<float>(end - begin);
  }
  return map;
}

AxisWeights weights::nearest(int64_t in, int64_t out) {
  AxisWeights map = makeZeros(in, out);
  for (int64_t o = 0; o < out; ++o)
    map.weights[o * in + o * in / out] = 1;
  return map;
}

AxisWeights weights::linear(int64_t in, int64_t out) {
  AxisWeights map = makeZeros(in, out);
  for (int64_t o = 0; o < out; ++o) {
    const double ratio = static_cast<double>(in) / static_cast<double>(out);
    const double place = std::max(0.0, (static_cast<double>(o) + 0.5) * ratio - 0.5);
    const auto first = static_cast<int64_t>(std::floor(place));
    const auto share = static_cast<float>(place - std::floor(place));
    map.weights[o * in + first] += 1 - share;
    map.weights[o * in + std::min(first + 1, in - 1)] += share;
  }
  return map;
}
