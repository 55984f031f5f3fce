// SPDX-License-Identifier: Apache-2.0
//
// Transforms that move pixels.
#include "tri/transforms.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tri {

// The pixel inside [0, size) that stands for `position`; -1: none does.
static int64_t inside(int64_t position, int64_t size, Border border) {
  if (position >= 0 && position < size)
    return position;
  switch (border) {
  case Border::Constant:
    return -1;
  case Border::Edge:
    return std::clamp<int64_t>(position, 0, size - 1);
  case Border::Reflect:
    break;
  }
  if (size == 1)
    return 0;
  const int64_t period = 2 * (size - 1), rest = ((position % period) + period) % period;
  return rest < size ? rest : period - rest;
}

void crop(const Image &in, int64_t top, int64_t left, Size to, Border border, uint8_t fill,
          Image &out) {
  out.reset(to, in.channels);
  const size_t pixel = static_cast<size_t>(in.channels);
  for (int64_t y = 0; y < to.height; ++y) {
    const int64_t from = inside(top + y, in.size.height, border);
    if (from < 0) {
      std::memset(out.row(y), fill, static_cast<size_t>(out.rowBytes()));
      continue;
    }
    const int64_t begin = std::clamp<int64_t>(-left, 0, to.width);
    const int64_t end = std::clamp<int64_t>(in.size.width - left, begin, to.width);
    for (int64_t x = 0; x < to.width; ++x) {
      if (x == begin && end > begin) {
        std::memcpy(out.at(y, x), in.at(from, left + x), static_cast<size_t>(end - begin) * pixel);
        x = end - 1;
        continue;
      }
      const int64_t column = inside(left + x, in.size.width, border);
      if (column < 0)
        std::memset(out.at(y, x), fill, pixel);
      else
        std::memcpy(out.at(y, x), in.at(from, column), pixel);
    }
  }
}

void flipColumns(Image &image) {
  for (int64_t y = 0; y < image.size.height; ++y)
    for (int64_t x = 0, last = image.size.width - 1; x < last - x; ++x)
      std::swap_ranges(image.at(y, x), image.at(y, x) + image.channels, image.at(y, last - x));
}

void flipRows(Image &image) {
  for (int64_t y = 0, last = image.size.height - 1; y < last - y; ++y)
    std::swap_ranges(image.row(y), image.row(y) + image.rowBytes(), image.row(last - y));
}

void fillBox(Image &image, int64_t top, int64_t left, Size size,
             const std::array<uint8_t, 3> &fill) {
  const int64_t endRow = std::min(image.size.height, top + size.height);
  const int64_t endColumn = std::min(image.size.width, left + size.width);
  for (int64_t y = std::max<int64_t>(0, top); y < endRow; ++y)
    for (int64_t x = std::max<int64_t>(0, left); x < endColumn; ++x)
      for (int64_t c = 0; c < image.channels; ++c)
        image.at(y, x)[c] = fill[static_cast<size_t>(c % 3)];
}

Affine inverseAffine(double angle, double moveX, double moveY, double scale, double shearX,
                     double shearY) {
  constexpr double kDegree = 3.14159265358979323846 / 180;
  const double turn = angle * kDegree, sx = shearX * kDegree, sy = shearY * kDegree;
  // Rotation times shears: [a b; c d], of determinant 1, inverted and divided by the scale.
  const double a = std::cos(turn - sy) / std::cos(sy);
  const double b = -std::cos(turn - sy) * std::tan(sx) / std::cos(sy) - std::sin(turn);
  const double c = std::sin(turn - sy) / std::cos(sy);
  const double d = -std::sin(turn - sy) * std::tan(sx) / std::cos(sy) + std::cos(turn);
  Affine map;
  map.a = d / scale;
  map.b = -b / scale;
  map.d = -c / scale;
  map.e = a / scale;
  map.c = -(map.a * moveX + map.b * moveY);
  map.f = -(map.d * moveX + map.e * moveY);
  return map;
}

namespace {

// Reads `in` at places between its pixels.
class Sampler {
public:
  Sampler(const Image &in, uint8_t fill) : in(in), fill(fill) {}

  void nearest(double x, double y, uint8_t *out) const {
    const int64_t column = static_cast<int64_t>(std::nearbyint(x)),
                  row = static_cast<int64_t>(std::nearbyint(y));
    for (int64_t c = 0; c < in.channels; ++c)
      out[c] = value(row, column, c);
  }

  void bilinear(double x, double y, uint8_t *out) const {
    const double left = std::floor(x), top = std::floor(y), u = x - left, v = y - top;
    const int64_t column = static_cast<int64_t>(left), row = static_cast<int64_t>(top);
    for (int64_t c = 0; c < in.channels; ++c) {
      const double above = value(row, column, c) * (1 - u) + value(row, column + 1, c) * u;
      const double below = value(row + 1, column, c) * (1 - u) + value(row + 1, column + 1, c) * u;
      out[c] = static_cast<uint8_t>(std::lround(above * (1 - v) + below * v));
    }
  }

private:
  uint8_t value(int64_t row, int64_t column, int64_t c) const {
    const bool isInside = row >= 0 && column >= 0 && row < in.size.height && column < in.size.width;
    return isInside ? in.at(row, column)[c] : fill;
  }

  const Image &in;
  uint8_t fill;
};

} // namespace

void transform(const Image &in, const Affine &map, bool bilinear, uint8_t fill, Image &out) {
  out.reset(in.size, in.channels);
  const Sampler sampler(in, fill);
  const double middleX = static_cast<double>(in.size.width - 1) / 2,
               middleY = static_cast<double>(in.size.height - 1) / 2;
  // Far outside every position is the same, and an integer holds it.
  const double far = static_cast<double>(1 << 20);
  for (int64_t y = 0; y < out.size.height; ++y)
    for (int64_t x = 0; x < out.size.width; ++x) {
      const double dx = static_cast<double>(x) - middleX, dy = static_cast<double>(y) - middleY;
      const double fromX = std::clamp(map.a * dx + map.b * dy + map.c + middleX, -far, far);
      const double fromY = std::clamp(map.d * dx + map.e * dy + map.f + middleY, -far, far);
      if (bilinear)
        sampler.bilinear(fromX, fromY, out.at(y, x));
      else
        sampler.nearest(fromX, fromY, out.at(y, x));
    }
}

} // namespace tri
