// SPDX-License-Identifier: Apache-2.0
//
// The header of a safetensors file: what it says about the tensors, checked against the size of
// the data.
#ifndef TRRT_IO_SAFETENSORS_HEADER_H
#define TRRT_IO_SAFETENSORS_HEADER_H

#include "base/status.h"
#include "base/text.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trrt {

constexpr size_t kHeaderLengthBytes = 8;
constexpr uint64_t kUnknownSize = ~uint64_t{0}; // of what comes through a pipe

// Bytes [begin, end) of the data.
struct TensorEntry {
  std::string dtype; // "F32"
  std::vector<int64_t> shape;
  uint64_t begin = 0, end = 0;
};

struct SafetensorsHeader {
  std::map<std::string, TensorEntry> tensors;
  std::map<std::string, std::string> metadata;
  uint64_t dataBytes = 0;
};

// Bits per element; 0: not a type of the format.
uint64_t dtypeBits(const std::string &dtype);

// "PATH: not a valid safetensors file: WHAT"
Error safetensorsError(const std::string &path, const std::string &what);

// "PATH: no tensor 'NAME'", with a name that is near.
template <typename Map>
Error noTensor(const std::string &path, const std::string &name, const Map &tensors) {
  std::vector<std::string> names;
  for (const auto &tensor : tensors)
    names.push_back(tensor.first);
  return Error(TRRT_INVALID_FILE,
               printable(path) + ": no tensor '" + printable(name) + "'" + didYouMean(name, names));
}

// Of the JSON text, from the file's first bytes: eight and one of the text, or more to recognise
// another kind of file by. Throws where there can be no such header.
uint64_t headerLength(std::string_view begin, uint64_t fileBytes, const std::string &path);
// Throws where the text is none, or does not describe `dataBytes` bytes.
SafetensorsHeader parseHeader(std::string_view json, uint64_t dataBytes, const std::string &path);

} // namespace trrt

#endif // TRRT_IO_SAFETENSORS_HEADER_H
