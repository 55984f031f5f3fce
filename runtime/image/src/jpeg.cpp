// SPDX-License-Identifier: Apache-2.0
//
// JPEG by libjpeg-turbo. Its error handler must not return, so it jumps; nothing with a destructor
// lives between the two ends of the jump.
#include "decoders.h"

#include <csetjmp>
#include <cstdio>
#include <cstring>

#include <jpeglib.h>

#include <jerror.h>

namespace tri {

namespace {

struct Handler {
  jpeg_error_mgr base;
  std::jmp_buf begin;
  char text[JMSG_LENGTH_MAX];
};

// A progressive file of a few bytes may ask for any number of passes over a large picture.
constexpr int kMaxScans = 200;

[[noreturn]] void leave(j_common_ptr info) {
  auto *handler = reinterpret_cast<Handler *>(info->err);
  info->err->format_message(info, handler->text);
  std::longjmp(handler->begin, 1);
}

// Most warnings are damaged data that libjpeg would paint over.
void onMessage(j_common_ptr info, int level) {
  switch (info->err->msg_code) {
  case JWRN_EXTRANEOUS_DATA:
  case JWRN_ADOBE_XFORM:
  case JWRN_JFIF_MAJOR:
  case JWRN_TOO_MUCH_DATA:
    return;
  default:
    if (level < 0)
      leave(info);
  }
}

void beQuiet(j_common_ptr) {}

void onProgress(j_common_ptr info) {
  if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number <= kMaxScans)
    return;
  auto *handler = reinterpret_cast<Handler *>(info->err);
  std::strcpy(handler->text, "it has more scans than any picture needs");
  std::longjmp(handler->begin, 1);
}

class Decompressor {
public:
  Decompressor() {
    std::memset(&info, 0, sizeof info);
    info.err = jpeg_std_error(&handler.base);
    handler.base.error_exit = leave;
    handler.base.emit_message = onMessage;
    handler.base.output_message = beQuiet;
    handler.text[0] = 0;
  }
  ~Decompressor() { jpeg_destroy_decompress(&info); }
  Decompressor(const Decompressor &) = delete;
  Decompressor &operator=(const Decompressor &) = delete;

  jpeg_decompress_struct info;
  Handler handler;
  jpeg_progress_mgr progress = {onProgress, 0, 0, 0, 0};
  // What changes after setjmp lives here, where no register holds it.
  std::vector<uint8_t> inks; // a row of four inks
  std::string error;

  // Everything up to the header; below setjmp.
  void open(std::string_view bytes) {
    jpeg_create_decompress(&info);
    info.progress = &progress;
    jpeg_mem_src(&info, reinterpret_cast<const unsigned char *>(bytes.data()),
                 static_cast<unsigned long>(bytes.size()));
    jpeg_read_header(&info, TRUE);
  }
  Size size() const {
    return {static_cast<int64_t>(info.image_height), static_cast<int64_t>(info.image_width)};
  }
};

// The smallest n in n/8 that keeps `atLeast` pixels; libjpeg rounds extents up.
unsigned chooseEighths(Size size, Size atLeast) {
  if (atLeast.height <= 0 || atLeast.width <= 0)
    return 8;
  for (unsigned n = 1; n < 8; ++n)
    if ((size.height * n + 7) / 8 >= atLeast.height && (size.width * n + 7) / 8 >= atLeast.width)
      return n;
  return 8;
}

bool isFourColours(const jpeg_decompress_struct &info) {
  return info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
}

// Files with four inks hold them inverted, as Adobe writes them: 255 is no ink.
void storeInks(const uint8_t *in, uint8_t *out, int64_t channels, int64_t width, bool inverted) {
  for (int64_t x = 0; x < width; ++x, in += 4, out += channels) {
    const auto ink = [&](int i) { return inverted ? in[i] : 255 - in[i]; };
    const int key = ink(3);
    const auto colour = [&](int i) { return static_cast<uint8_t>((ink(i) * key + 127) / 255); };
    storePixel(out, channels, colour(0), colour(1), colour(2));
  }
}

void readRows(jpeg_decompress_struct &info, Image &image, std::vector<uint8_t> &inks) {
  const bool four = isFourColours(info);
  while (info.output_scanline < info.output_height) {
    uint8_t *out = image.row(info.output_scanline);
    uint8_t *row = four ? inks.data() : out;
    jpeg_read_scanlines(&info, &row, 1);
    if (four)
      storeInks(row, out, image.channels, image.size.width, info.saw_Adobe_marker);
  }
}

} // namespace

std::string readJpegSize(std::string_view bytes, Size &size) {
  Decompressor jpeg;
  if (setjmp(jpeg.handler.begin))
    return jpeg.handler.text;
  jpeg.open(bytes);
  size = jpeg.size();
  return "";
}

std::string decodeJpeg(std::string_view bytes, int64_t channels, Size atLeast, Image &image) {
  Decompressor jpeg;
  if (setjmp(jpeg.handler.begin))
    return jpeg.handler.text;
  jpeg.open(bytes);
  jpeg.error = checkSize(jpeg.size());
  if (!jpeg.error.empty())
    return jpeg.error;
  jpeg_decompress_struct &info = jpeg.info;
  info.scale_num = chooseEighths(jpeg.size(), atLeast);
  info.scale_denom = 8;
  info.out_color_space = isFourColours(info) ? JCS_CMYK : channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_start_decompress(&info);
  image.reset({static_cast<int64_t>(info.output_height), static_cast<int64_t>(info.output_width)},
              channels);
  if (isFourColours(info))
    jpeg.inks.resize(static_cast<size_t>(4 * image.size.width));
  readRows(info, image, jpeg.inks);
  jpeg_finish_decompress(&info);
  return "";
}

} // namespace tri
