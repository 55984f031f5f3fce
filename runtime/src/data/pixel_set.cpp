// SPDX-License-Identifier: Apache-2.0
//
// Pictures of one shape, one after the other.
#include "data/sources.h"

namespace trrt {

PixelSet::PixelSet(tri::Size size, int64_t pictureChannels, std::vector<uint8_t> bytes,
                   std::vector<int32_t> classes)
    : pixels(std::move(bytes)), labels(std::move(classes)) {
  shape = size;
  channels = pictureChannels;
}

tri::Picture PixelSet::picture(int64_t index, std::vector<uint8_t> &) const {
  return tri::Picture::ofPixels(pixels.data() + index * shape.pixels() * channels, shape, channels);
}

} // namespace trrt
