// SPDX-License-Identifier: Apache-2.0
//
// PNG by libpng, which jumps out of errors as libjpeg does.
#include "decoders.h"

#include <csetjmp>
#include <cstring>

#include <png.h>

namespace tri {

namespace {

struct Input {
  std::string_view bytes;
  size_t position = 0;
  char text[128] = "";
};

[[noreturn]] void leave(png_structp png, png_const_charp text) {
  auto *input = static_cast<Input *>(png_get_error_ptr(png));
  std::strncpy(input->text, text, sizeof input->text - 1);
  png_longjmp(png, 1);
}

void beQuiet(png_structp, png_const_charp) {}

void readBytes(png_structp png, png_bytep out, size_t size) {
  auto *input = static_cast<Input *>(png_get_io_ptr(png));
  if (size > input->bytes.size() - input->position)
    png_error(png, "the file ends early");
  std::memcpy(out, input->bytes.data() + input->position, size);
  input->position += size;
}

class Reader {
public:
  explicit Reader(std::string_view bytes) {
    input.bytes = bytes;
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &input, leave, beQuiet);
    info = png ? png_create_info_struct(png) : nullptr;
  }
  ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
  Reader(const Reader &) = delete;
  Reader &operator=(const Reader &) = delete;

  Input input;
  png_structp png = nullptr;
  png_infop info = nullptr;
  // What changes after setjmp lives here, where no register holds it.
  std::vector<uint8_t> rows;
  std::vector<png_bytep> places;
  std::string error;

  // Everything up to the pixels; below setjmp.
  void open() {
    png_set_read_fn(png, &input, readBytes);
    png_set_user_limits(png, kMaxExtent, kMaxExtent);
    png_set_chunk_cache_max(png, 64);
    png_set_chunk_malloc_max(png, 1 << 20);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
    png_read_info(png, info);
  }
  Size size() const {
    return {static_cast<int64_t>(png_get_image_height(png, info)),
            static_cast<int64_t>(png_get_image_width(png, info))};
  }
  // Rows become 8 bits of red, green, blue and opacity.
  void askForRgba() {
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
  }
};

void storeRow(const uint8_t *in, uint8_t *out, int64_t channels, int64_t width) {
  for (int64_t x = 0; x < width; ++x, in += 4, out += channels)
    storePixel(out, channels, in[0], in[1], in[2], in[3]);
}

} // namespace

std::string readPngSize(std::string_view bytes, Size &size) {
  Reader reader(bytes);
  if (!reader.info)
    return "libpng has no memory";
  if (setjmp(png_jmpbuf(reader.png)))
    return reader.input.text;
  reader.open();
  size = reader.size();
  return "";
}

std::string decodePng(std::string_view bytes, int64_t channels, Size, Image &image) {
  Reader reader(bytes);
  if (!reader.info)
    return "libpng has no memory";
  if (setjmp(png_jmpbuf(reader.png)))
    return reader.input.text;
  reader.open();
  const Size size = reader.size();
  reader.error = checkSize(size);
  if (!reader.error.empty())
    return reader.error;
  reader.askForRgba();
  const bool interlaced = png_set_interlace_handling(reader.png) > 1;
  png_read_update_info(reader.png, reader.info);
  const size_t stride = png_get_rowbytes(reader.png, reader.info);
  if (stride != static_cast<size_t>(4 * size.width))
    return "its rows do not have 4 bytes a pixel";
  image.reset(size, channels);
  // Passes of an interlaced picture fill it from everywhere.
  reader.rows.resize(stride * static_cast<size_t>(interlaced ? size.height : 1));
  reader.places.resize(static_cast<size_t>(interlaced ? size.height : 0));
  for (size_t y = 0; y < reader.places.size(); ++y)
    reader.places[y] = reader.rows.data() + y * stride;
  if (interlaced)
    png_read_image(reader.png, reader.places.data());
  for (int64_t y = 0; y < size.height; ++y) {
    if (!interlaced)
      png_read_row(reader.png, reader.rows.data(), nullptr);
    storeRow(interlaced ? reader.places[static_cast<size_t>(y)] : reader.rows.data(), image.row(y),
             channels, size.width);
  }
  png_read_end(reader.png, nullptr);
  return "";
}

} // namespace tri
