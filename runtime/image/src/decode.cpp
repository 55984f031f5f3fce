// SPDX-License-Identifier: Apache-2.0
//
// The table of formats.
#include "tri/decode.h"

#include "decoders.h"

#include <algorithm>
#include <cctype>

namespace tri {

namespace {

struct FormatInfo {
  Format format;
  std::string (*readSize)(std::string_view, Size &);
  std::string (*decode)(std::string_view, int64_t, Size, Image &);
};

constexpr FormatInfo kFormats[] = {
    {Format::Jpeg, readJpegSize, decodeJpeg},
    {Format::Png, readPngSize, decodePng},
    {Format::WebP, readWebPSize, decodeWebP},
    {Format::Bmp, readBmpSize, decodeBmp},
};

const FormatInfo *findFormat(std::string_view bytes) {
  const Format format = recogniseFormat(bytes);
  for (const FormatInfo &info : kFormats)
    if (info.format == format)
      return &info;
  return nullptr;
}

constexpr char kNoFormat[] = "expected a JPEG, PNG, WebP or BMP image, but its first bytes are of "
                             "none of them";

bool startsWith(std::string_view bytes, std::string_view begin) {
  return bytes.substr(0, begin.size()) == begin;
}

} // namespace

Format recogniseFormat(std::string_view bytes) {
  if (startsWith(bytes, "\xff\xd8\xff"))
    return Format::Jpeg;
  if (startsWith(bytes, "\x89PNG\r\n\x1a\n"))
    return Format::Png;
  if (startsWith(bytes, "RIFF") && bytes.size() >= 12 && bytes.substr(8, 4) == "WEBP")
    return Format::WebP;
  if (startsWith(bytes, "BM"))
    return Format::Bmp;
  return Format::Unknown;
}

bool hasImageSuffix(std::string_view name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos)
    return false;
  std::string suffix(name.substr(dot + 1));
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::string_view kSuffixes[] = {"jpg", "jpeg", "png", "webp", "bmp"};
  return std::find(std::begin(kSuffixes), std::end(kSuffixes), suffix) != std::end(kSuffixes);
}

std::string checkSize(Size size) {
  const std::string given =
      "it has " + std::to_string(size.width) + "x" + std::to_string(size.height) + " pixels";
  if (size.height < 1 || size.width < 1)
    return given;
  if (size.height > kMaxExtent || size.width > kMaxExtent || size.pixels() > kMaxPixels)
    return given + "; expected at most " + std::to_string(kMaxPixels) + " and " +
           std::to_string(kMaxExtent) + " a side";
  return "";
}

std::string readSize(std::string_view bytes, Size &size) {
  const FormatInfo *format = findFormat(bytes);
  if (!format)
    return kNoFormat;
  const std::string error = format->readSize(bytes, size);
  return error.empty() ? checkSize(size) : error;
}

std::string decode(std::string_view bytes, int64_t channels, Size atLeast, Image &image) {
  if (channels != 1 && channels != 3)
    return "images have 1 or 3 channels, but " + std::to_string(channels) + " are asked for";
  const FormatInfo *format = findFormat(bytes);
  return format ? format->decode(bytes, channels, atLeast, image) : kNoFormat;
}

} // namespace tri
