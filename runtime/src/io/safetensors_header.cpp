// SPDX-License-Identifier: Apache-2.0
//
// The header's table is built straight from JSON events, so that no document tree of a hostile
// header ever exists.
#include "io/safetensors_header.h"

#include "base/status.h"
#include "base/text.h"
#include "trs/file_kind.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <set>

namespace trrt {

static constexpr uint64_t kMaxHeaderBytes = 100000000; // as the reference reader
static constexpr size_t kMaxNameBytes = 1024;
static constexpr size_t kMaxRank = 8;

uint64_t dtypeBits(const std::string &dtype) {
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

Error safetensorsError(const std::string &path, const std::string &what) {
  return Error(TRRT_INVALID_FILE, printable(path) + ": not a valid safetensors file: " + what);
}

// What users mix up is named; anything else gets `otherwise`.
static Error wrongFile(std::string_view begin, const std::string &path,
                       const std::string &otherwise) {
  const trs::FileKind kind = trs::recognise(begin);
  const bool known = kind != trs::FileKind::Unknown && kind != trs::FileKind::Safetensors;
  return safetensorsError(path, known ? trs::explainWrongKind(begin) : otherwise);
}

uint64_t headerLength(std::string_view begin, uint64_t fileBytes, const std::string &path) {
  if (begin.size() < kHeaderLengthBytes)
    throw wrongFile(begin, path,
                    "expected at least 8 bytes, but got " + std::to_string(begin.size()));
  uint64_t length = 0;
  for (size_t i = kHeaderLengthBytes; i-- > 0;)
    length = length << 8 | static_cast<uint8_t>(begin[i]);
  if (length > kMaxHeaderBytes || length > fileBytes - kHeaderLengthBytes)
    throw wrongFile(
        begin, path,
        "a header of " + std::to_string(length) + " bytes" +
            (fileBytes == kUnknownSize ? "" : " in a file of " + std::to_string(fileBytes)));
  if (length == 0 || begin.size() == kHeaderLengthBytes || begin[kHeaderLengthBytes] != '{')
    throw wrongFile(begin, path, "the header does not start with '{'");
  return length;
}

SafetensorsHeader parseHeader(std::string_view json, uint64_t dataBytes, const std::string &path) {
  HeaderHandler handler;
  if (!nlohmann::json::sax_parse(json.begin(), json.end(), &handler))
    throw safetensorsError(path, handler.error);
  if (dataBytes == kUnknownSize) {
    dataBytes = 0;
    for (const auto &[name, entry] : handler.entries)
      if (entry.offsets.size() == 2)
        dataBytes = std::max(dataBytes, entry.offsets[1]);
  }
  const std::string error = checkEntries(handler.entries, dataBytes);
  if (!error.empty())
    throw safetensorsError(path, error);
  SafetensorsHeader header;
  for (const auto &[name, entry] : handler.entries)
    header.tensors[name] = {
        entry.dtype, {entry.shape.begin(), entry.shape.end()}, entry.offsets[0], entry.offsets[1]};
  header.metadata = std::move(handler.meta);
  header.dataBytes = dataBytes;
  return header;
}

} // namespace trrt
