// SPDX-License-Identifier: Apache-2.0
//
// Whole files in memory, and their tensors as values.
#include "io/safetensors.h"

#include "base/status.h"
#include "base/text.h"
#include "io/file.h"
#include "io/safetensors_header.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace trrt {

int64_t TensorView::elements() const {
  // An empty tensor may have other extents that would overflow.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    return 0;
  int64_t count = 1;
  for (const int64_t extent : shape)
    count *= extent;
  return count;
}

SafetensorsFile SafetensorsFile::read(const std::string &path) {
  return parse(readFile(path), path);
}

SafetensorsFile SafetensorsFile::parse(std::vector<uint8_t> bytes, const std::string &path) {
  SafetensorsFile file;
  file.filePath = path;
  file.content = std::move(bytes);
  const std::string_view text(reinterpret_cast<const char *>(file.content.data()),
                              file.content.size());
  const uint64_t length = headerLength(text, text.size(), path);
  const uint64_t dataBegin = kHeaderLengthBytes + length;
  SafetensorsHeader header =
      parseHeader(text.substr(kHeaderLengthBytes, length), text.size() - dataBegin, path);
  for (auto &[name, entry] : header.tensors)
    file.views[name] = {entry.dtype, std::move(entry.shape),
                        file.content.data() + dataBegin + entry.begin, entry.end - entry.begin};
  file.meta = std::move(header.metadata);
  return file;
}

const TensorView &SafetensorsFile::tensor(const std::string &name) const {
  const auto found = views.find(name);
  if (found != views.end())
    return found->second;
  throw noTensor(filePath, name, views);
}

std::vector<float> SafetensorsFile::f32(const std::string &name) const {
  const TensorView &view = tensor(name);
  if (view.dtype != "F32")
    throw Error(TRRT_INVALID_FILE, printable(filePath) + ": tensor '" + printable(name) +
                                       "': expected F32, but got " + view.dtype);
  std::vector<float> values(view.bytes / sizeof(float));
  if (!values.empty())
    std::memcpy(values.data(), view.data, view.bytes);
  return values;
}

std::vector<int32_t> SafetensorsFile::i32(const std::string &name) const {
  const TensorView &view = tensor(name);
  const std::string where = printable(filePath) + ": tensor '" + printable(name) + "'";
  std::vector<int32_t> values;
  if (view.dtype == "I32") {
    values.resize(view.bytes / sizeof(int32_t));
    if (!values.empty())
      std::memcpy(values.data(), view.data, view.bytes);
    return values;
  }
  if (view.dtype != "I64")
    throw Error(TRRT_INVALID_FILE, where + ": expected I32 or I64, but got " + view.dtype);
  values.reserve(view.bytes / sizeof(int64_t));
  for (uint64_t at = 0; at < view.bytes; at += sizeof(int64_t)) {
    int64_t wide = 0;
    std::memcpy(&wide, view.data + at, sizeof(wide));
    if (wide < std::numeric_limits<int32_t>::min() || wide > std::numeric_limits<int32_t>::max())
      throw Error(TRRT_INVALID_FILE,
                  where + ": value " + std::to_string(wide) + " does not fit 32 bits");
    values.push_back(static_cast<int32_t>(wide));
  }
  return values;
}

} // namespace trrt
