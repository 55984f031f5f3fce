// SPDX-License-Identifier: Apache-2.0
//
// Transforms that change values, not places.
#include "tri/transforms.h"

#include <algorithm>
#include <cmath>

namespace tri {

static uint8_t toByte(double value) { return static_cast<uint8_t>(std::clamp(value, 0.0, 255.0)); }

// torchvision: blend(image, other) = factor * image + (1 - factor) * other, cut to bytes.
static uint8_t blend(double factor, uint8_t value, double other) {
  return toByte(factor * value + (1 - factor) * other);
}

static double grey(const uint8_t *p) {
  return std::floor(0.2989 * p[0] + 0.587 * p[1] + 0.114 * p[2]);
}

void adjustBrightness(Image &image, double factor) {
  for (uint8_t &value : image.bytes)
    value = blend(factor, value, 0);
}

void adjustContrast(Image &image, double factor) {
  double sum = 0;
  const int64_t count = image.size.pixels();
  for (int64_t i = 0; i < count; ++i) {
    const uint8_t *pixel = image.bytes.data() + i * image.channels;
    sum += image.channels == 3 ? grey(pixel) : *pixel;
  }
  const double mean = sum / static_cast<double>(count);
  for (uint8_t &value : image.bytes)
    value = blend(factor, value, mean);
}

void adjustSaturation(Image &image, double factor) {
  if (image.channels != 3)
    return;
  for (size_t i = 0; i < image.bytes.size(); i += 3) {
    uint8_t *pixel = image.bytes.data() + i;
    const double level = grey(pixel);
    for (int c = 0; c < 3; ++c)
      pixel[c] = blend(factor, pixel[c], level);
  }
}

// Hue in [0, 1), saturation and value, of colours in [0, 1], and back.
static void shiftHue(uint8_t *pixel, double shift) {
  const double r = pixel[0] / 255.0, g = pixel[1] / 255.0, b = pixel[2] / 255.0;
  const double most = std::max({r, g, b}), least = std::min({r, g, b}), range = most - least;
  if (range == 0)
    return;
  double hue = most == r ? (g - b) / range : most == g ? 2 + (b - r) / range : 4 + (r - g) / range;
  hue = hue / 6 + shift;
  hue -= std::floor(hue);
  const double place = hue * 6, part = place - std::floor(place), saturation = range / most;
  const double p = most * (1 - saturation), q = most * (1 - saturation * part),
               t = most * (1 - saturation * (1 - part));
  const double colours[6][3] = {{most, t, p}, {q, most, p}, {p, most, t},
                                {p, q, most}, {t, p, most}, {most, p, q}};
  const double *colour = colours[static_cast<int>(place) % 6];
  for (int c = 0; c < 3; ++c)
    pixel[c] = toByte(colour[c] * 255.999);
}

void adjustHue(Image &image, double shift) {
  if (image.channels != 3 || shift == 0)
    return;
  for (size_t i = 0; i < image.bytes.size(); i += 3)
    shiftHue(image.bytes.data() + i, shift);
}

void adjustSharpness(Image &image, double factor) {
  if (image.size.height < 3 || image.size.width < 3)
    return;
  const Image old = image;
  const int64_t step = image.channels;
  for (int64_t y = 1; y + 1 < image.size.height; ++y)
    for (int64_t i = step; i + step < image.rowBytes(); ++i) {
      int sum = 4 * old.row(y)[i];
      for (int64_t dy = -1; dy <= 1; ++dy)
        for (int64_t dx = -step; dx <= step; dx += step)
          sum += old.row(y + dy)[i + dx];
      image.row(y)[i] = blend(factor, old.row(y)[i], std::nearbyint(sum / 13.0));
    }
}

void posterize(Image &image, int bits) {
  const uint8_t mask = static_cast<uint8_t>(0xff << (8 - bits));
  for (uint8_t &value : image.bytes)
    value &= mask;
}

void solarize(Image &image, double threshold) {
  for (uint8_t &value : image.bytes)
    if (value >= threshold)
      value = static_cast<uint8_t>(255 - value);
}

void autoContrast(Image &image) {
  for (int64_t c = 0; c < image.channels; ++c) {
    uint8_t least = 255, most = 0;
    for (size_t i = static_cast<size_t>(c); i < image.bytes.size();
         i += static_cast<size_t>(image.channels)) {
      least = std::min(least, image.bytes[i]);
      most = std::max(most, image.bytes[i]);
    }
    if (least == most)
      continue;
    const double scale = 255.0 / (most - least);
    for (size_t i = static_cast<size_t>(c); i < image.bytes.size();
         i += static_cast<size_t>(image.channels))
      image.bytes[i] = toByte((image.bytes[i] - least) * scale);
  }
}

// Pillow's ImageOps.equalize: the last filled bin does not count for the step.
static void equalizeChannel(Image &image, int64_t channel) {
  std::array<int64_t, 256> histogram{};
  const size_t step = static_cast<size_t>(image.channels), first = static_cast<size_t>(channel);
  for (size_t i = first; i < image.bytes.size(); i += step)
    ++histogram[image.bytes[i]];
  size_t last = 255;
  while (last > 0 && histogram[last] == 0)
    --last;
  const int64_t width = (image.size.pixels() - histogram[last]) / 255;
  if (width == 0)
    return;
  std::array<uint8_t, 256> table;
  int64_t before = width / 2;
  for (size_t value = 0; value < 256; ++value) {
    table[value] = static_cast<uint8_t>(std::min<int64_t>(before / width, 255));
    before += histogram[value];
  }
  for (size_t i = first; i < image.bytes.size(); i += step)
    image.bytes[i] = table[image.bytes[i]];
}

void equalize(Image &image) {
  for (int64_t c = 0; c < image.channels; ++c)
    equalizeChannel(image, c);
}

} // namespace tri
