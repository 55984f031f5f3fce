// SPDX-License-Identifier: Apache-2.0
//
// The reader builds its table straight from JSON events, so that no document
// tree of a hostile header ever exists.
#include "io/safetensors.h"

#include "base/status.h"
#include "base/text.h"
#include "io/file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

namespace trrt {

static constexpr uint64_t kMaxHeaderBytes = 100000000; // as the reference reader
static constexpr size_t kMaxNameBytes = 1024;
static constexpr size_t kMaxRank = 8;

// Bits per element; 0: not a type of the format.
static uint64_t dtypeBits(const std::string &dtype) {
  static constexpr struct {
    const char *name;
    uint64_t bits;
  } kTypes[] = {{"BOOL", 8}, {"U8", 8},   {"I8", 8},   {"F8_E5M2", 8}, {"F8_E4M3", 8},
                {"I16", 16}, {"U16", 16}, {"F16", 16}, {"BF16", 16},   {"I32", 32},
                {"U32", 32}, {"F32", 32}, {"F64", 64}, {"I64", 64},    {"U64", 64}};
  for (const auto &type : kTypes)
    if (dtype == type.name)
      return type.bits;
  return 0;
}

int64_t TensorView::elements() const {
  // An empty tensor may have other extents that would overflow.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    return 0;
  int64_t count = 1;
  for (const int64_t extent : shape)
    count *= extent;
  return count;
}

namespace {

struct HeaderEntry {
  std::string dtype;
  std::vector<uint64_t> shape, offsets;
  std::set<std::string> fields;
};

// Accepts { name: {"dtype": s, "shape": [n..], "data_offsets": [n, n]}, ... } and
// "__metadata__": {s: s}. Any other event ends the parse with `error` set.
class HeaderHandler : public nlohmann::json_sax<nlohmann::json> {
public:
  std::map<std::string, HeaderEntry> entries;
  std::map<std::string, std::string> meta;
  std::string error;

  bool start_object(std::size_t) override {
    if (place == Place::Start)
      return enter(Place::Top);
    if (place == Place::TopValue)
      return enter(inMeta ? Place::Meta : Place::Entry);
    return refuse("an unexpected object");
  }
  bool end_object() override {
    if (place == Place::Entry)
      for (const char *field : {"dtype", "shape", "data_offsets"})
        if (!entry->fields.count(field))
          return refuse(std::string("no field '") + field + "'");
    return enter(place == Place::Top ? Place::End : Place::Top);
  }
  bool key(string_t &name) override {
    if (place == Place::Top)
      return topKey(name);
    if (place == Place::Meta) {
      metaKey = name;
      if (!meta.emplace(name, "").second)
        return refuse("the key '" + printable(name) + "' twice");
      return enter(Place::MetaValue);
    }
    if (!entry->fields.insert(name).second)
      return refuse("the field '" + printable(name) + "' twice");
    if (name == "dtype")
      return enter(Place::DType);
    if (name == "shape")
      return enter(Place::ShapeValue);
    if (name == "data_offsets")
      return enter(Place::OffsetsValue);
    return refuse("an unknown field '" + printable(name) + "'");
  }
  bool start_array(std::size_t) override {
    if (place == Place::ShapeValue)
      return enter(Place::Shape);
    if (place == Place::OffsetsValue)
      return enter(Place::Offsets);
    return refuse("an unexpected list");
  }
  bool end_array() override { return enter(Place::Entry); }
  bool string(string_t &value) override {
    if (place == Place::MetaValue) {
      meta[metaKey] = value;
      return enter(Place::Meta);
    }
    if (place != Place::DType)
      return refuse("an unexpected string");
    entry->dtype = value;
    return enter(Place::Entry);
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (place == Place::Shape && entry->shape.size() < kMaxRank) {
      entry->shape.push_back(value);
      return true;
    }
    if (place == Place::Offsets && entry->offsets.size() < 2) {
      entry->offsets.push_back(value);
      return true;
    }
    return refuse("an unexpected number");
  }
  bool null() override { return refuse("an unexpected null"); }
  bool boolean(bool) override { return refuse("an unexpected boolean"); }
  bool number_integer(number_integer_t) override { return refuse("a negative number"); }
  bool number_float(number_float_t, const string_t &) override {
    return refuse("a number that is not an unsigned integer");
  }
  bool binary(binary_t &) override { return refuse("binary data"); }
  bool parse_error(std::size_t position, const std::string &,
                   const nlohmann::detail::exception &) override {
    error = "the header is not valid JSON at byte " + std::to_string(position);
    return false;
  }

private:
  enum class Place {
    Start,
    Top,
    TopValue,
    Entry,
    DType,
    ShapeValue,
    Shape,
    OffsetsValue,
    Offsets,
    Meta,
    MetaValue,
    End
  };

  bool enter(Place next) {
    place = next;
    return true;
  }
  bool refuse(const std::string &what) {
    error = "the header has " + what;
    if (!name.empty())
      error += " at '" + printable(name) + "'";
    return false;
  }
  bool topKey(const std::string &key) {
    name = key;
    if (key.size() > kMaxNameBytes)
      return refuse("a name of more than 1024 bytes");
    inMeta = key == "__metadata__";
    if (inMeta) {
      if (metaSeen)
        return refuse("a second entry");
      metaSeen = true;
      return enter(Place::TopValue);
    }
    const auto [position, added] = entries.emplace(key, HeaderEntry());
    if (!added)
      return refuse("a second entry");
    entry = &position->second;
    return enter(Place::TopValue);
  }

  Place place = Place::Start;
  bool inMeta = false, metaSeen = false;
  std::string name, metaKey;
  HeaderEntry *entry = nullptr;
};

} // namespace

// Bytes of a tensor; false: more than 64 bits can count.
static bool tensorBytes(const std::vector<uint64_t> &shape, uint64_t bits, uint64_t &bytes) {
  uint64_t count = bits / 8;
  bool empty = false;
  for (const uint64_t extent : shape) {
    if (extent > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
      return false;
    if (extent == 0)
      empty = true;
    else if (__builtin_mul_overflow(count, extent, &count))
      return false;
  }
  bytes = empty ? 0 : count;
  return true;
}

// Why the entries do not describe `dataBytes` bytes; empty: they do.
static std::string checkEntries(const std::map<std::string, HeaderEntry> &entries,
                                uint64_t dataBytes) {
  std::vector<std::pair<uint64_t, uint64_t>> spans;
  for (const auto &[name, entry] : entries) {
    const std::string where = "tensor '" + printable(name) + "': ";
    const uint64_t bits = dtypeBits(entry.dtype);
    if (bits == 0)
      return where + "unknown dtype '" + printable(entry.dtype) + "'";
    if (entry.offsets.size() != 2)
      return where + "data_offsets must hold 2 numbers, but has " +
             std::to_string(entry.offsets.size());
    const uint64_t begin = entry.offsets[0], end = entry.offsets[1];
    uint64_t bytes = 0;
    if (!tensorBytes(entry.shape, bits, bytes))
      return where + "the shape overflows";
    if (begin > end || end > dataBytes)
      return where + "data_offsets [" + std::to_string(begin) + ", " + std::to_string(end) +
             "] lie outside the " + std::to_string(dataBytes) + " bytes of data";
    if (end - begin != bytes)
      return where + "the shape needs " + std::to_string(bytes) + " bytes, but data_offsets span " +
             std::to_string(end - begin);
    spans.emplace_back(begin, end);
  }
  std::sort(spans.begin(), spans.end());
  uint64_t covered = 0;
  for (const auto &[begin, end] : spans) {
    if (begin != covered)
      return (begin < covered ? "tensors overlap at data byte " : "a hole in the data at byte ") +
             std::to_string(std::min(begin, covered));
    covered = end;
  }
  if (covered != dataBytes)
    return std::to_string(dataBytes - covered) + " bytes after the last tensor";
  return "";
}

SafetensorsFile SafetensorsFile::read(const std::string &path) {
  return parse(readFile(path), path);
}

SafetensorsFile SafetensorsFile::parse(std::vector<uint8_t> bytes, const std::string &path) {
  const auto fail = [&](const std::string &what) {
    return Error(TRRT_INVALID_FILE, printable(path) + ": not a valid safetensors file: " + what);
  };
  SafetensorsFile file;
  file.filePath = path;
  file.content = std::move(bytes);
  const std::vector<uint8_t> &content = file.content;
  if (content.size() < 8)
    throw fail("expected at least 8 bytes, but got " + std::to_string(content.size()));
  uint64_t headerBytes = 0;
  for (int i = 7; i >= 0; --i)
    headerBytes = headerBytes << 8 | content[static_cast<size_t>(i)];
  if (headerBytes > kMaxHeaderBytes || headerBytes > content.size() - 8)
    throw fail("a header of " + std::to_string(headerBytes) + " bytes in a file of " +
               std::to_string(content.size()));
  const char *header = reinterpret_cast<const char *>(content.data() + 8);
  if (headerBytes == 0 || header[0] != '{')
    throw fail("the header does not start with '{'");

  HeaderHandler handler;
  if (!nlohmann::json::sax_parse(header, header + headerBytes, &handler))
    throw fail(handler.error);
  const uint64_t dataBytes = content.size() - 8 - headerBytes;
  const std::string error = checkEntries(handler.entries, dataBytes);
  if (!error.empty())
    throw fail(error);
  for (const auto &[name, entry] : handler.entries) {
    TensorView &view = file.views[name];
    view.dtype = entry.dtype;
    view.shape.assign(entry.shape.begin(), entry.shape.end());
    view.data = content.data() + 8 + headerBytes + entry.offsets[0];
    view.bytes = entry.offsets[1] - entry.offsets[0];
  }
  file.meta = std::move(handler.meta);
  return file;
}

const TensorView &SafetensorsFile::tensor(const std::string &name) const {
  const auto found = views.find(name);
  if (found != views.end())
    return found->second;
  std::vector<std::string> names;
  for (const auto &view : views)
    names.push_back(view.first);
  throw Error(TRRT_INVALID_FILE,
              printable(filePath) + ": no tensor '" + name + "'" + didYouMean(name, names));
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

void SafetensorsWriter::addMetadata(const std::string &key, const std::string &value) {
  meta[key] = value;
}

void SafetensorsWriter::add(const std::string &name, Entry entry) {
  if (!entries.emplace(name, std::move(entry)).second)
    throw Error(TRRT_INTERNAL, "tensor '" + printable(name) + "' is written twice");
}

template <typename T> static std::vector<uint8_t> bytesOf(const std::vector<T> &values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  if (!bytes.empty())
    std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

void SafetensorsWriter::addF32(const std::string &name, std::vector<int64_t> shape,
                               std::vector<float> values) {
  add(name, {"F32", std::move(shape), bytesOf(values)});
}

void SafetensorsWriter::addI32(const std::string &name, std::vector<int64_t> shape,
                               std::vector<int32_t> values) {
  add(name, {"I32", std::move(shape), bytesOf(values)});
}

// Length and JSON, padded with spaces so that the data is 64-byte aligned.
std::string SafetensorsWriter::header() const {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (!meta.empty())
    json["__metadata__"] = meta;
  uint64_t offset = 0;
  for (const auto &[name, entry] : entries) {
    const uint64_t end = offset + entry.bytes.size();
    json[name] = {{"dtype", entry.dtype}, {"shape", entry.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = json.dump();
  text.append((64 - (8 + text.size()) % 64) % 64, ' ');
  std::string length;
  for (int i = 0; i < 8; ++i)
    length += static_cast<char>(static_cast<uint64_t>(text.size()) >> (8 * i));
  return length + text;
}

std::vector<uint8_t> SafetensorsWriter::serialize() const {
  const std::string head = header();
  std::vector<uint8_t> bytes(head.begin(), head.end());
  for (const auto &item : entries)
    bytes.insert(bytes.end(), item.second.bytes.begin(), item.second.bytes.end());
  return bytes;
}

void SafetensorsWriter::write(const std::string &path) const {
  AtomicFile file(path);
  const std::string head = header();
  file.write(head.data(), head.size());
  for (const auto &item : entries)
    file.write(item.second.bytes.data(), item.second.bytes.size());
  file.commit();
}

} // namespace trrt
