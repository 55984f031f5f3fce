// SPDX-License-Identifier: Apache-2.0
//
// Bytes as a weight file. What is accepted is read whole; where the writer knows the
// types, it is written and read again, and nothing may have changed.
#include "fuzz.h"

#include "base/status.h"
#include "io/safetensors.h"
#include "io/safetensors_writer.h"

using namespace trrt;

namespace {

void readTensor(const SafetensorsFile &file, const std::string &name) {
  try {
    file.f32(name);
  } catch (const Error &) { // of another type
  }
  try {
    file.i32(name);
  } catch (const Error &) {
  }
}

bool writeTensor(const SafetensorsFile &file, const std::string &name, SafetensorsWriter &writer) {
  const TensorView &view = file.tensor(name);
  if (view.dtype == "F32")
    writer.addF32(name, view.shape, file.f32(name));
  else if (view.dtype == "I32")
    writer.addI32(name, view.shape, file.i32(name));
  else
    return false;
  return true;
}

void checkSame(const SafetensorsFile &a, const SafetensorsFile &b) {
  if (a.metadata() != b.metadata() || a.tensors().size() != b.tensors().size())
    fuzz::finding("the metadata and tensors that were written", "others");
  for (const auto &[name, view] : a.tensors()) {
    const TensorView &other = b.tensor(name);
    if (view.dtype != other.dtype || view.shape != other.shape || view.bytes != other.bytes ||
        (view.bytes != 0 && std::memcmp(view.data, other.data, view.bytes) != 0))
      fuzz::finding("the tensor that was written", name.c_str());
  }
}

void readAll(const SafetensorsFile &file) {
  SafetensorsWriter writer;
  bool writable = true;
  for (const auto &[key, value] : file.metadata())
    writer.addMetadata(key, value);
  for (const auto &[name, view] : file.tensors()) {
    // The product of the extents and the bytes of the view are two claims.
    if (view.elements() < 0 || (view.elements() == 0) != (view.bytes == 0))
      fuzz::finding("as many elements as the bytes hold", name.c_str());
    readTensor(file, name);
    writable = writeTensor(file, name, writer) && writable;
  }
  if (writable)
    checkSame(file, SafetensorsFile::parse(writer.serialize(), "again"));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  try {
    const std::vector<uint8_t> bytes(data, data + size);
    SafetensorsFile file = [&] {
      try {
        return SafetensorsFile::parse(bytes, "input");
      } catch (const Error &error) {
        if (std::strchr(error.what(), '\n'))
          fuzz::finding("one line", error.what());
        throw;
      }
    }();
    try {
      readAll(file);
    } catch (const std::exception &failure) {
      fuzz::finding("an accepted file to be readable", failure.what());
    }
  } catch (const Error &) {
    // Not a weight file.
  }
  return 0;
}
