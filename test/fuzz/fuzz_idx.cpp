// SPDX-License-Identifier: Apache-2.0
//
// Bytes as an IDX file of images and of labels, plain or gzip. The mutator unpacks
// gzip data, changes them and packs them again, so that checksums fit.
#include "fuzz.h"

#include "base/status.h"
#include "data/idx.h"

#include <zlib.h>

#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace {

// A file in memory with a path, which is what zlib opens.
class MemoryFile {
public:
  MemoryFile() : descriptor(memfd_create("fuzz-idx", MFD_CLOEXEC)) {
    if (descriptor < 0)
      fuzz::finding("a file in memory", std::strerror(errno));
  }
  ~MemoryFile() { close(descriptor); }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor); }
  void fill(const uint8_t *data, size_t size) {
    if (ftruncate(descriptor, 0) != 0 ||
        (size != 0 && pwrite(descriptor, data, size, 0) != static_cast<ssize_t>(size)))
      fuzz::finding("a written file in memory", std::strerror(errno));
  }

private:
  int descriptor;
};

void readAs(const std::string &path, uint32_t rank) {
  trrt::IdxFile file;
  try {
    file = trrt::readIdx(path, rank);
  } catch (const trrt::Error &error) {
    if (std::strchr(error.what(), '\n'))
      fuzz::finding("one line", error.what());
    return;
  }
  uint64_t total = 1;
  for (const uint32_t extent : file.dims)
    total *= extent;
  if (file.dims.size() != rank || file.values.size() != total)
    fuzz::finding("as many values as the extents say", path.c_str());
}

bool isGzip(const uint8_t *data, size_t size) {
  return size > 2 && data[0] == 0x1f && data[1] == 0x8b;
}

// At most 16 KiB: more is not worth mutating.
std::vector<uint8_t> unpack(uint8_t *data, size_t size) {
  std::vector<uint8_t> result(1 << 14);
  z_stream stream = {};
  if (inflateInit2(&stream, 15 + 16) != Z_OK)
    return {};
  stream.next_in = data;
  stream.avail_in = static_cast<uInt>(size);
  stream.next_out = result.data();
  stream.avail_out = static_cast<uInt>(result.size());
  inflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  inflateEnd(&stream);
  return result;
}

std::vector<uint8_t> pack(std::vector<uint8_t> &bytes) {
  z_stream stream = {};
  if (deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return {};
  std::vector<uint8_t> result(deflateBound(&stream, bytes.size()));
  stream.next_in = bytes.data();
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = result.data();
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static MemoryFile file;
  file.fill(data, size);
  readAs(file.path(), 1);
  readAs(file.path(), 3);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  fuzz::Random random(seed);
  if (!isGzip(data, size) || random.below(4) == 0) {
    const size_t plain = LLVMFuzzerMutate(data, size, maxSize);
    if (random.below(16) != 0)
      return plain;
    std::vector<uint8_t> bytes(data, data + plain);
    const size_t packed = fuzz::give(pack(bytes), data, maxSize);
    return packed != 0 ? packed : plain;
  }
  std::vector<uint8_t> bytes = unpack(data, size);
  const size_t used = bytes.size();
  bytes.resize(used + 64);
  bytes.resize(LLVMFuzzerMutate(bytes.data(), used, bytes.size()));
  const size_t packed = fuzz::give(pack(bytes), data, maxSize);
  return packed != 0 ? packed : LLVMFuzzerMutate(data, size, maxSize);
}
