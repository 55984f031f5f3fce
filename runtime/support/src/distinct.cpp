// SPDX-License-Identifier: Apache-2.0
//
// An output that is an input would be replaced while it is read, or before it is understood.
#include "path_target.h"
#include "trs/output_file.h"
#include "trs/text.h"

#include <unistd.h>

#include <optional>
#include <tuple>

namespace trs {

// Device, inode, and the name of what does not exist yet in that folder.
using FileId = std::tuple<dev_t, ino_t, std::string>;

static std::optional<FileId> idOf(const std::string &path) {
  struct stat info;
  if (path == "-") {
    if (fstat(STDOUT_FILENO, &info) != 0 || !S_ISREG(info.st_mode))
      return std::nullopt;
    return FileId(info.st_dev, info.st_ino, "");
  }
  const PathTarget found = followPath(path);
  if (found.error != 0)
    return std::nullopt;
  if (found.exists)
    return S_ISREG(found.info.st_mode)
               ? std::optional<FileId>({found.info.st_dev, found.info.st_ino, ""})
               : std::nullopt;
  std::string folder, name;
  splitPath(found.path, folder, name);
  if (stat(folder.c_str(), &info) != 0)
    return std::nullopt;
  return FileId(info.st_dev, info.st_ino, name);
}

static std::string samePathError(const NamedPath &a, const NamedPath &b) {
  return a.option + " and " + b.option + " are the same file '" +
         printable(b.path == "-" ? a.path : b.path) + "'";
}

std::string checkDistinct(const std::vector<NamedPath> &inputs,
                          const std::vector<NamedPath> &outputs) {
  std::vector<std::pair<FileId, NamedPath>> seen;
  // "-" is the standard input here.
  for (const NamedPath &input : inputs)
    if (const std::optional<FileId> id = input.path == "-" ? std::nullopt : idOf(input.path))
      seen.emplace_back(*id, input);
  for (const NamedPath &output : outputs) {
    const std::optional<FileId> id = idOf(output.path);
    if (!id)
      continue;
    for (const auto &[other, named] : seen)
      if (other == *id)
        return samePathError(named, output);
    seen.emplace_back(*id, output);
  }
  return "";
}

} // namespace trs
