// SPDX-License-Identifier: Apache-2.0
//
// The header first, from shapes alone, then each tensor as it is made.
#include "io/safetensors_writer.h"

#include "base/status.h"
#include "base/text.h"
#include "io/file.h"
#include "io/safetensors_header.h"
#include "trf/crc32c.h"
#include "trs/output_file.h"

#include <nlohmann/json.hpp>

namespace trrt {

std::string checksumKey(const std::string &tensor) { return "crc32c." + tensor; }

std::string checksumText(uint32_t checksum) {
  char text[9];
  std::snprintf(text, sizeof text, "%08x", checksum);
  return text;
}

void SafetensorsWriter::addMetadata(const std::string &key, const std::string &value) {
  meta[key] = value;
}

void SafetensorsWriter::add(const std::string &name, const std::string &dtype,
                            std::vector<int64_t> shape, Maker make) {
  uint64_t bytes = dtypeBits(dtype) / 8;
  for (const int64_t extent : shape)
    bytes *= static_cast<uint64_t>(extent);
  if (!entries.emplace(name, Entry{dtype, std::move(shape), bytes, std::move(make)}).second)
    throw Error(TRRT_INTERNAL, "tensor '" + printable(name) + "' is written twice");
}

template <typename T>
void SafetensorsWriter::addValues(const std::string &name, const char *dtype,
                                  std::vector<int64_t> shape, std::vector<T> values) {
  add(name, dtype, std::move(shape), [values = std::move(values)](const Sink &sink) {
    sink(values.data(), values.size() * sizeof(T));
  });
}

void SafetensorsWriter::addF32(const std::string &name, std::vector<int64_t> shape,
                               std::vector<float> values) {
  addValues(name, "F32", std::move(shape), std::move(values));
}

void SafetensorsWriter::addI32(const std::string &name, std::vector<int64_t> shape,
                               std::vector<int32_t> values) {
  addValues(name, "I32", std::move(shape), std::move(values));
}

void SafetensorsWriter::addChecksums() {
  for (const auto &[name, entry] : entries) {
    std::vector<uint8_t> bytes;
    bytes.reserve(entry.bytes);
    make(name, entry, [&](const void *piece, size_t size) {
      const uint8_t *begin = static_cast<const uint8_t *>(piece);
      bytes.insert(bytes.end(), begin, begin + size);
    });
    addMetadata(checksumKey(name), checksumText(trf::crc32c(bytes.data(), bytes.size())));
  }
}

// Length and JSON, padded with spaces so that the data is 64-byte aligned.
std::string SafetensorsWriter::header() const {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (!meta.empty())
    json["__metadata__"] = meta;
  uint64_t offset = 0;
  for (const auto &[name, entry] : entries) {
    const uint64_t end = offset + entry.bytes;
    json[name] = {{"dtype", entry.dtype}, {"shape", entry.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = json.dump();
  text.append((64 - (kHeaderLengthBytes + text.size()) % 64) % 64, ' ');
  std::string length;
  for (size_t i = 0; i < kHeaderLengthBytes; ++i)
    length += static_cast<char>(static_cast<uint64_t>(text.size()) >> (8 * i));
  return length + text;
}

void SafetensorsWriter::make(const std::string &name, const Entry &entry, const Sink &sink) const {
  uint64_t made = 0;
  entry.make([&](const void *bytes, size_t size) {
    made += size;
    if (size != 0)
      sink(bytes, size);
  });
  if (made != entry.bytes)
    throw Error(TRRT_INTERNAL, "tensor '" + printable(name) + "' has " + std::to_string(made) +
                                   " bytes, but its shape needs " + std::to_string(entry.bytes));
}

void SafetensorsWriter::makeAll(const Sink &sink) const {
  const std::string head = header();
  sink(head.data(), head.size());
  for (const auto &[name, entry] : entries)
    make(name, entry, sink);
}

std::vector<uint8_t> SafetensorsWriter::serialize() const {
  std::vector<uint8_t> bytes;
  makeAll([&](const void *piece, size_t size) {
    const uint8_t *begin = static_cast<const uint8_t *>(piece);
    bytes.insert(bytes.end(), begin, begin + size);
  });
  return bytes;
}

void SafetensorsWriter::write(const std::string &path) const {
  trs::OutputFile file(path);
  requireWritten(file.error());
  makeAll([&](const void *piece, size_t size) {
    file.write(piece, size);
    requireWritten(file.error());
  });
  file.commit();
  requireWritten(file.error());
}

} // namespace trrt
