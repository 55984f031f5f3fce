// SPDX-License-Identifier: Apache-2.0
//
// Where a path leads.
#ifndef TRS_SRC_PATH_TARGET_H
#define TRS_SRC_PATH_TARGET_H

#include <sys/stat.h>

#include <string>

namespace trs {

struct PathTarget {
  std::string path;    // after all symbolic links, of which the last may lead to nothing
  int descriptor = -1; // /dev/stdout and its like: the open descriptor that is meant
  bool exists = false;
  struct stat info {};
  int error = 0; // errno where the path cannot be followed
};

PathTarget followPath(const std::string &path);

// "a/b" to "a" and "b"; "b" to "." and "b".
void splitPath(const std::string &path, std::string &folder, std::string &name);

} // namespace trs

#endif // TRS_SRC_PATH_TARGET_H
