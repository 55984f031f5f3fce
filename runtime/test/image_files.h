// SPDX-License-Identifier: Apache-2.0
//
// Image files that need no encoder.
#ifndef TRRT_TEST_IMAGE_FILES_H
#define TRRT_TEST_IMAGE_FILES_H

#include <cstdint>
#include <vector>

namespace trrt_test {

inline void appendLittle(std::vector<uint8_t> &out, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i)
    out.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

// A BMP image of one colour, 24 bits, from the bottom.
inline std::vector<uint8_t> plainBmp(uint32_t height, uint32_t width, uint8_t red, uint8_t green,
                                     uint8_t blue) {
  const uint32_t stride = (3 * width + 3) / 4 * 4;
  std::vector<uint8_t> out = {'B', 'M'};
  appendLittle(out, 54 + stride * height, 4);
  appendLittle(out, 0, 4);
  appendLittle(out, 54, 4);
  for (const uint32_t field : {40u, width, height})
    appendLittle(out, field, 4);
  appendLittle(out, 1, 2);
  appendLittle(out, 24, 2);
  out.resize(54);
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t x = 0; x < width; ++x)
      out.insert(out.end(), {blue, green, red});
    out.resize(54 + stride * (y + 1));
  }
  return out;
}

} // namespace trrt_test

#endif // TRRT_TEST_IMAGE_FILES_H
