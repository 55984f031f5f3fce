// SPDX-License-Identifier: Apache-2.0
//
// Bytes as a picture of any format. What is accepted has the size that its header says, whole or,
// of a JPEG, by eighths; what is refused says so in one line.
#include "fuzz.h"

#include "tri/decode.h"

#include <string>

using namespace tri;

namespace {

// Large pictures are read as far as their header.
constexpr int64_t kFewPixels = 1 << 20;

void check(const std::string &error) {
  if (error.find('\n') != std::string::npos)
    fuzz::finding("one line", error.c_str());
}

void decodeAs(std::string_view bytes, Size size, int64_t channels, Size atLeast) {
  Image image;
  const std::string error = decode(bytes, channels, atLeast, image);
  check(error);
  if (!error.empty())
    return;
  if (image.channels != channels ||
      image.bytes.size() != static_cast<size_t>(image.size.pixels() * channels))
    fuzz::finding("as many bytes as the shape says", "another number");
  if (image.size.height > size.height || image.size.width > size.width ||
      image.size.height < std::min(size.height, atLeast.height) ||
      image.size.width < std::min(size.width, atLeast.width))
    fuzz::finding("a size between what is asked for and what the header says", "another");
  if (atLeast == Size() && image.size != size)
    fuzz::finding("the size of the header", "another");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  Size header;
  const std::string error = readSize(bytes, header);
  check(error);
  if (!error.empty() || header.pixels() > kFewPixels)
    return 0;
  decodeAs(bytes, header, 3, {});
  decodeAs(bytes, header, 1, {5, 7});
  return 0;
}
