// SPDX-License-Identifier: Apache-2.0
//
// Every return value of POSIX is looked at: a disk may be full at write, fsync or close.
#include "trs/output_file.h"

#include "path_target.h"
#include "trs/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace trs {

static constexpr int kMaxAttempts = 1000;
static constexpr size_t kMaxName = 200; // leaves room in NAME_MAX for what temporary names add

static std::string writeError(const std::string &path, int code) {
  const std::string target = path == "-" ? "standard output" : "'" + printable(path) + "'";
  return "cannot write " + target + ": " + std::strerror(code);
}

OutputFile::OutputFile(std::string outputPath, Way way) : path(std::move(outputPath)), way(way) {
  open();
}

OutputFile::~OutputFile() {
  if (!temporary.empty())
    unlink(temporary.c_str()); // while the lock is held
  if (descriptor >= 0)
    close(descriptor);
}

bool OutputFile::fail(int code) {
  if (problem.empty())
    problem = writeError(path, code);
  return false;
}

static int duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 3); }

bool OutputFile::openStream(int flags) {
  descriptor = ::open(target.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
  return descriptor >= 0 || fail(errno);
}

bool OutputFile::open() {
  if (path == "-") {
    descriptor = duplicate(STDOUT_FILENO);
    return descriptor >= 0 || fail(errno);
  }
  const PathTarget found = followPath(path);
  if (path.empty() || found.error != 0)
    return fail(path.empty() ? ENOENT : found.error);
  if (found.descriptor >= 0) {
    descriptor = duplicate(found.descriptor);
    return descriptor >= 0 || fail(errno);
  }
  target = found.path;
  splitPath(target, folder, name);
  if (!found.exists)
    return name.empty()         ? fail(EISDIR)
           : way == Way::Append ? openStream(O_CREAT)
                                : openTemporary(nullptr);
  if (S_ISDIR(found.info.st_mode) || S_ISSOCK(found.info.st_mode))
    return fail(S_ISDIR(found.info.st_mode) ? EISDIR : ENXIO);
  if (!S_ISREG(found.info.st_mode))
    return openStream(0);
  if (way == Way::Append)
    return openStream(O_TRUNC);
  // The folder's rights let us replace a file that we may not write.
  if (faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0)
    return fail(errno);
  return openTemporary(&found.info);
}

void removeLeftOvers(const std::string &folder, const std::string &begin) {
  const std::string prefix = "." + begin;
  DIR *entries = opendir(folder.c_str());
  if (!entries)
    return;
  while (const dirent *entry = readdir(entries)) {
    if (std::strncmp(entry->d_name, prefix.c_str(), prefix.size()) != 0 ||
        !std::strstr(entry->d_name, ".tmp-"))
      continue;
    const std::string file = folder + "/" + entry->d_name;
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat info;
    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
        flock(fd, LOCK_EX | LOCK_NB) == 0)
      unlink(file.c_str());
    if (fd >= 0)
      close(fd);
  }
  closedir(entries);
}

// Between its making and its locking another process may have taken the file for a left-over: then
// it has no name any more. File systems without locks have no removal either.
bool OutputFile::lockTemporary() {
  struct stat info;
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor, &info) == 0 &&
      info.st_nlink == 0) {
    close(descriptor);
    descriptor = -1;
    return false;
  }
  return true;
}

// Another owner stays where we may say so; the mode stays always.
bool OutputFile::keepOwnerAndMode(const struct stat &old) {
  if (old.st_uid != geteuid() && fchown(descriptor, old.st_uid, old.st_gid) != 0 && errno != EPERM)
    return fail(errno);
  return fchmod(descriptor, old.st_mode & 07777) == 0 || fail(errno);
}

bool OutputFile::openTemporary(const struct stat *replaced) {
  const std::string prefix = "." + name.substr(0, kMaxName) + ".tmp-";
  removeLeftOvers(folder, prefix.substr(1));
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    temporary = folder + "/" + prefix + std::to_string(getpid()) + "-" + std::to_string(attempt);
    descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                        replaced ? 0600 : 0666);
    if (descriptor < 0 && errno == EEXIST)
      continue;
    if (descriptor < 0)
      break;
    if (!lockTemporary())
      continue;
    return !replaced || keepOwnerAndMode(*replaced);
  }
  const int code = errno;
  temporary.clear();
  return fail(code);
}

bool OutputFile::write(const void *bytes, size_t size) {
  if (failed())
    return false;
  const char *next = static_cast<const char *>(bytes);
  while (size > 0) {
    const ssize_t done = ::write(descriptor, next, size);
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return fail(errno);
    next += done;
    size -= static_cast<size_t>(done);
  }
  return true;
}

// Some file systems cannot sync a folder; the file itself is safe.
bool OutputFile::syncFolder() {
  const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0)
    return errno == EACCES || fail(errno); // a folder may be writable and not readable
  const int code = fsync(directory) == 0 ? 0 : errno;
  close(directory);
  return code == 0 || code == EINVAL || code == EROFS || fail(code);
}

bool OutputFile::commit() {
  if (failed())
    return false;
  if (isStream()) {
    const int closed = close(descriptor);
    descriptor = -1;
    return closed == 0 || fail(errno);
  }
  // The lock goes with the descriptor, so the file gets its name before it is closed.
  if (fsync(descriptor) != 0 || rename(temporary.c_str(), target.c_str()) != 0)
    return fail(errno);
  temporary.clear();
  const int closed = close(descriptor);
  descriptor = -1;
  return closed == 0 ? syncFolder() : fail(errno);
}

std::string writeWholeFile(const std::string &path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
  return file.error();
}

std::string checkWritable(const std::string &path) {
  if (path != "-") {
    const PathTarget found = followPath(path);
    if (found.exists && S_ISFIFO(found.info.st_mode) && found.descriptor < 0)
      return access(found.path.c_str(), W_OK) == 0 ? "" : writeError(path, errno);
  }
  return OutputFile(path).error();
}

} // namespace trs
