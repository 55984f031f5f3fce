// SPDX-License-Identifier: Apache-2.0
//
// POSIX files with every return value checked.
#include "io/file.h"

#include "base/status.h"
#include "base/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace trrt {

static std::string reason(int code) { return std::string(": ") + std::strerror(code); }

static int openFor(const std::string &path, int flags) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | flags);
  if (fd < 0)
    throw Error(errno == ENOENT ? TRRT_NOT_FOUND : TRRT_IO_ERROR,
                "cannot open '" + printable(path) + "'" + reason(errno));
  return fd;
}

int openForReading(const std::string &path) { return openFor(path, 0); }

// Reads to the end and closes. Grows as data arrives, so that pipes work and a lying
// size costs nothing.
static std::vector<uint8_t> readAll(int fd, const std::string &path) {
  std::vector<uint8_t> bytes;
  struct stat info;
  int failure = fstat(fd, &info) == 0 ? 0 : errno;
  if (!failure && S_ISDIR(info.st_mode))
    failure = EISDIR;
  try {
    size_t used = 0;
    bytes.resize(!failure && S_ISREG(info.st_mode) ? static_cast<size_t>(info.st_size) + 1 : 65536);
    while (!failure) {
      if (used == bytes.size())
        bytes.resize(bytes.size() * 2);
      const ssize_t got = read(fd, bytes.data() + used, bytes.size() - used);
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        failure = errno;
      if (got <= 0)
        break;
      used += static_cast<size_t>(got);
    }
    bytes.resize(used);
  } catch (...) {
    close(fd);
    throw;
  }
  close(fd);
  if (failure)
    throw Error(TRRT_IO_ERROR, "cannot read '" + printable(path) + "'" + reason(failure));
  return bytes;
}

std::vector<uint8_t> readFile(const std::string &path) {
  return readAll(openForReading(path), path);
}

// What a path leads to that is no regular file.
static const char *kindOf(mode_t mode) {
  if (S_ISDIR(mode))
    return "a directory";
  return S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
}

std::vector<uint8_t> readRegularFile(const std::string &path, const std::string &kind) {
  const int fd = openFor(path, O_NONBLOCK);
  struct stat info;
  if (fstat(fd, &info) == 0 && !S_ISREG(info.st_mode)) {
    close(fd);
    throw Error(TRRT_IO_ERROR,
                printable(path) + ": not a " + kind + " file: it is " + kindOf(info.st_mode));
  }
  return readAll(fd, path);
}

void requireWritten(const std::string &error) {
  if (!error.empty())
    throw Error(TRRT_IO_ERROR, error);
}

} // namespace trrt
