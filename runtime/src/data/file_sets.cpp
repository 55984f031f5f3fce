// SPDX-License-Identifier: Apache-2.0
//
// Pictures in files of their own: by folder, or by a list.
#include "base/status.h"
#include "base/text.h"
#include "data/data_sets.h"
#include "data/sources.h"
#include "io/file.h"
#include "tri/decode.h"
#include "trs/number.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

namespace trrt {

namespace fs = std::filesystem;

namespace {

class FileSet final : public DataSet {
public:
  struct Entry {
    std::string path;
    int32_t label = 0;
  };

  explicit FileSet(std::vector<Entry> files) : entries(std::move(files)) {
    normal = tri::imagenetNormalisation();
  }
  int64_t size() const override { return static_cast<int64_t>(entries.size()); }
  int32_t label(int64_t index) const override { return at(index).label; }
  tri::Picture picture(int64_t index, std::vector<uint8_t> &buffer) const override {
    buffer = readRegularFile(at(index).path, "image");
    const tri::Picture picture =
        tri::Picture::ofFile({reinterpret_cast<const char *>(buffer.data()), buffer.size()});
    if (buffer.empty())
      throw Error(TRRT_INVALID_FILE, "the file is empty");
    return picture;
  }
  std::string describe(int64_t index) const override { return printable(at(index).path); }

private:
  const Entry &at(int64_t index) const { return entries[static_cast<size_t>(index)]; }
  std::vector<Entry> entries;
};

std::vector<std::string> sortedNames(const fs::path &folder, bool folders) {
  std::error_code code;
  std::vector<std::string> names;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, code)) {
    const std::string name = entry.path().filename().string();
    if (name[0] != '.' &&
        (folders ? entry.is_directory() : entry.is_regular_file() && tri::hasImageSuffix(name)))
      names.push_back(name);
  }
  if (code)
    throw Error(TRRT_NOT_FOUND,
                "cannot read the folder '" + printable(folder.string()) + "': " + code.message());
  std::sort(names.begin(), names.end());
  return names;
}

// Pictures of a class, also in folders below its own.
void addClass(const fs::path &folder, int32_t label, std::vector<FileSet::Entry> &entries,
              int depth = 0) {
  for (const std::string &name : sortedNames(folder, false))
    entries.push_back({(folder / name).string(), label});
  if (depth == 8)
    return;
  for (const std::string &name : sortedNames(folder, true))
    addClass(folder / name, label, entries, depth + 1);
}

// The folder of a part, or none where the classes lie in `folder` itself.
std::string partOf(const fs::path &folder, Split split) {
  const std::vector<const char *> names =
      split == Split::Train ? std::vector<const char *>{"train"}
                            : std::vector<const char *>{"val", "test", "validation", "valid"};
  for (const char *name : names)
    if (fs::is_directory(folder / name))
      return name;
  return "";
}

} // namespace

std::unique_ptr<DataSet> openFolder(const SourceRequest &request) {
  const fs::path top = request.path;
  const bool hasParts = !partOf(top, Split::Train).empty();
  const std::string part = hasParts ? partOf(top, request.split) : "";
  if (hasParts && part.empty())
    throw Error(TRRT_NOT_FOUND, "data set " + request.name + ": '" + printable(request.path) +
                                    "' has a folder train, but none of val, test, validation and "
                                    "valid");
  const fs::path folder = top / part;
  const std::vector<std::string> classes = sortedNames(folder, true);
  std::vector<FileSet::Entry> entries;
  for (size_t i = 0; i < classes.size(); ++i)
    addClass(folder / classes[i], static_cast<int32_t>(i), entries);
  if (entries.empty())
    throw Error(TRRT_INVALID_FILE, "data set " + request.name + ": no image of a class in '" +
                                       printable(folder.string()) +
                                       "'; expected CLASS/NAME.jpg, .png, .webp or .bmp");
  auto data = std::make_unique<FileSet>(std::move(entries));
  data->classNames = classes;
  data->hasParts = hasParts;
  return data;
}

std::unique_ptr<DataSet> openFiles(const std::vector<std::string> &paths) {
  std::vector<FileSet::Entry> entries;
  for (const std::string &path : paths) {
    if (!fs::is_directory(path)) {
      entries.push_back({path, 0});
      continue;
    }
    const size_t before = entries.size();
    addClass(path, 0, entries);
    if (entries.size() == before)
      throw Error(TRRT_NOT_FOUND, "no image in the folder '" + printable(path) + "'");
  }
  return std::make_unique<FileSet>(std::move(entries));
}

namespace {

// Labels of a list: numbers, or names that are numbered in sorted order.
class ListLabels {
public:
  void add(const std::string &word) {
    words.push_back(word);
    int64_t number = 0;
    allNumbers =
        allNumbers && trs::parseInteger(word, number).empty() && number >= 0 && number <= INT32_MAX;
    byName.emplace(word, 0);
  }
  int32_t operator[](size_t i) const {
    if (!allNumbers)
      return byName.at(words[i]);
    int64_t number = 0;
    trs::parseInteger(words[i], number);
    return static_cast<int32_t>(number);
  }
  std::vector<std::string> number() {
    std::vector<std::string> names;
    if (allNumbers)
      return names;
    for (auto &[name, index] : byName) {
      index = static_cast<int32_t>(names.size());
      names.push_back(name);
    }
    return names;
  }

private:
  std::vector<std::string> words;
  std::map<std::string, int32_t> byName;
  bool allNumbers = true;
};

bool isSpace(char c) { return c == ' ' || c == '\t'; }

} // namespace

std::unique_ptr<DataSet> openList(const SourceRequest &request) {
  std::ifstream in(request.path);
  if (!in)
    throw Error(TRRT_NOT_FOUND, "data set list: cannot open '" + printable(request.path) + "'");
  const fs::path folder = fs::path(request.path).parent_path();
  std::vector<FileSet::Entry> entries;
  ListLabels labels;
  int64_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    while (!line.empty() && (isSpace(line.back()) || line.back() == '\r'))
      line.pop_back();
    if (line.empty() || line[0] == '#')
      continue;
    const size_t gap = line.find_last_of(" \t");
    size_t end = gap;
    while (end != std::string::npos && end > 0 && isSpace(line[end - 1]))
      --end;
    if (gap == std::string::npos || end == 0)
      throw Error(TRRT_INVALID_FILE, printable(request.path) + ":" + std::to_string(number) +
                                         ": expected 'PATH LABEL', but got '" + printable(line) +
                                         "'");
    entries.push_back({(folder / line.substr(0, end)).string(), 0});
    labels.add(line.substr(gap + 1));
  }
  if (entries.empty())
    throw Error(TRRT_INVALID_FILE, printable(request.path) + ": the list is empty");
  const std::vector<std::string> names = labels.number();
  for (size_t i = 0; i < entries.size(); ++i)
    entries[i].label = labels[i];
  auto data = std::make_unique<FileSet>(std::move(entries));
  data->classNames = names;
  data->labelSource = request.path;
  data->hasParts = false;
  return data;
}

} // namespace trrt
