// SPDX-License-Identifier: Apache-2.0
//
// One tensor of a safetensors file in pieces, read front to back, so that a pipe does as well.
#ifndef TRRT_IO_SAFETENSORS_STREAM_H
#define TRRT_IO_SAFETENSORS_STREAM_H

#include "io/safetensors_header.h"

namespace trrt {

class SafetensorsStream {
public:
  // Reads the header. All throw Error naming the file.
  explicit SafetensorsStream(const std::string &path);
  ~SafetensorsStream();
  SafetensorsStream(const SafetensorsStream &) = delete;
  SafetensorsStream &operator=(const SafetensorsStream &) = delete;

  const std::string &path() const { return filePath; }
  // With the nearest name where there is none.
  const TensorEntry &tensor(const std::string &name) const;

  // The next bytes are the tensor's first. Tensors can be visited in the order of their data only.
  void seek(const TensorEntry &tensor);
  void read(void *bytes, size_t size);
  // The file ends where the header says.
  void finish();

private:
  size_t readSome(void *bytes, size_t size);
  void skip(uint64_t bytes);

  std::string filePath;
  int descriptor = -1;
  SafetensorsHeader header;
  uint64_t position = 0; // in the data
};

} // namespace trrt

#endif // TRRT_IO_SAFETENSORS_STREAM_H
