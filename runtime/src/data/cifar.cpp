// SPDX-License-Identifier: Apache-2.0
//
// The binary versions of CIFAR-10 and CIFAR-100: records of one or two labels and 32x32 pixels,
// plane by plane.
#include "base/status.h"
#include "base/text.h"
#include "data/sources.h"
#include "io/file.h"

#include <fstream>

namespace trrt {

namespace {

constexpr size_t kSide = 32, kPlane = kSide * kSide, kPixels = 3 * kPlane;

struct CifarForm {
  size_t labelBytes, labelAt; // before the pixels; which of them is the class
  std::vector<std::string> trainFiles, testFiles;
  const char *folder, *names; // what its archive unpacks to; the file of class names
};

void appendRecords(const std::string &path, const CifarForm &form, std::vector<uint8_t> &pixels,
                   std::vector<int32_t> &labels) {
  const std::vector<uint8_t> bytes = readRegularFile(path, "CIFAR");
  const size_t record = form.labelBytes + kPixels;
  if (bytes.empty() || bytes.size() % record != 0)
    throw Error(TRRT_INVALID_FILE, printable(path) + ": expected records of " +
                                       std::to_string(record) + " bytes, but it has " +
                                       std::to_string(bytes.size()));
  for (size_t at = 0; at < bytes.size(); at += record) {
    labels.push_back(bytes[at + form.labelAt]);
    const uint8_t *planes = bytes.data() + at + form.labelBytes;
    for (size_t i = 0; i < kPlane; ++i)
      for (size_t c = 0; c < 3; ++c)
        pixels.push_back(planes[c * kPlane + i]);
  }
}

std::vector<std::string> readLines(const std::string &path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line) && lines.size() < 1000;)
    if (!line.empty())
      lines.push_back(line);
  return lines;
}

bool isThere(const std::string &path) { return std::ifstream(path).good(); }

std::unique_ptr<DataSet> open(const SourceRequest &request, const CifarForm &form) {
  const std::vector<std::string> &files =
      request.split == Split::Train ? form.trainFiles : form.testFiles;
  std::string folder = request.path;
  if (!isThere(folder + "/" + files[0]) && isThere(folder + "/" + form.folder + "/" + files[0]))
    folder += std::string("/") + form.folder;
  std::vector<uint8_t> pixels;
  std::vector<int32_t> labels;
  for (const std::string &file : files) {
    if (!isThere(folder + "/" + file))
      throw Error(TRRT_NOT_FOUND, "data set " + request.name + ": no file '" + file + "' in '" +
                                      printable(folder) + "'; expected the binary version");
    appendRecords(folder + "/" + file, form, pixels, labels);
  }
  auto data =
      std::make_unique<PixelSet>(tri::Size{kSide, kSide}, 3, std::move(pixels), std::move(labels));
  data->classNames = readLines(folder + "/" + form.names);
  data->labelSource = folder + "/" + files[0];
  return data;
}

} // namespace

std::unique_ptr<DataSet> openCifar10(const SourceRequest &request) {
  return open(request, {1,
                        0,
                        {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin",
                         "data_batch_4.bin", "data_batch_5.bin"},
                        {"test_batch.bin"},
                        "cifar-10-batches-bin",
                        "batches.meta.txt"});
}

std::unique_ptr<DataSet> openCifar100(const SourceRequest &request) {
  return open(request,
              {2, 1, {"train.bin"}, {"test.bin"}, "cifar-100-binary", "fine_label_names.txt"});
}

} // namespace trrt
