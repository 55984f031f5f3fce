// SPDX-License-Identifier: Apache-2.0
//
// Pictures of a data set in one file: as they are, with an index, labels, class names and a
// checksum for each. docs/runtime.md has the layout.
#ifndef TRRT_DATA_PACK_H
#define TRRT_DATA_PACK_H

#include "data/data_set.h"

#include <functional>
#include <string>

namespace trrt {

// What pack did with the pictures.
struct PackReport {
  int64_t training = 0, validation = 0, leftOut = 0;
  uint64_t bytes = 0;
};

struct PackOptions {
  // Of a picture that cannot be decoded: its name and the reason. Returns whether it is left out;
  // otherwise writing ends with an Error.
  std::function<bool(const std::string &name, const std::string &reason)> onBad;
};

// Writes both parts, either of which may be null, whole or not at all. Every picture is decoded
// once, to see that it can be. Throws Error.
PackReport writePack(const DataSet *training, const DataSet *validation, const std::string &path,
                     const PackOptions &options);

} // namespace trrt

#endif // TRRT_DATA_PACK_H
