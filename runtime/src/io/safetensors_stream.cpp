// SPDX-License-Identifier: Apache-2.0
//
// Reads forwards only; what is not wanted is read and forgotten.
#include "io/safetensors_stream.h"

#include "base/text.h"
#include "io/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace trrt {

static uint64_t sizeOf(int descriptor) {
  struct stat info;
  return fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode)
             ? static_cast<uint64_t>(info.st_size)
             : kUnknownSize;
}

// Fewer than `size` bytes only at the end.
size_t SafetensorsStream::readSome(void *bytes, size_t size) {
  char *next = static_cast<char *>(bytes);
  size_t used = 0;
  while (used < size) {
    const ssize_t got = ::read(descriptor, next + used, size - used);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      throw Error(TRRT_IO_ERROR,
                  "cannot read '" + printable(filePath) + "': " + std::strerror(errno));
    if (got == 0)
      break;
    used += static_cast<size_t>(got);
  }
  return used;
}

SafetensorsStream::SafetensorsStream(const std::string &path)
    : filePath(path), descriptor(openForReading(path)) {
  try {
    const uint64_t fileBytes = sizeOf(descriptor);
    // One byte of the header, and where that is none enough to say what the file is.
    char begin[64];
    size_t got = readSome(begin, kHeaderLengthBytes + 1);
    if (got <= kHeaderLengthBytes || begin[kHeaderLengthBytes] != '{')
      got += readSome(begin + got, sizeof begin - got);
    const uint64_t length = headerLength({begin, got}, fileBytes, path);
    std::string json(1, '{');
    while (json.size() < length) { // grows as data arrives: the length may lie
      const size_t used = json.size();
      json.resize(used + std::min<size_t>(length - used, 1 << 16));
      if (readSome(&json[used], json.size() - used) != json.size() - used)
        throw safetensorsError(path, "the file ends within the header");
    }
    const uint64_t dataBytes =
        fileBytes == kUnknownSize ? kUnknownSize : fileBytes - kHeaderLengthBytes - length;
    header = parseHeader(json, dataBytes, path);
  } catch (...) {
    close(descriptor);
    throw;
  }
}

SafetensorsStream::~SafetensorsStream() { close(descriptor); }

const TensorEntry &SafetensorsStream::tensor(const std::string &name) const {
  const auto found = header.tensors.find(name);
  if (found != header.tensors.end())
    return found->second;
  throw noTensor(filePath, name, header.tensors);
}

void SafetensorsStream::skip(uint64_t bytes) {
  char piece[1 << 16];
  while (bytes > 0) {
    const size_t size = static_cast<size_t>(std::min<uint64_t>(bytes, sizeof piece));
    read(piece, size);
    bytes -= size;
  }
}

void SafetensorsStream::seek(const TensorEntry &tensor) {
  if (tensor.begin < position)
    throw Error(TRRT_INTERNAL, "the stream is already behind the tensor");
  skip(tensor.begin - position);
}

void SafetensorsStream::read(void *bytes, size_t size) {
  if (readSome(bytes, size) != size)
    throw safetensorsError(filePath, "the file ends within the data");
  position += size;
}

void SafetensorsStream::finish() {
  skip(header.dataBytes - position);
  char more;
  if (readSome(&more, 1) != 0)
    throw safetensorsError(filePath, "there are bytes after the last tensor");
}

} // namespace trrt
