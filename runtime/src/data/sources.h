// SPDX-License-Identifier: Apache-2.0
//
// The kinds of data sets behind data_sets.h. Each opens `path` and throws Error for what it cannot
// read.
#ifndef TRRT_DATA_SOURCES_H
#define TRRT_DATA_SOURCES_H

#include "data/data_set.h"
#include "trf/plan.h"

#include <memory>

namespace trrt {

// Pixels of one shape in memory, with a label each.
class PixelSet final : public DataSet {
public:
  PixelSet(tri::Size size, int64_t pictureChannels, std::vector<uint8_t> bytes,
           std::vector<int32_t> classes);

  int64_t size() const override { return static_cast<int64_t>(labels.size()); }
  int32_t label(int64_t index) const override { return labels[static_cast<size_t>(index)]; }
  tri::Picture picture(int64_t index, std::vector<uint8_t> &buffer) const override;

private:
  std::vector<uint8_t> pixels;
  std::vector<int32_t> labels;
};

// What a row of the table in data_sets.cpp hands to its opener.
struct SourceRequest {
  std::string name, path; // of "NAME:PATH"; the folder where Debian installs it without a path
  Split split = Split::Train;
  std::string package; // that installs it; empty: none, or a path was given
};

std::unique_ptr<DataSet> openMnist(const SourceRequest &request);   // IDX of the known names
std::unique_ptr<DataSet> openIdxDir(const SourceRequest &request);  // IDX of any names
std::unique_ptr<DataSet> openEmnist(const SourceRequest &request);  // emnist-SPLIT, transposed
std::unique_ptr<DataSet> openCifar10(const SourceRequest &request); // the binary version
std::unique_ptr<DataSet> openCifar100(const SourceRequest &request);
std::unique_ptr<DataSet> openFolder(const SourceRequest &request); // DIR[/train]/CLASS/FILE
std::unique_ptr<DataSet> openList(const SourceRequest &request);   // lines "PATH LABEL"
std::unique_ptr<DataSet> openArrays(const SourceRequest &request); // safetensors or .npy
std::unique_ptr<DataSet> openPack(const SourceRequest &request);   // what `tr-run pack` wrote

std::unique_ptr<DataSet> makeSynthetic(Split split, const trf::Variant &variant, uint32_t classes);

// Files of the two parts as far as they are there.
std::vector<std::string> mnistFiles(const std::string &folder);

} // namespace trrt

#endif // TRRT_DATA_SOURCES_H
