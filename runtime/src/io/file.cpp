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
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace trrt {

static std::string reason(int code) { return std::string(": ") + std::strerror(code); }

static int openForReading(const std::string &path, int flags) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | flags);
  if (fd < 0)
    throw Error(errno == ENOENT ? TRRT_NOT_FOUND : TRRT_IO_ERROR,
                "cannot open '" + printable(path) + "'" + reason(errno));
  return fd;
}

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
  return readAll(openForReading(path, 0), path);
}

// What a path leads to that is no regular file.
static const char *kindOf(mode_t mode) {
  if (S_ISDIR(mode))
    return "a directory";
  return S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
}

std::vector<uint8_t> readRegularFile(const std::string &path, const std::string &kind) {
  const int fd = openForReading(path, O_NONBLOCK);
  struct stat info;
  if (fstat(fd, &info) == 0 && !S_ISREG(info.st_mode)) {
    close(fd);
    throw Error(TRRT_IO_ERROR,
                printable(path) + ": not a " + kind + " file: it is " + kindOf(info.st_mode));
  }
  return readAll(fd, path);
}

void checkWritable(const std::string &path) { const AtomicFile probe(path); }

void AtomicFile::fail(const char *action) const {
  throw Error(TRRT_IO_ERROR,
              std::string("cannot ") + action + " '" + printable(target) + "'" + reason(errno));
}

AtomicFile::AtomicFile(const std::string &path) : target(path) {
  // A link stays a link: write the file behind it.
  if (char *real = realpath(path.c_str(), nullptr)) {
    target = real;
    std::free(real);
  }
  struct stat info;
  if (stat(target.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    errno = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
    fail("write");
  }
  const size_t slash = target.rfind('/');
  folder = slash == std::string::npos ? "." : slash == 0 ? "/" : target.substr(0, slash);
  const std::string name = slash == std::string::npos ? target : target.substr(slash + 1);
  for (int attempt = 0; descriptor < 0; ++attempt) {
    temporary =
        folder + "/." + name + ".tmp-" + std::to_string(getpid()) + "-" + std::to_string(attempt);
    descriptor = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && (errno != EEXIST || attempt == 1000)) {
      temporary.clear();
      fail("write");
    }
  }
}

AtomicFile::~AtomicFile() {
  if (descriptor >= 0)
    close(descriptor);
  if (!temporary.empty())
    unlink(temporary.c_str());
}

void AtomicFile::write(const void *bytes, size_t size) {
  const char *next = static_cast<const char *>(bytes);
  while (size > 0) {
    const ssize_t done = ::write(descriptor, next, size);
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      fail("write");
    next += done;
    size -= static_cast<size_t>(done);
  }
}

void AtomicFile::commit() {
  if (fsync(descriptor) != 0)
    fail("write");
  const int closed = close(descriptor);
  descriptor = -1;
  if (closed != 0 || rename(temporary.c_str(), target.c_str()) != 0)
    fail("write");
  temporary.clear();
  const int directory = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0)
    fail("write");
  const int synced = fsync(directory);
  const int code = errno;
  close(directory);
  // Some file systems cannot sync a folder; the file itself is safe.
  errno = code;
  if (synced != 0 && code != EINVAL)
    fail("write");
}

} // namespace trrt
