// SPDX-License-Identifier: Apache-2.0
//
// The outer form of a plan file: header, section table, checksums
// (checks V01-V08 of docs/plan-format.md). Every value is copied out of
// the bytes before it is looked at.
#include "check.h"
#include "trf/crc32c.h"
#include "trf/plan_records.h"
#include "trf/version.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "plan files are little-endian and read without conversion"
#endif

namespace trf {

namespace {

struct SectionRow {
  Section value;
  const char *name;
  uint32_t recordBytes; // a shorter record is refused, a longer one has columns of a later minor
};

constexpr SectionRow kSections[] = {
#define X(id, value, name, record, member) {Section::value, name, sizeof(record)},
    TRF_SECTIONS(X)
#undef X
};

const SectionRow *findRow(uint32_t value) {
  for (const SectionRow &row : kSections)
    if (static_cast<uint32_t>(row.value) == value)
      return &row;
  return nullptr;
}

std::string versionText(uint32_t packed) {
  return std::to_string(packed >> 16) + "." + std::to_string(packed >> 8 & 255) + "." +
         std::to_string(packed & 255);
}

// At most 8 bytes as numbers and, where they are letters, as text.
std::string firstBytes(const uint8_t *data, size_t size) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string numbers, text;
  for (size_t i = 0; i < std::min<size_t>(size, 8); ++i) {
    numbers += {' ', kDigits[data[i] >> 4], kDigits[data[i] & 15]};
    text += data[i] >= 0x20 && data[i] < 0x7f ? static_cast<char>(data[i]) : '.';
  }
  return numbers.substr(1) + " ('" + text + "')";
}

// "; renaissance 0.1.0 wrote it", or nothing: found by its look, as what another version wrote
// cannot be read.
std::string writtenBy(const uint8_t *data, size_t size) {
  constexpr std::string_view kTool = "renaissance ", kVersion = "0123456789.";
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  for (size_t at = text.find(kTool); at != text.npos; at = text.find(kTool, at + 1)) {
    const size_t version = at + kTool.size();
    const size_t end = std::min(text.find_first_not_of(kVersion, version), size);
    if (end != version && end - version < 16)
      return "; " + std::string(text.substr(at, end - at)) + " wrote it";
  }
  return "";
}

// Reads one file; `entries` are the checked copies of the section table.
class ContainerReader {
public:
  ContainerReader(const uint8_t *data, size_t size) : data(data), fileSize(size) {}

  PlanRecords read() {
    readHeader();
    readTable();
    for (size_t i = 0; i < entries.size(); ++i)
      checkKind(i);
    checkRequired();
    checkChecksums();
    return copyRecords();
  }

private:
  static Field entryField(size_t index, const char *name) { return {kSectionTable, index, name}; }

  void readHeader();
  void readTable();
  void checkPlacement(size_t index, uint64_t previousEnd);
  void checkKind(size_t index);
  void checkRequired() const;
  void checkChecksums() const;
  void requireZero(uint64_t from, uint64_t to) const;
  const trf_section *find(Section kind) const;
  template <typename T> void copy(Section kind, std::vector<T> &records) const;
  PlanRecords copyRecords() const;

  const uint8_t *data;
  size_t fileSize;
  trf_header header{};
  std::vector<trf_section> entries;
};

void ContainerReader::readHeader() {
  if (fileSize < sizeof(header.magic) || std::memcmp(data, TRF_MAGIC, 8) != 0)
    rejectPlan("not a plan file: expected it to start with " +
               firstBytes(reinterpret_cast<const uint8_t *>(TRF_MAGIC), 8) + ", but " +
               (fileSize == 0 ? "it is empty" : "got " + firstBytes(data, fileSize)));
  if (fileSize < TRF_HEADER_BYTES)
    rejectPlan("header: expected 64 bytes, but the file has " + std::to_string(fileSize));
  std::memcpy(&header, data, sizeof(header));
  // Before the checksum, because another major may have another header.
  if (header.format_major != TRF_FORMAT_MAJOR)
    rejectPlan("made by format " + std::to_string(header.format_major) + ", this runtime reads " +
               std::to_string(TRF_FORMAT_MAJOR) + "; compile the model again" +
               writtenBy(data, fileSize));
  if (header.header_crc32c != crc32c(data, TRF_HEADER_BYTES - 4))
    rejectPlan("header: the checksum does not match, the file is damaged");
  if (header.file_bytes != fileSize)
    rejectPlan("header, field file_bytes: expected " + std::to_string(header.file_bytes) +
               " bytes, but the file has " + std::to_string(fileSize));
  if (header.min_runtime > TRF_VERSION_NUMBER)
    rejectPlan("needs runtime " + versionText(header.min_runtime) + ", this is " + TRF_VERSION +
               writtenBy(data, fileSize));
  if (header.flags != 0)
    rejectPlan("header, field flags: expected 0, but got " + std::to_string(header.flags));
}

void ContainerReader::readTable() {
  const uint64_t headerBytes = header.header_bytes;
  const uint64_t stride = header.section_entry_bytes;
  if (headerBytes < TRF_HEADER_BYTES || headerBytes > fileSize)
    rejectPlan("header, field header_bytes: expected 64 or more inside the file, but got " +
               std::to_string(headerBytes));
  if (stride < sizeof(trf_section))
    rejectPlan("header, field section_entry_bytes: expected 48 or more, but got " +
               std::to_string(stride));
  if (header.section_count > TRF_MAX_SECTIONS)
    rejectPlan("header, field section_count: expected at most 64, but got " +
               std::to_string(header.section_count));
  const uint64_t tableBytes = stride * header.section_count; // below 2^32 * 64
  if (tableBytes > fileSize - headerBytes)
    rejectPlan("section table: it ends outside the file");
  if (header.table_crc32c != crc32c(data + headerBytes, tableBytes))
    rejectPlan("section table: the checksum does not match, the file is damaged");
  entries.resize(header.section_count);
  uint64_t end = headerBytes + tableBytes;
  for (size_t i = 0; i < entries.size(); ++i) {
    std::memcpy(&entries[i], data + headerBytes + i * stride, sizeof(trf_section));
    checkPlacement(i, end);
    requireZero(end, entries[i].offset);
    end = entries[i].offset + entries[i].bytes;
  }
  if (end != fileSize)
    rejectPlan("section table: the sections end at byte " + std::to_string(end) +
               ", but the file has " + std::to_string(fileSize));
}

// Sections follow each other with no more padding than their alignment needs, so
// that equal content has one form only.
void ContainerReader::checkPlacement(size_t index, uint64_t previousEnd) {
  const trf_section &s = entries[index];
  entryField(index, "align_log2").within(s.align_log2, 6, 12);
  const uint64_t align = uint64_t{1} << s.align_log2;
  const uint64_t expected = (previousEnd + align - 1) / align * align;
  if (s.offset != expected)
    entryField(index, "offset")
        .reject("expected " + std::to_string(expected) + ", but got " + std::to_string(s.offset));
  if (s.offset > fileSize || s.bytes > fileSize - s.offset)
    entryField(index, "bytes").reject("the section ends outside the file");
  const uint64_t product = uint64_t{s.record_bytes} * s.record_count; // 32 x 32 bits
  if (product != s.bytes)
    entryField(index, "bytes")
        .reject("expected " + std::to_string(s.record_bytes) + " x " +
                std::to_string(s.record_count) + " bytes, but got " + std::to_string(s.bytes));
  entryField(index, "reserved").zero(s.reserved);
  entryField(index, "flags").zero(s.flags & ~TRF_SECTION_OPTIONAL);
}

void ContainerReader::requireZero(uint64_t from, uint64_t to) const {
  for (uint64_t i = from; i < to; ++i)
    if (data[i] != 0)
      rejectPlan("padding at byte " + std::to_string(i) + ": expected 0");
}

void ContainerReader::checkKind(size_t index) {
  const trf_section &s = entries[index];
  const SectionRow *kind = findRow(s.kind);
  if (!kind) {
    if ((s.flags & TRF_SECTION_OPTIONAL) == 0)
      entryField(index, "kind")
          .reject("unknown section " + std::to_string(s.kind) + " that is not optional");
    return;
  }
  if (s.record_bytes < kind->recordBytes)
    entryField(index, "record_bytes")
        .reject(std::string("expected ") + std::to_string(kind->recordBytes) + " or more for " +
                kind->name + ", but got " + std::to_string(s.record_bytes));
  for (size_t i = 0; i < index; ++i)
    if (entries[i].kind == s.kind)
      entryField(index, "kind").reject(std::string("a second section ") + kind->name);
}

void ContainerReader::checkRequired() const {
  for (const SectionRow &row : kSections)
    if (row.value != Section::Loc && !find(row.value))
      rejectPlan(std::string("section table: there is no section ") + row.name);
}

void ContainerReader::checkChecksums() const {
  XXH3_state_t *state = XXH3_createState();
  if (!state)
    throw std::bad_alloc();
  XXH3_128bits_reset(state);
  bool damaged = false;
  size_t index = 0;
  for (; index < entries.size() && !damaged; ++index) {
    const trf_section &s = entries[index];
    damaged = crc32c(data + s.offset, s.bytes) != s.crc32c;
    XXH3_128bits_update(state, data + s.offset, s.bytes);
  }
  XXH128_canonical_t id;
  XXH128_canonicalFromHash(&id, XXH3_128bits_digest(state));
  XXH3_freeState(state);
  if (damaged) {
    const SectionRow *kind = findRow(entries[index - 1].kind);
    rejectPlan(std::string("section ") + (kind ? kind->name : "of unknown kind") +
               ": the checksum does not match, the file is damaged");
  }
  if (std::memcmp(id.digest, header.content_id, sizeof(header.content_id)) != 0)
    rejectPlan("header, field content_id: it does not match the sections");
}

const trf_section *ContainerReader::find(Section kind) const {
  for (const trf_section &s : entries)
    if (s.kind == static_cast<uint32_t>(kind))
      return &s;
  return nullptr;
}

template <typename T> void ContainerReader::copy(Section kind, std::vector<T> &records) const {
  const trf_section *s = find(kind);
  if (!s)
    return;
  records.resize(s->record_count);
  if (s->record_bytes == sizeof(T)) {
    if (!records.empty())
      std::memcpy(records.data(), data + s->offset, s->bytes);
    return;
  }
  // Columns of a later minor are left out.
  for (size_t i = 0; i < records.size(); ++i)
    std::memcpy(&records[i], data + s->offset + i * s->record_bytes, sizeof(T));
}

PlanRecords ContainerReader::copyRecords() const {
  PlanRecords records;
  std::copy(std::begin(header.content_id), std::end(header.content_id), records.contentId.begin());
#define X(id, value, name, record, member) copy(Section::value, records.member);
  TRF_SECTIONS(X)
#undef X
  return records;
}

} // namespace

PlanRecords readRecords(const uint8_t *bytes, size_t size) {
  return ContainerReader(bytes, size).read();
}

} // namespace trf
