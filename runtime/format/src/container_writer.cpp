// SPDX-License-Identifier: Apache-2.0
//
// Layout of a plan file: header, section table, then each section 64-byte
// aligned with zero padding before it. Nothing here depends on time, paths or
// addresses, so equal images give equal bytes.
#include "trf/crc32c.h"
#include "trf/plan_records.h"
#include "trf/version.h"

#include <xxhash.h>

#include <cstring>
#include <type_traits>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "records are stored as they lie in memory, which must be little-endian"
#endif

namespace trf {

// Records are copied whole, so none may hold padding bytes of undefined value.
// (trf_param holds a double, for which the trait cannot answer.)
#define X(id, value, name, record, member)                                                         \
  static_assert(std::has_unique_object_representations_v<record> ||                                \
                    std::is_same_v<record, trf_param>,                                             \
                "padding in a record of " name);
TRF_SECTIONS(X)
#undef X
static_assert(sizeof(trf_param) == 6 * 4 + 8 + 4 * 4, "padding in a record of PARAMS");
static_assert(sizeof(trf_section) == 48, "padding in a section entry");
static_assert(sizeof(trf_header) == TRF_HEADER_BYTES, "padding in the header");

namespace {

struct SectionBytes {
  Section kind;
  uint32_t recordBytes;
  size_t recordCount;
  const void *first;

  size_t bytes() const { return recordBytes * recordCount; }
};

size_t alignUp(size_t value, size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

std::vector<SectionBytes> listSections(const PlanRecords &records) {
  return {
#define X(id, value, name, record, member)                                                         \
  {Section::value, sizeof(record), records.member.size(), records.member.data()},
      TRF_SECTIONS(X)
#undef X
  };
}

trf_section entryOf(const SectionBytes &s, size_t offset) {
  trf_section entry = {};
  entry.kind = static_cast<uint32_t>(s.kind);
  // Without locations a plan still runs; every other section is needed.
  entry.flags = s.kind == Section::Loc ? TRF_SECTION_OPTIONAL : 0;
  entry.offset = offset;
  entry.bytes = s.bytes();
  entry.record_bytes = s.recordBytes;
  entry.record_count = static_cast<uint32_t>(s.recordCount);
  entry.align_log2 = 6;
  static_assert(TRF_SECTION_ALIGN == 1 << 6, "align_log2 above");
  return entry;
}

} // namespace

RecordBuilder::RecordBuilder() { intern(""); }

uint32_t RecordBuilder::intern(std::string_view text) {
  const auto [found, isNew] =
      index.try_emplace(std::string(text), static_cast<uint32_t>(records.strings.size()));
  if (isNew) {
    records.strings.push_back(
        {static_cast<uint32_t>(records.stringBytes.size()), static_cast<uint32_t>(text.size())});
    records.stringBytes.insert(records.stringBytes.end(), text.begin(), text.end());
  }
  return found->second;
}

uint32_t RecordBuilder::addOp(trf_op op, const std::vector<uint32_t> &operands,
                              const std::vector<uint64_t> &attrs) {
  op.first_operand = static_cast<uint32_t>(records.operands.size());
  op.operand_count = static_cast<uint32_t>(operands.size());
  op.first_attr = static_cast<uint32_t>(records.attrs.size());
  op.attr_count = static_cast<uint32_t>(attrs.size());
  records.operands.insert(records.operands.end(), operands.begin(), operands.end());
  for (const uint64_t bits : attrs)
    records.attrs.push_back({bits});
  records.ops.push_back(op);
  return static_cast<uint32_t>(records.ops.size() - 1);
}

std::vector<uint8_t> writeRecords(const PlanRecords &records) {
  const std::vector<SectionBytes> sections = listSections(records);
  size_t end = TRF_HEADER_BYTES + sections.size() * sizeof(trf_section);
  std::vector<uint8_t> file(end);
  for (size_t i = 0; i < sections.size(); ++i) {
    const size_t offset = alignUp(end, TRF_SECTION_ALIGN);
    const trf_section entry = entryOf(sections[i], offset);
    std::memcpy(file.data() + TRF_HEADER_BYTES + i * sizeof(entry), &entry, sizeof(entry));
    file.resize(offset + entry.bytes);
    if (entry.bytes != 0)
      std::memcpy(file.data() + offset, sections[i].first, entry.bytes);
    end = file.size();
  }
  trf_header header = {};
  std::memcpy(header.magic, TRF_MAGIC, sizeof(header.magic));
  header.format_major = TRF_FORMAT_MAJOR;
  header.format_minor = TRF_FORMAT_MINOR;
  header.header_bytes = TRF_HEADER_BYTES;
  header.file_bytes = file.size();
  header.section_count = static_cast<uint32_t>(sections.size());
  header.section_entry_bytes = sizeof(trf_section);
  header.min_runtime = TRF_LEAST_RUNTIME;
  std::memcpy(file.data(), &header, sizeof(header));
  reseal(file);
  return file;
}

void reseal(std::vector<uint8_t> &bytes) {
  trf_header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  uint8_t *table = bytes.data() + TRF_HEADER_BYTES;
  XXH3_state_t *hash = XXH3_createState();
  XXH3_128bits_reset(hash);
  for (uint32_t i = 0; i < header.section_count; ++i) {
    trf_section entry;
    std::memcpy(&entry, table + i * sizeof(entry), sizeof(entry));
    entry.crc32c = crc32c(bytes.data() + entry.offset, entry.bytes);
    XXH3_128bits_update(hash, bytes.data() + entry.offset, entry.bytes);
    std::memcpy(table + i * sizeof(entry), &entry, sizeof(entry));
  }
  XXH128_canonical_t id;
  XXH128_canonicalFromHash(&id, XXH3_128bits_digest(hash));
  XXH3_freeState(hash);
  std::memcpy(header.content_id, id.digest, sizeof(header.content_id));
  header.table_crc32c = crc32c(table, header.section_count * sizeof(trf_section));
  std::memcpy(bytes.data(), &header, sizeof(header));
  header.header_crc32c = crc32c(bytes.data(), TRF_HEADER_BYTES - 4);
  std::memcpy(bytes.data(), &header, sizeof(header));
}

} // namespace trf
