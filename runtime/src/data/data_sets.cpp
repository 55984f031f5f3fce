// SPDX-License-Identifier: Apache-2.0
//
// The table of data sets.
#include "data/data_sets.h"

#include "base/status.h"
#include "base/text.h"
#include "data/sources.h"

#include <algorithm>
#include <cstdio>

namespace trrt {

using namespace trf;

namespace {

struct SourceInfo {
  const char *name, *path; // what the path is called in texts; null: it takes none
  std::unique_ptr<DataSet> (*open)(const SourceRequest &);
  const char *folder = nullptr, *package = nullptr; // where and by what Debian installs it
  std::vector<double> mean = {}, std = {};          // empty: what the kind says itself
};

// Means and deviations are those of the training images, from 0 to 1, as they are commonly given.
const std::vector<SourceInfo> &sources() {
  static const std::vector<SourceInfo> rows = {
      {"fashion-mnist",
       "DIR",
       openMnist,
       "/usr/share/datasets/fashion-mnist",
       "dataset-fashion-mnist",
       {0.2860},
       {0.3530}},
      {"mnist", "DIR", openMnist, nullptr, nullptr, {0.1307}, {0.3081}},
      {"emnist-balanced", "DIR", openEmnist, nullptr, nullptr, {0.1751}, {0.3332}},
      {"emnist-byclass", "DIR", openEmnist, nullptr, nullptr, {0.1736}, {0.3317}},
      {"emnist-bymerge", "DIR", openEmnist, nullptr, nullptr, {0.1736}, {0.3317}},
      {"emnist-digits", "DIR", openEmnist, nullptr, nullptr, {0.1733}, {0.3317}},
      {"emnist-letters", "DIR", openEmnist, nullptr, nullptr, {0.1722}, {0.3309}},
      {"emnist-mnist", "DIR", openEmnist, nullptr, nullptr, {0.1733}, {0.3317}},
      {"idx", "DIR", openIdxDir, nullptr, nullptr, {0}, {1}},
      {"cifar10",
       "DIR",
       openCifar10,
       nullptr,
       nullptr,
       {0.4914, 0.4822, 0.4465},
       {0.2470, 0.2435, 0.2616}},
      {"cifar100",
       "DIR",
       openCifar100,
       nullptr,
       nullptr,
       {0.5071, 0.4865, 0.4409},
       {0.2673, 0.2564, 0.2762}},
      {"folder", "DIR", openFolder},
      {"list", "FILE", openList},
      {"arrays", "FILE", openArrays},
      {"pack", "FILE", openPack},
      {"synthetic", nullptr, nullptr},
  };
  return rows;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const SourceInfo &info : sources())
    all.push_back(info.name);
  return all;
}

// "NAME:PATH" taken apart, and its row.
struct Spec {
  std::string name, path;
  const SourceInfo *info = nullptr;
};

Spec parseSpec(const std::string &text) {
  Spec spec;
  const size_t colon = text.find(':');
  spec.name = text.substr(0, colon);
  spec.path = colon == std::string::npos ? "" : text.substr(colon + 1);
  for (const SourceInfo &info : sources())
    if (spec.name == info.name)
      spec.info = &info;
  if (!spec.info)
    throw Error(TRRT_NOT_FOUND, "unknown data set '" + printable(spec.name) +
                                    "'; expected one of " + joined(names(), ", ") +
                                    didYouMean(spec.name, names()));
  const std::string begin = "data set '" + printable(text) + "': ";
  if (!spec.info->path && colon != std::string::npos)
    throw Error(TRRT_INVALID_ARGUMENT, begin + spec.name + " takes no folder");
  if (spec.info->path && spec.path.empty() && (colon != std::string::npos || !spec.info->folder))
    throw Error(TRRT_INVALID_ARGUMENT,
                begin + "expected a " +
                    (spec.info->path == std::string("DIR") ? "folder" : "file") + " after ':'");
  return spec;
}

std::unique_ptr<DataSet> openSource(const Spec &spec, Split split) {
  SourceRequest request;
  request.name = spec.name;
  request.split = split;
  request.path = spec.path.empty() ? spec.info->folder : spec.path;
  if (spec.path.empty())
    request.package = spec.info->package;
  std::unique_ptr<DataSet> data = spec.info->open(request);
  if (!spec.info->mean.empty())
    data->normal = {spec.info->mean, spec.info->std};
  return data;
}

} // namespace

void checkDataSetSpec(const std::string &spec) { parseSpec(spec); }

std::vector<std::string> dataSetForms() {
  std::vector<std::string> forms;
  for (const SourceInfo &info : sources()) {
    const std::string path = info.path ? std::string(":") + info.path : "";
    forms.push_back(info.name + (info.folder ? "[" + path + "]" : path));
  }
  return forms;
}

std::vector<std::string> dataSetFiles(const std::string &text) {
  const size_t colon = text.find(':');
  for (const SourceInfo &info : sources()) {
    if (text.substr(0, colon) != info.name || !info.path)
      continue;
    const std::string path = colon != std::string::npos ? text.substr(colon + 1)
                             : info.folder              ? info.folder
                                                        : "";
    if (info.open == openMnist)
      return mnistFiles(path);
    if (info.path == std::string("FILE") && path.find(',') == std::string::npos)
      return {path};
  }
  return {};
}

std::string pixelRanges() {
  std::string text;
  for (const SourceInfo &info : sources()) {
    if (!info.folder)
      continue;
    const double mean = info.mean[0], std = info.std[0];
    char row[128];
    std::snprintf(row, sizeof row, "%s%s: (p / 255 - %g) / %g, from %.2f to %.2f",
                  text.empty() ? "" : "; ", info.name, mean, std, -mean / std, (1 - mean) / std);
    text += row;
  }
  return text;
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

void checkSameClasses(const DataSet &training, const DataSet &validation) {
  const std::vector<std::string> &a = training.classNames, &b = validation.classNames;
  if (a.empty() || b.empty() || a == b)
    return;
  const auto differ = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto shown = [](auto at, const std::vector<std::string> &names) {
    return at == names.end() ? std::string("none") : "'" + printable(*at) + "'";
  };
  throw Error(TRRT_INVALID_ARGUMENT, "training and validation data have different classes: class " +
                                         std::to_string(differ.first - a.begin()) + " is " +
                                         shown(differ.first, a) + " and " +
                                         shown(differ.second, b));
}

// Height and width may differ: the loader resizes.
static void checkShape(const DataSet &data, const std::string &name, const Plan &plan) {
  const Variant &v = plan.variants.at(0);
  if (data.channels != 0 && v.channels != data.channels)
    throw Error(TRRT_INVALID_ARGUMENT,
                "data set " + name + ": the plan expects images of shape " +
                    shapeText({v.height, v.width, v.channels}) + " (h, w, c), but got " +
                    shapeText({data.shape.height, data.shape.width, data.channels}));
  if (data.channels == 0 && v.channels != 1 && v.channels != 3)
    throw Error(TRRT_INVALID_ARGUMENT, "data set " + name +
                                           ": images have 1 or 3 channels, but "
                                           "the plan expects " +
                                           std::to_string(v.channels));
}

static void checkLabels(const DataSet &data, const std::string &name, const Plan &plan) {
  const std::string source =
      data.labelSource.empty() ? "data set " + name : printable(data.labelSource);
  if (data.classNames.size() > plan.classes)
    throw Error(TRRT_INVALID_ARGUMENT, source + ": expected at most " +
                                           std::to_string(plan.classes) +
                                           " classes, those of the plan, but got " +
                                           std::to_string(data.classNames.size()));
  for (int64_t i = 0; i < data.size(); ++i)
    if (data.label(i) < 0 || data.label(i) >= static_cast<int64_t>(plan.classes))
      throw Error(TRRT_INVALID_ARGUMENT,
                  source + ": label " + std::to_string(data.label(i)) + " of sample " +
                      std::to_string(i) + " is outside [0, " + std::to_string(plan.classes) + ")");
}

std::unique_ptr<DataSet> openDataSet(const std::string &text, Split split) {
  const Spec spec = parseSpec(text);
  if (!spec.info->open)
    throw Error(TRRT_INVALID_ARGUMENT, "data set " + spec.name + " has no files");
  return openSource(spec, split);
}

std::unique_ptr<DataSet> openDataSet(const std::string &text, Split split, const Plan &plan) {
  const Spec spec = parseSpec(text);
  if (plan.variants.empty() || plan.classes == 0)
    throw Error(TRRT_INVALID_FILE, "the plan has no variant or no classes");
  std::unique_ptr<DataSet> data = spec.info->open
                                      ? openSource(spec, split)
                                      : makeSynthetic(split, plan.variants[0], plan.classes);
  checkShape(*data, spec.name, plan);
  checkSampleCount(*data, split, plan);
  checkLabels(*data, spec.name, plan);
  return data;
}

} // namespace trrt
