// SPDX-License-Identifier: Apache-2.0
//
// Sections in, sections out. Written apart from the reader and the writer, whose
// faults it helps to find.
#include "plan_file.h"

#include "trf/crc32c.h"

#include <xxhash.h>

#include <cstring>

namespace trf::test {

static constexpr size_t kEntryBytes = sizeof(trf_section);

static trf_section entryAt(const uint8_t *bytes, size_t index) {
  trf_section entry;
  std::memcpy(&entry, bytes + TRF_HEADER_BYTES + index * kEntryBytes, kEntryBytes);
  return entry;
}

bool PlanFile::split(const uint8_t *bytes, size_t size, PlanFile &file) {
  if (size < TRF_HEADER_BYTES)
    return false;
  std::memcpy(&file.header, bytes, sizeof(file.header));
  const trf_header &header = file.header;
  if (header.header_bytes != TRF_HEADER_BYTES || header.section_entry_bytes != kEntryBytes ||
      header.section_count > TRF_MAX_SECTIONS ||
      TRF_HEADER_BYTES + header.section_count * kEntryBytes > size)
    return false;
  file.sections.clear();
  for (size_t i = 0; i < header.section_count; ++i) {
    const trf_section entry = entryAt(bytes, i);
    if (entry.offset > size || entry.bytes > size - entry.offset || entry.record_bytes == 0 ||
        entry.bytes % entry.record_bytes != 0 || entry.align_log2 < 6 || entry.align_log2 > 12)
      return false;
    file.sections.push_back(
        {entry.kind, entry.flags, entry.record_bytes, entry.align_log2,
         std::vector<uint8_t>(bytes + entry.offset, bytes + entry.offset + entry.bytes)});
  }
  return true;
}

std::vector<uint8_t> PlanFile::join() const {
  std::vector<uint8_t> file(TRF_HEADER_BYTES + sections.size() * kEntryBytes);
  XXH3_state_t *hash = XXH3_createState();
  XXH3_128bits_reset(hash);
  for (size_t i = 0; i < sections.size(); ++i) {
    const Section &s = sections[i];
    const size_t align = size_t{1} << s.alignLog2;
    file.resize((file.size() + align - 1) / align * align);
    trf_section entry = {};
    entry.kind = s.kind;
    entry.flags = s.flags;
    entry.offset = file.size();
    entry.bytes = s.bytes.size();
    entry.record_bytes = s.recordBytes;
    entry.record_count = static_cast<uint32_t>(s.records());
    entry.crc32c = crc32c(s.bytes.data(), s.bytes.size());
    entry.align_log2 = s.alignLog2;
    std::memcpy(file.data() + TRF_HEADER_BYTES + i * kEntryBytes, &entry, kEntryBytes);
    XXH3_128bits_update(hash, s.bytes.data(), s.bytes.size());
    file.insert(file.end(), s.bytes.begin(), s.bytes.end());
  }
  trf_header result = header;
  XXH128_canonical_t id;
  XXH128_canonicalFromHash(&id, XXH3_128bits_digest(hash));
  XXH3_freeState(hash);
  std::memcpy(result.content_id, id.digest, sizeof(result.content_id));
  result.header_bytes = TRF_HEADER_BYTES;
  result.section_entry_bytes = kEntryBytes;
  result.section_count = static_cast<uint32_t>(sections.size());
  result.file_bytes = file.size();
  std::memcpy(file.data(), &result, sizeof(result));
  sealTable(file);
  return file;
}

void sealTable(std::vector<uint8_t> &bytes) {
  trf_header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  header.table_crc32c = crc32c(bytes.data() + TRF_HEADER_BYTES, header.section_count * kEntryBytes);
  std::memcpy(bytes.data(), &header, sizeof(header));
  header.header_crc32c = crc32c(bytes.data(), TRF_HEADER_BYTES - 4);
  std::memcpy(bytes.data(), &header, sizeof(header));
}

} // namespace trf::test
