// SPDX-License-Identifier: Apache-2.0
//
// safetensors: an 8-byte length, a JSON header and the raw bytes of named
// tensors. The reader accepts exactly the files that the format's description
// allows (docs/runtime.md lists the rules) and is safe for any input.
// safetensors_writer.h writes them, safetensors_stream.h reads what is too large for the memory.
#ifndef TRRT_IO_SAFETENSORS_H
#define TRRT_IO_SAFETENSORS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace trrt {

// One tensor of a file: `bytes` bytes at `data`, little-endian, C order.
struct TensorView {
  std::string dtype; // "F32"
  std::vector<int64_t> shape;
  const uint8_t *data = nullptr;
  uint64_t bytes = 0;

  int64_t elements() const;
};

class SafetensorsFile {
public:
  // Both throw Error naming the file.
  static SafetensorsFile read(const std::string &path);
  static SafetensorsFile parse(std::vector<uint8_t> bytes, const std::string &path);

  const std::map<std::string, TensorView> &tensors() const { return views; }
  const std::map<std::string, std::string> &metadata() const { return meta; }
  const std::string &path() const { return filePath; }

  // Views point into the content.
  SafetensorsFile(SafetensorsFile &&) = default;
  SafetensorsFile &operator=(SafetensorsFile &&) = default;

  // Throw Error where the tensor is missing (with the nearest name) or of another
  // type. i32() also takes I64 whose values fit.
  const TensorView &tensor(const std::string &name) const;
  std::vector<float> f32(const std::string &name) const;
  std::vector<int32_t> i32(const std::string &name) const;

private:
  SafetensorsFile() = default;

  std::string filePath;
  std::vector<uint8_t> content;
  std::map<std::string, TensorView> views;
  std::map<std::string, std::string> meta;
};

} // namespace trrt

#endif // TRRT_IO_SAFETENSORS_H
