// SPDX-License-Identifier: Apache-2.0
//
// BMP without compression: 8 bits with a palette, 24 and 32 bits, from the top or from the bottom.
// Debian has no library for it alone.
#include "decoders.h"

namespace tri {

namespace {

struct Header {
  Size size;
  bool fromTop = false;
  uint32_t bits = 0, pixels = 0, palette = 0, colours = 0;
};

uint32_t little(std::string_view bytes, size_t at, int count) {
  uint32_t value = 0;
  for (int i = count; i-- > 0;)
    value = value << 8 | static_cast<uint8_t>(bytes[at + static_cast<size_t>(i)]);
  return value;
}

constexpr size_t kFileHeader = 14, kInfoHeader = 40;

std::string readExtents(std::string_view bytes, Header &header) {
  header.size.width = static_cast<int32_t>(little(bytes, 18, 4));
  const int64_t height = static_cast<int32_t>(little(bytes, 22, 4));
  header.fromTop = height < 0;
  header.size.height = height < 0 ? -height : height;
  return checkSize(header.size);
}

std::string readHeader(std::string_view bytes, Header &header) {
  if (bytes.size() < kFileHeader + kInfoHeader)
    return "the file ends early";
  const uint32_t infoBytes = little(bytes, 14, 4);
  if (infoBytes < kInfoHeader || infoBytes > 1024)
    return "expected a header of 40 bytes or more, but it has " + std::to_string(infoBytes);
  if (std::string error = readExtents(bytes, header); !error.empty())
    return error;
  header.bits = little(bytes, 28, 2);
  if (header.bits != 8 && header.bits != 24 && header.bits != 32)
    return "expected 8, 24 or 32 bits a pixel, but it has " + std::to_string(header.bits);
  // 3: masks follow, which programs use for plain 32 bits too.
  const uint32_t compression = little(bytes, 30, 4);
  if (compression != 0 && !(compression == 3 && header.bits == 32))
    return "it is a BMP image with compression, which is not supported";
  header.pixels = little(bytes, 10, 4);
  header.palette = static_cast<uint32_t>(kFileHeader) + infoBytes;
  header.colours = little(bytes, 46, 4);
  if (header.colours == 0 || header.colours > 256)
    header.colours = 256;
  return "";
}

int64_t rowStride(const Header &header) {
  return (header.size.width * header.bits / 8 + 3) / 4 * 4;
}

std::string checkBody(std::string_view bytes, const Header &header) {
  const uint64_t body = static_cast<uint64_t>(rowStride(header) * header.size.height);
  if (header.pixels > bytes.size() || body > bytes.size() - header.pixels)
    return "the file ends early";
  if (header.bits == 8 && uint64_t{header.palette} + 4 * uint64_t{header.colours} > bytes.size())
    return "its palette ends early";
  return "";
}

} // namespace

std::string readBmpSize(std::string_view bytes, Size &size) {
  Header header;
  const std::string error = readHeader(bytes, header);
  size = header.size;
  return error;
}

std::string decodeBmp(std::string_view bytes, int64_t channels, Size, Image &image) {
  Header header;
  std::string error = readHeader(bytes, header);
  if (error.empty())
    error = checkBody(bytes, header);
  if (!error.empty())
    return error;
  image.reset(header.size, channels);
  const auto *data = reinterpret_cast<const uint8_t *>(bytes.data());
  const int64_t step = header.bits / 8, last = header.size.height - 1;
  for (int64_t y = 0; y <= last; ++y) {
    const uint8_t *in = data + header.pixels + rowStride(header) * (header.fromTop ? y : last - y);
    uint8_t *out = image.row(y);
    for (int64_t x = 0; x < header.size.width; ++x, in += step, out += channels) {
      const uint8_t *bgr = in;
      if (header.bits == 8) {
        if (*in >= header.colours)
          return "a pixel names colour " + std::to_string(*in) + " of a palette of " +
                 std::to_string(header.colours);
        bgr = data + header.palette + 4 * *in;
      }
      storePixel(out, channels, bgr[2], bgr[1], bgr[0]);
    }
  }
  return "";
}

} // namespace tri
