// SPDX-License-Identifier: Apache-2.0
//
// Whole files: reading with a size limit, writing so that a reader sees the old
// content or the new, never a part.
#ifndef TRRT_IO_FILE_H
#define TRRT_IO_FILE_H

#include <cstdint>
#include <string>
#include <vector>

namespace trrt {

// Throws Error naming the path.
std::vector<uint8_t> readFile(const std::string &path);
// For files that nobody streams: anything but a regular file is refused at once, a
// pipe too that has no writer yet. `kind` is for messages: "not a plan file".
std::vector<uint8_t> readRegularFile(const std::string &path, const std::string &kind);

// Throws Error where AtomicFile could not write `path`: asked before long work.
void checkWritable(const std::string &path);

// Writes `path` through a temporary file in the same folder: write, fsync, rename,
// fsync of the folder. Without commit() nothing is left behind.
class AtomicFile {
public:
  explicit AtomicFile(const std::string &path);
  ~AtomicFile();
  AtomicFile(const AtomicFile &) = delete;
  AtomicFile &operator=(const AtomicFile &) = delete;

  void write(const void *bytes, size_t size);
  void commit();

private:
  [[noreturn]] void fail(const char *action) const;

  std::string target, folder, temporary;
  int descriptor = -1;
};

} // namespace trrt

#endif // TRRT_IO_FILE_H
