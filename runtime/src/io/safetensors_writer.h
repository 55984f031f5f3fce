// SPDX-License-Identifier: Apache-2.0
//
// Writes safetensors files tensor by tensor, so that memory holds one at a time at most.
#ifndef TRRT_IO_SAFETENSORS_WRITER_H
#define TRRT_IO_SAFETENSORS_WRITER_H

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace trrt {

class SafetensorsWriter {
public:
  using Sink = std::function<void(const void *bytes, size_t size)>;
  // Gives all bytes of a tensor to the sink, in any pieces.
  using Maker = std::function<void(const Sink &sink)>;

  void addMetadata(const std::string &key, const std::string &value);
  // `make` is called while the file is written, in the order of the names.
  void add(const std::string &name, const std::string &dtype, std::vector<int64_t> shape,
           Maker make);
  // These hold the values.
  void addF32(const std::string &name, std::vector<int64_t> shape, std::vector<float> values);
  void addI32(const std::string &name, std::vector<int64_t> shape, std::vector<int32_t> values);
  // Adds metadata checksumKey(name) of every tensor so far, which makes each once.
  void addChecksums();

  // Equal content gives equal bytes. write() replaces `path` as a whole; both throw Error.
  std::vector<uint8_t> serialize() const;
  void write(const std::string &path) const;

private:
  struct Entry {
    std::string dtype;
    std::vector<int64_t> shape;
    uint64_t bytes = 0;
    Maker make;
  };
  template <typename T>
  void addValues(const std::string &name, const char *dtype, std::vector<int64_t> shape,
                 std::vector<T> values);
  std::string header() const;
  void make(const std::string &name, const Entry &entry, const Sink &sink) const;
  void makeAll(const Sink &sink) const;

  std::map<std::string, std::string> meta;
  std::map<std::string, Entry> entries; // the file's order is that of the names
};

// The metadata that holds a tensor's CRC-32C as eight hexadecimal digits.
std::string checksumKey(const std::string &tensor);
std::string checksumText(uint32_t checksum);

} // namespace trrt

#endif // TRRT_IO_SAFETENSORS_WRITER_H
