// SPDX-License-Identifier: Apache-2.0
//
// Images of one size from images of another: bilinear, with half-pixel centres.
#ifndef TRRT_DATA_RESAMPLER_H
#define TRRT_DATA_RESAMPLER_H

#include <cstdint>
#include <vector>

namespace trrt {

// Pixel centres lie at i + 1/2 on both sides, positions outside the input take the
// nearest pixel, and a smaller output is not smoothed first: what PyTorch's
// interpolate(mode='bilinear', align_corners=False, antialias=False) computes.
class Resampler {
public:
  struct Size {
    int64_t height = 0, width = 0;
    bool operator==(const Size &other) const {
      return height == other.height && width == other.width;
    }
  };

  Resampler(Size from, Size to, int64_t channels);

  // H, W, C order on both sides; the two must not overlap. Allocates nothing.
  void run(const float *in, float *out) const;

private:
  // An output position reads inputs `first` and `second`, with these weights.
  struct Tap {
    int64_t first = 0, second = 0;
    float firstWeight = 1, secondWeight = 0;
  };
  static std::vector<Tap> makeTaps(int64_t from, int64_t to);

  int64_t rowElements, channels;
  std::vector<Tap> rows, columns;
};

} // namespace trrt

#endif // TRRT_DATA_RESAMPLER_H
