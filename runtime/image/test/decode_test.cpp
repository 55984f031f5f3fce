// SPDX-License-Identifier: Apache-2.0
//
// Damaged pictures. Good ones of every form are compared with Pillow's decoders in
// test/oracle/images_test.py.
#include "tri/decode.h"

#include <gtest/gtest.h>

using namespace tri;

static std::string bmp(int32_t height, int32_t width, uint16_t bits, size_t body,
                       uint32_t compression = 0, uint32_t colours = 0) {
  std::string out = "BM";
  const auto add = [&](uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i)
      out.push_back(static_cast<char>(value >> (8 * i)));
  };
  add(0, 4);
  add(0, 4);
  add(54 + 4 * colours, 4);
  add(40, 4);
  add(static_cast<uint32_t>(width), 4);
  add(static_cast<uint32_t>(height), 4);
  add(1, 2);
  add(bits, 2);
  add(compression, 4);
  for (int i = 0; i < 3; ++i)
    add(0, 4);
  add(colours, 4);
  add(0, 4);
  return out + std::string(body, '\1');
}

static std::string errorOf(std::string_view bytes) {
  Image image;
  return decode(bytes, 3, {}, image);
}

TEST(Decode, Bmp) {
  EXPECT_EQ(errorOf(bmp(2, 3, 24, 24)), "");
  EXPECT_EQ(errorOf(bmp(-2, 3, 32, 24)), "");
  EXPECT_EQ(errorOf(bmp(2, 3, 8, 16, 0, 2)), "");
  EXPECT_EQ(errorOf(bmp(2, 3, 24, 23)), "the file ends early");
  EXPECT_EQ(errorOf("BM"), "the file ends early");
  EXPECT_EQ(errorOf(bmp(2, 3, 4, 24)), "expected 8, 24 or 32 bits a pixel, but it has 4");
  EXPECT_EQ(errorOf(bmp(2, 3, 8, 24, 1)),
            "it is a BMP image with compression, which is not supported");
  EXPECT_EQ(errorOf(bmp(2, 0, 24, 24)), "it has 0x2 pixels");
  EXPECT_EQ(errorOf(bmp(70000, 70000, 24, 24)).substr(0, 43),
            "it has 70000x70000 pixels; expected at most");
  EXPECT_EQ(errorOf(bmp(2, 3, 8, 8, 0, 0)), "its palette ends early");
  std::string far = bmp(1, 1, 8, 12, 0, 1);
  far.back() = far[far.size() - 12 + 4] = '\7';
  far[58] = '\7';
  EXPECT_EQ(errorOf(far), "a pixel names colour 7 of a palette of 1");
  std::string old = bmp(2, 3, 24, 24);
  old[14] = 12;
  EXPECT_EQ(errorOf(old), "expected a header of 40 bytes or more, but it has 12");
}

TEST(Decode, ChannelsAndFormats) {
  Image image;
  EXPECT_EQ(decode(bmp(2, 3, 24, 24), 2, {}, image),
            "images have 1 or 3 channels, but 2 are asked for");
  EXPECT_EQ(recogniseFormat("\xff\xd8\xff\xe0"), Format::Jpeg);
  EXPECT_EQ(recogniseFormat("RIFF....WEBPVP8 "), Format::WebP);
  EXPECT_EQ(recogniseFormat("GIF89a"), Format::Unknown);
  EXPECT_TRUE(hasImageSuffix("a/b.JPeG"));
  EXPECT_FALSE(hasImageSuffix("a.png.txt"));
  EXPECT_FALSE(hasImageSuffix("png"));
}

// Every prefix of a head alone is an error with one line of text, never a picture.
TEST(Decode, HeadsAlone) {
  for (const std::string &head : {std::string("\xff\xd8\xff\xe0\0\x10JFIF\0\1\1", 14),
                                  std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1", 20),
                                  std::string("RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0", 20)})
    for (size_t size = 0; size <= head.size(); ++size) {
      Image image;
      const std::string error = decode(std::string_view(head).substr(0, size), 3, {}, image);
      EXPECT_FALSE(error.empty());
      EXPECT_EQ(error.find('\n'), std::string::npos);
    }
}
