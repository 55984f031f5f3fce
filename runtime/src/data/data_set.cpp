// SPDX-License-Identifier: Apache-2.0
//
// The data sets that the runtime knows, in one table.
#include "data/data_set.h"

#include "base/status.h"
#include "base/text.h"
#include "data/idx.h"
#include "trf/philox.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace trrt {

using namespace trf;

namespace {

// Of one data set of IDX files. Pixels are scaled to [0, 1], then (p - mean) / std.
struct IdxDataSetInfo {
  const char *name, *folder, *package;
  float mean, std;
};

constexpr IdxDataSetInfo kIdxDataSets[] = {
    {"fashion-mnist", "/usr/share/datasets/fashion-mnist", "dataset-fashion-mnist", 0.2860f,
     0.3530f},
};
constexpr const char *kSplitFiles[2][2] = {{"train-images-idx3-ubyte", "train-labels-idx1-ubyte"},
                                           {"t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"}};

class IdxDataSet final : public DataSet {
public:
  IdxDataSet(const IdxDataSetInfo &info, IdxFile imageFile, IdxFile labelFile)
      : pixels(std::move(imageFile.values)), labels(std::move(labelFile.values)) {
    height = imageFile.dims[1];
    width = imageFile.dims[2];
    channels = 1;
    for (size_t i = 0; i < table.size(); ++i)
      table[i] = (static_cast<float>(i) / 255.0f - info.mean) / info.std;
  }
  int64_t size() const override { return static_cast<int64_t>(labels.size()); }
  int32_t label(int64_t index) const override { return labels[static_cast<size_t>(index)]; }
  void image(int64_t index, float *out) const override {
    const int64_t count = height * width;
    const uint8_t *in = pixels.data() + index * count;
    for (int64_t i = 0; i < count; ++i)
      out[i] = table[in[i]];
  }

private:
  std::vector<uint8_t> pixels, labels;
  std::array<float, 256> table;
};

// Noise around one fixed random picture per class: of any shape, and learnable. Drawn in
// the plan's first variant's size; other variants see the same images resampled.
class SyntheticDataSet final : public DataSet {
public:
  SyntheticDataSet(Split split, const Variant &variant, uint32_t classes)
      : split(split), classes(classes) {
    height = variant.height;
    width = variant.width;
    channels = variant.channels;
  }
  int64_t size() const override { return split == Split::Train ? 2048 : 512; }
  int32_t label(int64_t index) const override {
    return static_cast<int32_t>(index % static_cast<int64_t>(classes));
  }
  void image(int64_t index, float *out) const override {
    const uint32_t picture = static_cast<uint32_t>(label(index));
    const uint32_t noise = static_cast<uint32_t>(index) + 1;
    const uint32_t stream = split == Split::Train ? 1 : 2;
    const int64_t count = height * width * channels;
    for (int64_t i = 0; i < count; i += 4) {
      const PhiloxCounter a = words(i / 4, picture, 0), b = words(i / 4, noise, stream);
      for (int64_t k = 0; k < std::min<int64_t>(4, count - i); ++k)
        out[i + k] = unit(a[static_cast<size_t>(k)]) + unit(b[static_cast<size_t>(k)]);
    }
  }

private:
  static PhiloxCounter words(int64_t block, uint32_t id, uint32_t stream) {
    return philox4x32({static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32), id,
                       static_cast<uint32_t>(PhiloxPurpose::Synthetic)},
                      {stream, 0});
  }
  // In [-1, 1).
  static float unit(uint32_t word) {
    return static_cast<float>(word >> 8) * (2.0f / 16777216.0f) - 1.0f;
  }

  Split split;
  uint32_t classes;
};

} // namespace

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

static std::unique_ptr<DataSet> openIdx(const IdxDataSetInfo &info, const std::string &given,
                                        Split split) {
  const std::string folder = given.empty() ? info.folder : given;
  const char *const *names = kSplitFiles[split == Split::Test];
  std::string paths[2];
  for (int i = 0; i < 2; ++i) {
    paths[i] = findFile(folder, names[i]);
    if (paths[i].empty())
      throw Error(TRRT_NOT_FOUND,
                  std::string("data set ") + info.name + ": no file '" + names[i] + "[.gz]' in '" +
                      printable(folder) + "'" +
                      (given.empty()
                           ? std::string("; install it with: apt-get install ") + info.package +
                                 ", or name a folder: " + info.name + ":DIR"
                           : ""));
  }
  IdxFile images = readIdx(paths[0], 3), labels = readIdx(paths[1], 1);
  if (images.dims[0] != labels.dims[0])
    throw Error(TRRT_INVALID_FILE, printable(paths[1]) + ": expected one label for each of the " +
                                       std::to_string(images.dims[0]) + " images, but got " +
                                       std::to_string(labels.dims[0]));
  auto data = std::make_unique<IdxDataSet>(info, std::move(images), std::move(labels));
  data->labelSource = paths[1];
  return data;
}

static const IdxDataSetInfo *findIdxDataSet(const std::string &name) {
  for (const IdxDataSetInfo &info : kIdxDataSets)
    if (name == info.name)
      return &info;
  return nullptr;
}

std::vector<std::string> dataSetFiles(const std::string &spec) {
  const size_t colon = spec.find(':');
  const IdxDataSetInfo *info = findIdxDataSet(spec.substr(0, colon));
  std::vector<std::string> files;
  if (!info)
    return files;
  const std::string folder = colon == std::string::npos ? info->folder : spec.substr(colon + 1);
  for (const auto &names : kSplitFiles)
    for (const char *name : names)
      if (std::string file = findFile(folder, name); !file.empty())
        files.push_back(std::move(file));
  return files;
}

std::string pixelRanges() {
  std::string text;
  for (const IdxDataSetInfo &info : kIdxDataSets) {
    char row[128];
    std::snprintf(row, sizeof row, "%s%s: (p / 255 - %g) / %g, from %.2f to %.2f",
                  text.empty() ? "" : "; ", info.name, static_cast<double>(info.mean),
                  static_cast<double>(info.std), static_cast<double>(-info.mean / info.std),
                  static_cast<double>((1 - info.mean) / info.std));
    text += row;
  }
  return text;
}

std::vector<std::string> dataSetNames() {
  std::vector<std::string> names = {"synthetic"};
  for (const IdxDataSetInfo &info : kIdxDataSets)
    names.insert(names.begin(), info.name);
  return names;
}

void checkSampleCount(const DataSet &data, Split split, const Plan &plan) {
  const bool training = split == Split::Train;
  const uint64_t expected = training ? plan.train_samples : plan.val_samples;
  if (expected != 0 && expected != static_cast<uint64_t>(data.size()))
    throw Error(TRRT_INVALID_ARGUMENT, std::string(training ? "training" : "validation") +
                                           " data: expected " + std::to_string(expected) +
                                           " samples, the plan's " +
                                           (training ? "--train-samples" : "--val-samples") +
                                           ", but got " + std::to_string(data.size()));
}

// Height and width may differ: the loader resamples.
static void checkAgainstPlan(const DataSet &data, const std::string &name, Split split,
                             const Plan &plan) {
  const Variant &v = plan.variants.at(0);
  if (v.channels != data.channels)
    throw Error(TRRT_INVALID_ARGUMENT, "data set " + name + ": the plan expects images of shape " +
                                           shapeText({v.height, v.width, v.channels}) +
                                           " (h, w, c), but got " +
                                           shapeText({data.height, data.width, data.channels}));
  checkSampleCount(data, split, plan);
  for (int64_t i = 0; i < data.size(); ++i)
    if (data.label(i) < 0 || data.label(i) >= static_cast<int64_t>(plan.classes))
      throw Error(TRRT_INVALID_ARGUMENT,
                  (data.labelSource.empty() ? "data set " + name : printable(data.labelSource)) +
                      ": label " + std::to_string(data.label(i)) + " of sample " +
                      std::to_string(i) + " is outside [0, " + std::to_string(plan.classes) + ")");
}

std::unique_ptr<DataSet> openDataSet(const std::string &spec, Split split, const Plan &plan) {
  const size_t colon = spec.find(':');
  const std::string name = spec.substr(0, colon);
  const std::string folder = colon == std::string::npos ? "" : spec.substr(colon + 1);
  if (colon != std::string::npos && (folder.empty() || name == "synthetic"))
    throw Error(TRRT_INVALID_ARGUMENT, "data set '" + printable(spec) +
                                           (folder.empty() ? "': expected a folder after ':'"
                                                           : "': synthetic takes no folder"));
  if (plan.variants.empty() || plan.classes == 0)
    throw Error(TRRT_INVALID_FILE, "the plan has no variant or no classes");
  std::unique_ptr<DataSet> data;
  if (name == "synthetic")
    data = std::make_unique<SyntheticDataSet>(split, plan.variants.at(0), plan.classes);
  if (const IdxDataSetInfo *info = findIdxDataSet(name))
    data = openIdx(*info, folder, split);
  if (!data)
    throw Error(TRRT_NOT_FOUND, "unknown data set '" + printable(name) + "'; expected one of " +
                                    joined(dataSetNames(), ", ") +
                                    didYouMean(name, dataSetNames()));
  checkAgainstPlan(*data, name, split, plan);
  return data;
}

} // namespace trrt
