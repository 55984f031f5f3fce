// SPDX-License-Identifier: Apache-2.0
//
// One pair of functions for each format; see tri/decode.h for what they promise.
#ifndef TRI_SRC_DECODERS_H
#define TRI_SRC_DECODERS_H

#include "tri/decode.h"

namespace tri {

std::string readJpegSize(std::string_view bytes, Size &size);
std::string decodeJpeg(std::string_view bytes, int64_t channels, Size atLeast, Image &image);
std::string readPngSize(std::string_view bytes, Size &size);
std::string decodePng(std::string_view bytes, int64_t channels, Size atLeast, Image &image);
std::string readWebPSize(std::string_view bytes, Size &size);
std::string decodeWebP(std::string_view bytes, int64_t channels, Size atLeast, Image &image);
std::string readBmpSize(std::string_view bytes, Size &size);
std::string decodeBmp(std::string_view bytes, int64_t channels, Size atLeast, Image &image);

// "it is 70000x70000 pixels, expected at most ...", or an empty text.
std::string checkSize(Size size);

// Luma of ITU-R BT.601 in 16 bits of fraction, as Pillow's convert("L") computes it.
inline uint8_t luma(uint8_t r, uint8_t g, uint8_t b) {
  return static_cast<uint8_t>((r * 19595 + g * 38470 + b * 7471 + 0x8000) >> 16);
}

// `value` over white where `alpha` is below 255.
inline uint8_t overWhite(uint8_t value, uint8_t alpha) {
  return static_cast<uint8_t>((value * alpha + 255 * (255 - alpha) + 127) / 255);
}

// One pixel of red, green, blue and opacity into one or three channels.
inline void storePixel(uint8_t *out, int64_t channels, uint8_t r, uint8_t g, uint8_t b,
                       uint8_t alpha = 255) {
  if (alpha != 255) {
    r = overWhite(r, alpha);
    g = overWhite(g, alpha);
    b = overWhite(b, alpha);
  }
  if (channels == 1) {
    out[0] = luma(r, g, b);
    return;
  }
  out[0] = r;
  out[1] = g;
  out[2] = b;
}

} // namespace tri

#endif // TRI_SRC_DECODERS_H
