// SPDX-License-Identifier: Apache-2.0
//
// The inverse of PlanImage::serialize(). The runtime has a reader of its own, with
// the full verifier; this one serves --plan-to-mlir, where MLIR's verifiers judge
// the meaning.
#include "renaissance/Target/PlanBinary/PlanWriter.h"

#include "Crc32c.h"

#include <algorithm>
#include <cstring>

using namespace tr;

namespace {

enum class Section : uint32_t {
#define X(value, name, spelling, record) name = value,
  TRRT_SECTIONS(X)
#undef X
};

const char *nameOf(Section kind) {
  switch (kind) {
#define X(value, name, spelling, record)                                                           \
  case Section::name:                                                                              \
    return spelling;
    TRRT_SECTIONS(X)
#undef X
  }
  return "unknown";
}

// Bytes of the first minor's records, where they were fewer.
uint32_t leastRecordBytes(Section kind, uint32_t recordBytes) {
  switch (kind) {
#define X(name, bytes)                                                                             \
  case Section::name:                                                                              \
    return bytes;
    TRRT_PLAN_SHORTER_RECORDS(X)
#undef X
  default:
    return recordBytes;
  }
}

class Reader {
public:
  Reader(const uint8_t *bytes, size_t size, std::string &error)
      : bytes(bytes), size(size), error(error) {}

  bool readTable();
  // Copies the records of a required section, dropping columns this code does not know.
  template <typename T> bool read(std::vector<T> &records, Section kind);
  template <typename T> bool readOne(T &record, Section kind);
  bool fail(const std::string &message) {
    error = message;
    return false;
  }

private:
  bool checkEntry(const trrt_plan_section &entry, uint32_t index);

  const uint8_t *bytes;
  size_t size;
  std::string &error;
  std::vector<trrt_plan_section> sections;
};

bool Reader::readTable() {
  trrt_plan_header header;
  if (size < sizeof(header))
    return fail("expected at least 64 bytes, but got " + std::to_string(size));
  std::memcpy(&header, bytes, sizeof(header));
  if (std::memcmp(header.magic, TRRT_PLAN_MAGIC, sizeof(header.magic)) != 0)
    return fail("expected a plan file, but its first bytes are something else");
  if (header.format_major != TRRT_PLAN_FORMAT_MAJOR)
    return fail("made by format " + std::to_string(header.format_major) + ", this compiler reads " +
                std::to_string(TRRT_PLAN_FORMAT_MAJOR));
  if (detail::crc32c(bytes, sizeof(header) - 4) != header.header_crc32c)
    return fail("header: checksum does not match");
  const uint64_t tableBytes = uint64_t(header.section_count) * header.section_entry_bytes;
  if (header.file_bytes != size || header.section_count > TRRT_PLAN_MAX_SECTIONS ||
      header.section_entry_bytes < sizeof(trrt_plan_section) ||
      header.header_bytes < sizeof(header) || header.header_bytes > size ||
      tableBytes > size - header.header_bytes)
    return fail("header: sizes do not fit a file of " + std::to_string(size) + " bytes");
  if (detail::crc32c(bytes + header.header_bytes, tableBytes) != header.table_crc32c)
    return fail("section table: checksum does not match");
  for (uint32_t i = 0; i < header.section_count; ++i) {
    trrt_plan_section entry;
    std::memcpy(&entry, bytes + header.header_bytes + uint64_t(i) * header.section_entry_bytes,
                sizeof(entry));
    if (!checkEntry(entry, i))
      return false;
    sections.push_back(entry);
  }
  return true;
}

bool Reader::checkEntry(const trrt_plan_section &entry, uint32_t index) {
  const std::string where = "section " + std::to_string(index) + ": ";
  if (entry.offset > size || entry.bytes > size - entry.offset)
    return fail(where + "expected it to lie inside the file");
  if (uint64_t(entry.record_bytes) * entry.record_count != entry.bytes)
    return fail(where + "expected record_bytes * record_count to be its size");
  if (detail::crc32c(bytes + entry.offset, entry.bytes) != entry.crc32c)
    return fail(where + "checksum does not match");
  return true;
}

template <typename T> bool Reader::read(std::vector<T> &records, Section kind) {
  auto found = std::find_if(sections.begin(), sections.end(), [&](const trrt_plan_section &entry) {
    return entry.kind == static_cast<uint32_t>(kind);
  });
  if (found == sections.end())
    return fail(std::string("section ") + nameOf(kind) + " is missing");
  const uint32_t least = leastRecordBytes(kind, sizeof(T));
  if (found->record_count != 0 && found->record_bytes < least)
    return fail(std::string("section ") + nameOf(kind) + ": expected records of at least " +
                std::to_string(least) + " bytes, but got " + std::to_string(found->record_bytes));
  records.resize(found->record_count);
  for (uint32_t i = 0; i < found->record_count; ++i)
    std::memcpy(&records[i], bytes + found->offset + uint64_t(i) * found->record_bytes,
                std::min<size_t>(found->record_bytes, sizeof(T)));
  return true;
}

template <typename T> bool Reader::readOne(T &record, Section kind) {
  std::vector<T> records;
  if (!read(records, kind))
    return false;
  if (records.size() != 1)
    return fail(std::string("section ") + nameOf(kind) + ": expected one record, but got " +
                std::to_string(records.size()));
  record = records[0];
  return true;
}

} // namespace

bool PlanImage::parse(const uint8_t *bytes, size_t size, PlanImage &image, std::string &error) {
  Reader reader(bytes, size, error);
  std::vector<trrt_plan_string> strings;
  std::vector<uint8_t> text;
  if (!reader.readTable() || !reader.read(strings, Section::Strings) ||
      !reader.read(text, Section::StringBytes) || !reader.read(image.variants, Section::Variants) ||
      !reader.read(image.regions, Section::Regions) ||
      !reader.read(image.tensors, Section::Tensors) ||
      !reader.read(image.shapes, Section::Shapes) ||
      !reader.read(image.subgraphs, Section::Subgraphs) || !reader.read(image.ops, Section::Ops) ||
      !reader.read(image.operands, Section::Operands) ||
      !reader.read(image.attrs, Section::Attrs) || !reader.read(image.ranges, Section::Ranges) ||
      !reader.read(image.schedules, Section::Schedules) ||
      !reader.read(image.scheduleNodes, Section::Schedule) ||
      !reader.read(image.scheduleEdges, Section::ScheduleEdges) ||
      !reader.read(image.atlas, Section::Atlas) || !reader.read(image.params, Section::Params) ||
      !reader.read(image.fusions, Section::Fusions) ||
      !reader.readOne(image.target, Section::Target) || !reader.read(image.locs, Section::Loc) ||
      !reader.readOne(image.meta, Section::Meta) || !reader.read(image.layers, Section::Layers))
    return false;
  image.stringTable.clear();
  image.stringIndex.clear();
  for (const trrt_plan_string &s : strings) {
    if (s.offset > text.size() || s.bytes > text.size() - s.offset)
      return reader.fail("section STRINGS: expected every string inside STRING_BYTES");
    image.stringTable.emplace_back(reinterpret_cast<const char *>(text.data()) + s.offset, s.bytes);
    image.stringIndex.emplace(image.stringTable.back(),
                              static_cast<uint32_t>(image.stringTable.size() - 1));
  }
  if (image.stringTable.empty() || !image.stringTable[0].empty())
    return reader.fail("section STRINGS: expected string 0 to be empty");
  return true;
}
