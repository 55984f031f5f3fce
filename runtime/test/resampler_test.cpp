// SPDX-License-Identifier: Apache-2.0
//
// Bilinear resampling: PyTorch's answers, and properties that hold for any sizes.
#include "data/resampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace trrt;

namespace {

struct Case {
  int64_t height, width, channels, newHeight, newWidth;
};

std::vector<float> resampled(const Case &c, const std::vector<float> &in) {
  std::vector<float> out(static_cast<size_t>(c.newHeight * c.newWidth * c.channels), NAN);
  Resampler({c.height, c.width}, {c.newHeight, c.newWidth}, c.channels).run(in.data(), out.data());
  return out;
}

// The value at (y, x, c) is `at(y, x, c)`.
template <typename Fn> std::vector<float> picture(int64_t h, int64_t w, int64_t channels, Fn at) {
  std::vector<float> values;
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x)
      for (int64_t c = 0; c < channels; ++c)
        values.push_back(static_cast<float>(at(y, x, c)));
  return values;
}

const Case kSizes[] = {{28, 28, 1, 32, 32}, {5, 7, 3, 11, 2}, {3, 8, 2, 3, 8}, {1, 6, 1, 4, 13},
                       {9, 1, 2, 2, 5},     {6, 4, 1, 1, 1},  {1, 1, 3, 7, 3}};

} // namespace

// Computed with torch.nn.functional.interpolate in double.
TEST(Resampler, AnswersOfPyTorch) {
  struct Known {
    Case sizes;
    std::vector<float> values;
  };
  const Known known[] = {
      {{2, 3, 1, 3, 5}, {0, 2, 5, 8, 10, 3.5f, 3.3f, 3, 6, 8, 7, 4.6f, 1, 4, 6}},
      {{3, 2, 2, 2, 3}, {1.75f, 4.75f, 2.875f, 5.875f, 4, 7, 4, 7, 5.125f, 4, 6.25f, 1}},
      {{5, 4, 1, 2, 2}, {3.625f, 4, 6, 6.375f}},
      {{1, 1, 1, 2, 3}, {0, 0, 0, 0, 0, 0}},
      {{4, 1, 1, 2, 3}, {3.5f, 3.5f, 3.5f, 6.5f, 6.5f, 6.5f}},
      {{3, 3, 1, 3, 4}, {0, 3.125f, 6.875f, 10, 7, 3.25f, 2.875f, 6, 3, 6.125f, 5.75f, 2}},
  };
  for (const Known &k : known) {
    const Case &c = k.sizes;
    const std::vector<float> in =
        picture(c.height, c.width, c.channels,
                [](int64_t y, int64_t x, int64_t ch) { return (y * 7 + x * 5 + ch * 3) % 11; });
    const std::vector<float> out = resampled(c, in);
    ASSERT_EQ(out.size(), k.values.size());
    for (size_t i = 0; i < out.size(); ++i)
      EXPECT_NEAR(out[i], k.values[i], 1e-6) << "element " << i;
  }
}

TEST(Resampler, EqualSizesChangeNoBit) {
  const std::vector<float> in = picture(
      5, 3, 2, [](int64_t y, int64_t x, int64_t c) { return std::sin(y * 3 + x * 2.5 + c); });
  EXPECT_EQ(resampled({5, 3, 2, 5, 3}, in), in);
}

// A plane is reproduced at every centre that has neighbours on both sides.
TEST(Resampler, ReproducesPlanesInsideAndClampsOutside) {
  for (const Case &c : kSizes) {
    const auto plane = [](double y, double x, int64_t ch) {
      return 0.5 * y - 0.25 * x + 3.0 * static_cast<double>(ch);
    };
    const std::vector<float> in =
        picture(c.height, c.width, c.channels, [&](int64_t y, int64_t x, int64_t ch) {
          return plane(static_cast<double>(y), static_cast<double>(x), ch);
        });
    const std::vector<float> out = resampled(c, in);
    const auto centre = [](int64_t i, int64_t from, int64_t to) {
      const double position =
          (static_cast<double>(i) + 0.5) * static_cast<double>(from) / static_cast<double>(to) -
          0.5;
      return std::clamp(position, 0.0, static_cast<double>(from - 1));
    };
    size_t i = 0;
    for (int64_t y = 0; y < c.newHeight; ++y)
      for (int64_t x = 0; x < c.newWidth; ++x)
        for (int64_t ch = 0; ch < c.channels; ++ch, ++i)
          EXPECT_NEAR(out[i],
                      plane(centre(y, c.height, c.newHeight), centre(x, c.width, c.newWidth), ch),
                      1e-5)
              << y << " " << x << " " << ch;
  }
}

TEST(Resampler, StaysBetweenTheExtremesAndMirrors) {
  for (const Case &c : kSizes) {
    const auto at = [](int64_t y, int64_t x, int64_t ch) {
      return static_cast<double>((y * 31 + x * 17 + ch * 5) % 23) - 9.0;
    };
    const std::vector<float> in = picture(c.height, c.width, c.channels, at);
    const std::vector<float> mirrored =
        picture(c.height, c.width, c.channels, [&](int64_t y, int64_t x, int64_t ch) {
          return at(c.height - 1 - y, c.width - 1 - x, ch);
        });
    const std::vector<float> out = resampled(c, in), back = resampled(c, mirrored);
    const auto [least, most] = std::minmax_element(in.begin(), in.end());
    for (size_t i = 0; i < out.size(); ++i) {
      EXPECT_GE(out[i], *least - 1e-5f);
      EXPECT_LE(out[i], *most + 1e-5f);
      const size_t channels = static_cast<size_t>(c.channels), ch = i % channels;
      EXPECT_NEAR(out[i], back[out.size() - channels - (i - ch) + ch], 1e-5);
    }
  }
}
