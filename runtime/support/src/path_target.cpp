// SPDX-License-Identifier: Apache-2.0
//
// realpath() fails where the last link leads to nothing, and turns /dev/stdout into a name that
// cannot be opened; so links are followed here one by one.
#include "path_target.h"

#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

namespace trs {

static constexpr int kMaxLinks = 40; // as the kernel's

void splitPath(const std::string &path, std::string &folder, std::string &name) {
  const size_t slash = path.rfind('/');
  folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
  name = slash == std::string::npos ? path : path.substr(slash + 1);
}

// The N of "/dev/fd/N" and its like, or -1.
static int descriptorOf(const std::string &path) {
  if (path == "/dev/stdout")
    return STDOUT_FILENO;
  if (path == "/dev/stderr")
    return STDERR_FILENO;
  for (const char *folder : {"/dev/fd/", "/proc/self/fd/"}) {
    const size_t length = std::strlen(folder);
    if (path.compare(0, length, folder) != 0 || path.size() == length || path.size() > length + 6 ||
        path.find_first_not_of("0123456789", length) != std::string::npos)
      continue;
    return std::atoi(path.c_str() + length);
  }
  return -1;
}

static std::string readLink(const std::string &path) {
  char text[PATH_MAX];
  const ssize_t size = readlink(path.c_str(), text, sizeof text);
  return size < 0 ? "" : std::string(text, static_cast<size_t>(size));
}

PathTarget followPath(const std::string &path) {
  PathTarget target;
  target.path = path;
  for (int links = 0; links <= kMaxLinks; ++links) {
    target.descriptor = descriptorOf(target.path);
    if (target.descriptor >= 0) {
      target.exists = fstat(target.descriptor, &target.info) == 0;
      target.error = target.exists ? 0 : errno;
      return target;
    }
    target.exists = lstat(target.path.c_str(), &target.info) == 0;
    if (!target.exists) {
      target.error = errno == ENOENT ? 0 : errno;
      return target;
    }
    if (!S_ISLNK(target.info.st_mode))
      return target;
    const std::string next = readLink(target.path);
    if (next.empty())
      break;
    std::string folder, name;
    splitPath(target.path, folder, name);
    target.path = next[0] == '/' ? next : folder + "/" + next;
  }
  target.error = ELOOP;
  return target;
}

} // namespace trs
