// SPDX-License-Identifier: Apache-2.0
//
// Columns first, then rows, each with a list of weighted inputs for every output.
#include "tri/resize.h"

#include <algorithm>
#include <cmath>

namespace tri {

namespace {

constexpr int kBits = 15;

// Output i reads `count` inputs from `first` on, with `weights[i * width ...]` that sum to 2^kBits.
struct Taps {
  struct Tap {
    int64_t first = 0, count = 0;
  };
  std::vector<Tap> taps;
  std::vector<int32_t> weights;
  std::vector<double> exact; // of one output, before they are rounded
  int64_t width = 0;
};

// Weights of one output pixel, rounded so that their sum is exact: a plain picture stays plain.
void roundWeights(const std::vector<double> &exact, int32_t *out) {
  double sum = 0;
  for (const double weight : exact)
    sum += weight;
  int32_t left = 1 << kBits;
  size_t largest = 0;
  for (size_t k = 0; k < exact.size(); ++k) {
    out[k] = static_cast<int32_t>(std::lround(exact[k] / sum * (1 << kBits)));
    left -= out[k];
    if (exact[k] > exact[largest])
      largest = k;
  }
  out[largest] += left;
}

void makeTaps(int64_t inputs, double begin, double extent, int64_t outputs, Taps &result) {
  const double scale = extent / static_cast<double>(outputs), reach = std::max(scale, 1.0);
  result.width = static_cast<int64_t>(std::ceil(reach)) * 2 + 1;
  result.taps.resize(static_cast<size_t>(outputs));
  result.weights.assign(static_cast<size_t>(outputs * result.width), 0);
  std::vector<double> &exact = result.exact;
  exact.reserve(static_cast<size_t>(result.width));
  for (int64_t i = 0; i < outputs; ++i) {
    const double centre = begin + (static_cast<double>(i) + 0.5) * scale;
    const int64_t first = std::max<int64_t>(0, static_cast<int64_t>(centre - reach + 0.5));
    const int64_t end = std::min(inputs, static_cast<int64_t>(centre + reach + 0.5));
    exact.clear();
    for (int64_t k = first; k < end; ++k)
      exact.push_back(std::max(0.0, 1 - std::abs((static_cast<double>(k) + 0.5 - centre) / reach)));
    result.taps[static_cast<size_t>(i)] = {first, end - first};
    roundWeights(exact, result.weights.data() + i * result.width);
  }
}

uint8_t rounded(int32_t sum) {
  return static_cast<uint8_t>(std::clamp((sum + (1 << (kBits - 1))) >> kBits, 0, 255));
}

template <int Channels>
void resizeRow(const uint8_t *in, const Taps &columns, int64_t channels, uint8_t *out) {
  const int64_t step = Channels != 0 ? Channels : channels;
  const int32_t *weights = columns.weights.data();
  for (const Taps::Tap &tap : columns.taps) {
    for (int64_t c = 0; c < step; ++c) {
      const uint8_t *from = in + tap.first * step + c;
      int32_t sum = 0;
      for (int64_t k = 0; k < tap.count; ++k)
        sum += weights[k] * from[k * step];
      *out++ = rounded(sum);
    }
    weights += columns.width;
  }
}

} // namespace

struct Resizer::State {
  Taps rows, columns;
  Image between; // the rows that are needed, resized
  std::vector<int32_t> sums;

  void resizeColumns(const Image &in, int64_t firstRow, int64_t endRow, int64_t width) {
    between.reset({endRow - firstRow, width}, in.channels);
    for (int64_t y = firstRow; y < endRow; ++y) {
      uint8_t *out = between.row(y - firstRow);
      if (in.channels == 3)
        resizeRow<3>(in.row(y), columns, 3, out);
      else if (in.channels == 1)
        resizeRow<1>(in.row(y), columns, 1, out);
      else
        resizeRow<0>(in.row(y), columns, in.channels, out);
    }
  }

  void resizeRows(int64_t firstRow, Image &out) {
    const int64_t count = out.rowBytes();
    sums.resize(static_cast<size_t>(count));
    for (int64_t y = 0; y < out.size.height; ++y) {
      const Taps::Tap &tap = rows.taps[static_cast<size_t>(y)];
      const int32_t *weights = rows.weights.data() + y * rows.width;
      std::fill(sums.begin(), sums.end(), 0);
      for (int64_t k = 0; k < tap.count; ++k) {
        const uint8_t *in = between.row(tap.first + k - firstRow);
        const int32_t weight = weights[k];
        for (int64_t i = 0; i < count; ++i)
          sums[static_cast<size_t>(i)] += weight * in[i];
      }
      uint8_t *to = out.row(y);
      for (int64_t i = 0; i < count; ++i)
        to[i] = rounded(sums[static_cast<size_t>(i)]);
    }
  }
};

Resizer::Resizer() : state(std::make_unique<State>()) {}
Resizer::~Resizer() = default;

void Resizer::run(const Image &in, Box box, Size to, Image &out) {
  makeTaps(in.size.height, box.top, box.height, to.height, state->rows);
  makeTaps(in.size.width, box.left, box.width, to.width, state->columns);
  int64_t firstRow = in.size.height, endRow = 0;
  for (const Taps::Tap &tap : state->rows.taps) {
    firstRow = std::min(firstRow, tap.first);
    endRow = std::max(endRow, tap.first + tap.count);
  }
  out.reset(to, in.channels);
  state->resizeColumns(in, firstRow, endRow, to.width);
  state->resizeRows(firstRow, out);
}

} // namespace tri
