// SPDX-License-Identifier: Apache-2.0
//
// A picture as bytes.
#ifndef TRI_IMAGE_H
#define TRI_IMAGE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tri {

struct Size {
  int64_t height = 0, width = 0;

  bool operator==(const Size &other) const {
    return height == other.height && width == other.width;
  }
  bool operator!=(const Size &other) const { return !(*this == other); }
  int64_t pixels() const { return height * width; }
};

// A part of a picture in pixels; cells of the grid where the numbers are whole.
struct Box {
  double top = 0, left = 0, height = 0, width = 0;
};

// Height x width x channels, one byte each: grey (1) or red, green, blue (3), but transforms take
// any number of channels.
struct Image {
  Size size;
  int64_t channels = 0;
  std::vector<uint8_t> bytes;

  // Room for a picture of this shape; what the bytes are is open.
  void reset(Size newSize, int64_t newChannels) {
    size = newSize;
    channels = newChannels;
    bytes.resize(static_cast<size_t>(size.pixels() * channels));
  }
  int64_t rowBytes() const { return size.width * channels; }
  uint8_t *row(int64_t y) { return bytes.data() + y * rowBytes(); }
  const uint8_t *row(int64_t y) const { return bytes.data() + y * rowBytes(); }
  uint8_t *at(int64_t y, int64_t x) { return row(y) + x * channels; }
  const uint8_t *at(int64_t y, int64_t x) const { return row(y) + x * channels; }
};

} // namespace tri

#endif // TRI_IMAGE_H
