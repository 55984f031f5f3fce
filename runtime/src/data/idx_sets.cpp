// SPDX-License-Identifier: Apache-2.0
//
// MNIST and its relatives: two IDX files for each part.
#include "base/status.h"
#include "base/text.h"
#include "data/idx.h"
#include "data/sources.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

namespace trrt {

namespace fs = std::filesystem;

static constexpr const char *kMnistNames[2][2] = {
    {"train-images-idx3-ubyte", "train-labels-idx1-ubyte"},
    {"t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"}};

static bool exists(const std::string &path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0;
}

// The original site writes "train-images.idx3-ubyte", its copies "train-images-idx3-ubyte"; each
// as it is or with ".gz". Empty: there is none.
static std::string findFile(const std::string &folder, const std::string &name) {
  std::string dotted = name;
  dotted[dotted.rfind("-idx")] = '.';
  for (const std::string &spelling : {name, dotted})
    for (const char *suffix : {"", ".gz"}) {
      const std::string path = folder + "/" + spelling + suffix;
      if (exists(path))
        return path;
    }
  return "";
}

static std::string requireFile(const SourceRequest &request, const std::string &name) {
  const std::string path = findFile(request.path, name);
  if (path.empty())
    throw Error(TRRT_NOT_FOUND, "data set " + request.name + ": no file '" + name + "[.gz]' in '" +
                                    printable(request.path) + "'" +
                                    (request.package.empty()
                                         ? ""
                                         : "; install it with: apt-get install " + request.package +
                                               ", or name a folder: " + request.name + ":DIR"));
  return path;
}

static std::unique_ptr<DataSet> readPair(const std::string &imagePath,
                                         const std::string &labelPath) {
  IdxFile images = readIdx(imagePath, 3), labels = readIdx(labelPath, 1);
  if (images.dims[0] != labels.dims[0])
    throw Error(TRRT_INVALID_FILE, printable(labelPath) + ": expected one label for each of the " +
                                       std::to_string(images.dims[0]) + " images, but got " +
                                       std::to_string(labels.dims[0]));
  auto data = std::make_unique<PixelSet>(
      tri::Size{images.dims[1], images.dims[2]}, 1, std::move(images.values),
      std::vector<int32_t>(labels.values.begin(), labels.values.end()));
  data->labelSource = labelPath;
  return data;
}

std::unique_ptr<DataSet> openMnist(const SourceRequest &request) {
  const char *const *names = kMnistNames[request.split == Split::Test];
  const std::string images = requireFile(request, names[0]);
  return readPair(images, requireFile(request, names[1]));
}

std::vector<std::string> mnistFiles(const std::string &folder) {
  std::vector<std::string> files;
  for (const auto &names : kMnistNames)
    for (const char *name : names)
      if (std::string file = findFile(folder, name); !file.empty())
        files.push_back(std::move(file));
  return files;
}

// Names of regular files of a folder that hold all of `words`, sorted.
static std::vector<std::string> filesWith(const std::string &folder,
                                          const std::vector<std::string> &words) {
  std::error_code code;
  std::vector<std::string> found;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, code)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() &&
        std::all_of(words.begin(), words.end(),
                    [&](const std::string &word) { return name.find(word) != std::string::npos; }))
      found.push_back(entry.path().string());
  }
  if (code)
    throw Error(TRRT_NOT_FOUND,
                "cannot read the folder '" + printable(folder) + "': " + code.message());
  std::sort(found.begin(), found.end());
  return found;
}

// The one file of the part that holds `what`, "images" or "labels".
static std::string findPart(const SourceRequest &request, const std::string &what) {
  const std::vector<std::string> words = request.split == Split::Train
                                             ? std::vector<std::string>{"train"}
                                             : std::vector<std::string>{"test", "t10k", "val"};
  std::vector<std::string> found;
  for (const std::string &word : words)
    for (std::string &path : filesWith(request.path, {word, what, "idx"}))
      found.push_back(std::move(path));
  if (found.size() == 1)
    return found[0];
  throw Error(TRRT_NOT_FOUND, "data set " + request.name + ": expected one IDX file of " + what +
                                  " with " + joined(words, " or ") + " in its name in '" +
                                  printable(request.path) + "', but got " +
                                  (found.empty() ? "none" : printable(joined(found, ", "))));
}

std::unique_ptr<DataSet> openIdxDir(const SourceRequest &request) {
  const std::string images = findPart(request, "images");
  return readPair(images, findPart(request, "labels"));
}

// EMNIST's files hold every picture with rows and columns exchanged.
static std::vector<uint8_t> transposed(const std::vector<uint8_t> &in, size_t side) {
  std::vector<uint8_t> out(in.size());
  for (size_t at = 0; at < in.size(); at += side * side)
    for (size_t y = 0; y < side; ++y)
      for (size_t x = 0; x < side; ++x)
        out[at + y * side + x] = in[at + x * side + y];
  return out;
}

std::unique_ptr<DataSet> openEmnist(const SourceRequest &request) {
  const std::string part = request.split == Split::Train ? "-train-" : "-test-";
  const std::string imagePath = requireFile(request, request.name + part + "images-idx3-ubyte"),
                    labelPath = requireFile(request, request.name + part + "labels-idx1-ubyte");
  IdxFile images = readIdx(imagePath, 3), labels = readIdx(labelPath, 1);
  if (images.dims[0] != labels.dims[0] || images.dims[1] != images.dims[2])
    throw Error(TRRT_INVALID_FILE, printable(imagePath) + ": expected square images, as many as " +
                                       printable(labelPath) + " has labels");
  // Letters alone are counted from 1.
  const int32_t first = request.name == "emnist-letters" ? 1 : 0;
  std::vector<int32_t> classes(labels.values.begin(), labels.values.end());
  for (int32_t &label : classes)
    label -= first;
  auto data =
      std::make_unique<PixelSet>(tri::Size{images.dims[1], images.dims[2]}, 1,
                                 transposed(images.values, images.dims[1]), std::move(classes));
  data->labelSource = labelPath;
  return data;
}

} // namespace trrt
