// SPDX-License-Identifier: Apache-2.0
//
// zlib reads both forms: it passes plain files through.
#include "data/idx.h"

#include "base/status.h"
#include "base/text.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace trrt {

namespace {

class GzipReader {
public:
  explicit GzipReader(const std::string &path) : path(path), file(gzopen(path.c_str(), "rb")) {
    if (!file)
      throw Error(errno == ENOENT ? TRRT_NOT_FOUND : TRRT_IO_ERROR,
                  "cannot open '" + printable(path) + "': " + std::strerror(errno));
  }
  ~GzipReader() { gzclose(file); }
  GzipReader(const GzipReader &) = delete;
  GzipReader &operator=(const GzipReader &) = delete;

  // Fewer than `size` bytes only at the end.
  size_t read(void *out, size_t size) {
    const int got = gzread(file, out, static_cast<unsigned>(size));
    int code = Z_OK;
    const char *message = gzerror(file, &code);
    if (got < 0 || (code != Z_OK && code != Z_STREAM_END))
      fail(code == Z_BUF_ERROR ? "the gzip data ends early"
           : code == Z_ERRNO   ? std::strerror(errno)
                               : message);
    return static_cast<size_t>(got);
  }
  [[noreturn]] void fail(const std::string &what) const {
    throw Error(TRRT_INVALID_FILE, printable(path) + ": not a valid IDX file: " + what);
  }

private:
  std::string path;
  gzFile file;
};

// Reads the magic number and the extents; returns their product.
uint64_t readHeader(GzipReader &reader, uint32_t rank, std::vector<uint32_t> &dims) {
  constexpr uint8_t kUnsignedByte = 0x08;
  constexpr uint64_t kMaxValues = uint64_t{1} << 34;
  uint8_t magic[4];
  if (reader.read(magic, sizeof(magic)) != sizeof(magic))
    reader.fail("expected a header, but the file ends");
  if (magic[0] != 0 || magic[1] != 0)
    reader.fail("it does not start with two zero bytes");
  if (magic[2] != kUnsignedByte)
    reader.fail("expected elements of type 0x08 (unsigned byte), but got type " +
                std::to_string(magic[2]));
  if (magic[3] != rank)
    reader.fail("expected " + std::to_string(rank) + " dimensions, but got " +
                std::to_string(magic[3]));
  uint64_t total = 1;
  for (uint32_t i = 0; i < rank; ++i) {
    uint8_t b[4];
    if (reader.read(b, sizeof(b)) != sizeof(b))
      reader.fail("expected a header, but the file ends");
    const uint32_t extent =
        uint32_t{b[0]} << 24 | uint32_t{b[1]} << 16 | uint32_t{b[2]} << 8 | b[3];
    dims.push_back(extent);
    if (extent == 0)
      reader.fail("dimension " + std::to_string(i) + " is zero");
    if (__builtin_mul_overflow(total, extent, &total) || total > kMaxValues)
      reader.fail("it claims more than 16 GiB of data");
  }
  return total;
}

} // namespace

IdxFile readIdx(const std::string &path, uint32_t rank) {
  GzipReader reader(path);
  IdxFile file;
  const uint64_t total = readHeader(reader, rank, file.dims);
  // In pieces, so that a lying header costs no more memory than the file has data.
  constexpr uint64_t kPiece = uint64_t{1} << 16;
  while (file.values.size() < total) {
    const size_t used = file.values.size();
    const size_t piece = static_cast<size_t>(std::min(kPiece, total - used));
    file.values.resize(used + piece);
    const size_t got = reader.read(file.values.data() + used, piece);
    if (got < piece)
      reader.fail("expected " + std::to_string(total) + " bytes of data, but got " +
                  std::to_string(used + got));
  }
  uint8_t extra = 0;
  if (reader.read(&extra, 1) != 0)
    reader.fail("expected " + std::to_string(total) + " bytes of data, but there are more");
  return file;
}

} // namespace trrt
