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
  tri::Picture picture;
  picture.pixels = pixels.data() + index * shape.pixels() * channels;
  picture.size = shape;
  picture.channels = channels;
  return picture;
}

} // namespace trrt
