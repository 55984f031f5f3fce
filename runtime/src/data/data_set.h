// SPDX-License-Identifier: Apache-2.0
//
// Labelled pictures, stored in whatever way.
#ifndef TRRT_DATA_DATA_SET_H
#define TRRT_DATA_DATA_SET_H

#include "tri/pipeline.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trrt {

class DataSet {
public:
  virtual ~DataSet() = default;
  virtual int64_t size() const = 0;
  virtual int32_t label(int64_t index) const = 0;
  // The picture as it is stored; it points into the set or into `buffer`, which keeps its memory
  // from one call to the next. From any thread. Throws Error where a file cannot be read.
  virtual tri::Picture picture(int64_t index, std::vector<uint8_t> &buffer) const = 0;
  // What messages call a picture: its path, or "sample 17".
  virtual std::string describe(int64_t index) const { return "sample " + std::to_string(index); }

  tri::Size shape;      // of every picture; 0: they differ, or are not known
  int64_t channels = 0; // of every picture; 0: converted to what is asked for
  // How a network should read the bytes where no text says.
  tri::Normalisation normal;
  std::vector<std::string> classNames; // by label; empty: none are known
  std::string labelSource;             // the file that labels come from, for messages
  // Whether the other part of the data is not this one.
  bool hasParts = true;
};

enum class Split { Train, Test };

} // namespace trrt

#endif // TRRT_DATA_DATA_SET_H
