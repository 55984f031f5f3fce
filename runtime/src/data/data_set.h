// SPDX-License-Identifier: Apache-2.0
//
// Labelled images as bytes, and how their pixels become floats.
#ifndef TRRT_DATA_DATA_SET_H
#define TRRT_DATA_DATA_SET_H

#include "trf/plan.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace trrt {

class DataSet {
public:
  virtual ~DataSet() = default;
  virtual int64_t size() const = 0;
  virtual int32_t label(int64_t index) const = 0;
  // Writes height*width*channels normalised pixels. May be called from any thread.
  virtual void image(int64_t index, float *out) const = 0;

  int64_t height = 0, width = 0, channels = 0;
  std::string labelSource; // the file that labels come from, for messages; empty: none
};

enum class Split { Train, Test };

// `spec` is what --dataset takes: "fashion-mnist", "fashion-mnist:DIR" or
// "synthetic". Channels, labels and size are checked against the plan.
// Throws Error; a data set that is not installed names the command to install it.
std::unique_ptr<DataSet> openDataSet(const std::string &spec, Split split, const trf::Plan &plan);

// Throws where the plan was compiled for another number of samples.
void checkSampleCount(const DataSet &data, Split split, const trf::Plan &plan);

// The files that openDataSet() reads for either split, as far as they exist.
std::vector<std::string> dataSetFiles(const std::string &spec);

// "fashion-mnist: (p / 255 - 0.286) / 0.353, from -0.81 to 2.02", of each that scales bytes p.
std::string pixelRanges();

// Names for help texts.
std::vector<std::string> dataSetNames();

} // namespace trrt

#endif // TRRT_DATA_DATA_SET_H
