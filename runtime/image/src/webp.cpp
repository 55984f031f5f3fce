// SPDX-License-Identifier: Apache-2.0
//
// WebP by libwebp. An animation has no one picture and is refused.
#include "decoders.h"

#include <webp/decode.h>

namespace tri {

static const uint8_t *start(std::string_view bytes) {
  return reinterpret_cast<const uint8_t *>(bytes.data());
}

static std::string statusText(VP8StatusCode status) {
  switch (status) {
  case VP8_STATUS_OK:
    return "";
  case VP8_STATUS_OUT_OF_MEMORY:
    return "libwebp has no memory";
  case VP8_STATUS_NOT_ENOUGH_DATA:
    return "the file ends early";
  case VP8_STATUS_UNSUPPORTED_FEATURE:
    return "it uses a feature that libwebp does not know";
  default:
    return "its WebP data are damaged";
  }
}

static std::string readFeatures(std::string_view bytes, WebPBitstreamFeatures &features) {
  const std::string error = statusText(WebPGetFeatures(start(bytes), bytes.size(), &features));
  if (error.empty() && features.has_animation)
    return "it is an animation";
  return error;
}

std::string readWebPSize(std::string_view bytes, Size &size) {
  WebPBitstreamFeatures features;
  const std::string error = readFeatures(bytes, features);
  if (error.empty())
    size = {features.height, features.width};
  return error;
}

std::string decodeWebP(std::string_view bytes, int64_t channels, Size, Image &image) {
  Size size;
  std::string error = readWebPSize(bytes, size);
  if (error.empty())
    error = checkSize(size);
  if (!error.empty())
    return error;
  std::vector<uint8_t> rgba(static_cast<size_t>(4 * size.pixels()));
  if (!WebPDecodeRGBAInto(start(bytes), bytes.size(), rgba.data(), rgba.size(),
                          static_cast<int>(4 * size.width)))
    return "its WebP data are damaged or end early";
  image.reset(size, channels);
  for (int64_t i = 0; i < size.pixels(); ++i) {
    const uint8_t *in = rgba.data() + 4 * i;
    storePixel(image.bytes.data() + i * channels, channels, in[0], in[1], in[2], in[3]);
  }
  return "";
}

} // namespace tri
