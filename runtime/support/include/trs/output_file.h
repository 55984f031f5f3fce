// SPDX-License-Identifier: Apache-2.0
//
// The one way in which tools and libraries write files: a reader sees the old content or the new,
// never a part, and every failure has a text.
#ifndef TRS_OUTPUT_FILE_H
#define TRS_OUTPUT_FILE_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

struct stat;

namespace trs {

// Writes `path`; "-" is the standard output.
//
// A regular file, or a new one, is written beside itself as `.NAME.tmp-PID-N`, which a lock marks
// as in use, and takes its place in commit(): write, fsync, rename, fsync of the folder. The mode
// of an old file stays, a symbolic link is written through, also where nothing is at its end. What
// a killed process left behind is removed. A pipe, a device or a descriptor such as /dev/stdout is
// streamed to, never replaced.
//
// With Way::Append the path itself is emptied and then grows, so that others can follow it: a log.
//
// No exceptions: after the first failure write() does nothing, commit() fails, and error() reads
// "cannot write 'p.plan': No space left on device". Without a successful commit() a regular file
// stays as it was and nothing is left behind.
class OutputFile {
public:
  enum class Way { Replace, Append };

  explicit OutputFile(std::string path, Way way = Way::Replace);
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  bool write(const void *bytes, size_t size);
  bool write(std::string_view text) { return write(text.data(), text.size()); }
  bool commit();

  bool failed() const { return !problem.empty(); }
  const std::string &error() const { return problem; }
  // Whether bytes go out as they are written, and stay there.
  bool isStream() const { return temporary.empty(); }

private:
  bool open();
  bool openStream(int flags);
  bool openTemporary(const struct ::stat *replaced);
  bool keepOwnerAndMode(const struct ::stat &old);
  bool lockTemporary();
  bool syncFolder();
  bool fail(int code);

  std::string path, target, folder, name, temporary, problem;
  Way way;
  int descriptor = -1;
};

// Writes all of `bytes`. Returns an empty text or the error.
std::string writeWholeFile(const std::string &path, std::string_view bytes);

// Removes what killed processes left behind of files of a folder whose names begin so; OutputFile
// does it for its own name.
void removeLeftOvers(const std::string &folder, const std::string &begin);

// Asked before long work: what OutputFile would answer now, with nothing changed. A pipe is not
// opened.
std::string checkWritable(const std::string &path);

// A file of a command line by the word that names it: {"--save", "w.safetensors"}.
struct NamedPath {
  std::string option, path;
};

// "--log and --save are the same file 'x'" where an output is an input or another output, by device
// and inode, or by name where it does not exist yet; the standard output counts where it is a
// regular file. Pipes and devices may be named twice.
std::string checkDistinct(const std::vector<NamedPath> &inputs,
                          const std::vector<NamedPath> &outputs);

} // namespace trs

#endif // TRS_OUTPUT_FILE_H
