// SPDX-License-Identifier: Apache-2.0
//
// Layout of a plan file: header, section table, then each section 64-byte
// aligned with zero padding before it. Nothing here depends on time, paths or
// addresses, so equal images give equal bytes.
#include "renaissance/Target/PlanBinary/PlanWriter.h"

#include "Crc32c.h"

#include <xxhash.h>

#include <cstring>
#include <functional>
#include <type_traits>

using namespace tr;
using tr::detail::crc32c;

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "records are stored as they lie in memory, which must be little-endian"
#endif

// Records are copied whole, so none may hold padding bytes of undefined value.
// (trrt_plan_param holds a double, for which the trait cannot answer.)
#define X(value, name, spelling, record)                                                           \
  static_assert(std::has_unique_object_representations_v<record> ||                                \
                    std::is_same_v<record, trrt_plan_param>,                                       \
                "padding in a record of " spelling);
TRRT_SECTIONS(X)
#undef X
static_assert(sizeof(trrt_plan_param) == 6 * 4 + 8 + 4 * 4, "padding in a record of PARAMS");
static_assert(sizeof(trrt_plan_section) == 48, "padding in a section entry");
static_assert(sizeof(trrt_plan_header) == TRRT_PLAN_HEADER_BYTES, "padding in the header");

namespace {

enum class Section : uint32_t {
#define X(value, name, spelling, record) name = value,
  TRRT_SECTIONS(X)
#undef X
};

struct SectionBytes {
  Section kind;
  uint32_t recordBytes;
  size_t recordCount;
  std::vector<uint8_t> bytes;
};

template <typename T> SectionBytes section(Section kind, const T *records, size_t count) {
  SectionBytes result{kind, sizeof(T), count, std::vector<uint8_t>(count * sizeof(T))};
  if (count != 0)
    std::memcpy(result.bytes.data(), records, result.bytes.size());
  return result;
}

template <typename T> SectionBytes section(Section kind, const std::vector<T> &records) {
  return section(kind, records.data(), records.size());
}

size_t alignUp(size_t value, size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

std::vector<SectionBytes> collectSections(const PlanImage &image) {
  std::vector<trrt_plan_string> strings;
  std::vector<uint8_t> text;
  for (const std::string &s : image.strings()) {
    strings.push_back({static_cast<uint32_t>(text.size()), static_cast<uint32_t>(s.size())});
    text.insert(text.end(), s.begin(), s.end());
  }
  std::vector<SectionBytes> sections;
  sections.push_back(section(Section::Strings, strings));
  sections.push_back(section(Section::StringBytes, text));
  sections.push_back(section(Section::Variants, image.variants));
  sections.push_back(section(Section::Regions, image.regions));
  sections.push_back(section(Section::Tensors, image.tensors));
  sections.push_back(section(Section::Shapes, image.shapes));
  sections.push_back(section(Section::Subgraphs, image.subgraphs));
  sections.push_back(section(Section::Ops, image.ops));
  sections.push_back(section(Section::Operands, image.operands));
  sections.push_back(section(Section::Attrs, image.attrs));
  sections.push_back(section(Section::Ranges, image.ranges));
  sections.push_back(section(Section::Schedules, image.schedules));
  sections.push_back(section(Section::Schedule, image.scheduleNodes));
  sections.push_back(section(Section::ScheduleEdges, image.scheduleEdges));
  sections.push_back(section(Section::Atlas, image.atlas));
  sections.push_back(section(Section::Params, image.params));
  sections.push_back(section(Section::Fusions, image.fusions));
  sections.push_back(section(Section::Target, &image.target, 1));
  sections.push_back(section(Section::Loc, image.locs));
  sections.push_back(section(Section::Meta, &image.meta, 1));
  sections.push_back(section(Section::Layers, image.layers));
  return sections;
}

trrt_plan_section entryOf(const SectionBytes &s, size_t offset) {
  trrt_plan_section entry = {};
  entry.kind = static_cast<uint32_t>(s.kind);
  // Without locations a plan still runs; every other section is needed.
  entry.flags = s.kind == Section::Loc ? TRRT_PLAN_SECTION_OPTIONAL : 0;
  entry.offset = offset;
  entry.bytes = s.bytes.size();
  entry.record_bytes = s.recordBytes;
  entry.record_count = static_cast<uint32_t>(s.recordCount);
  entry.align_log2 = 6;
  static_assert(TRRT_PLAN_SECTION_ALIGN == 1 << 6, "align_log2 above");
  return entry;
}

} // namespace

PlanImage::PlanImage() { intern(""); }

uint32_t PlanImage::intern(std::string_view text) {
  auto [found, isNew] =
      stringIndex.emplace(std::string(text), static_cast<uint32_t>(stringTable.size()));
  if (isNew)
    stringTable.emplace_back(text);
  return found->second;
}

uint32_t PlanImage::addOp(uint32_t opcode, const std::vector<uint32_t> &operandIds,
                          const std::vector<uint64_t> &attrBits, uint32_t layer) {
  trrt_plan_op op = {};
  op.opcode = opcode;
  op.first_operand = static_cast<uint32_t>(operands.size());
  op.operand_count = static_cast<uint32_t>(operandIds.size());
  op.first_attr = static_cast<uint32_t>(attrs.size());
  op.attr_count = static_cast<uint32_t>(attrBits.size());
  op.layer = layer;
  operands.insert(operands.end(), operandIds.begin(), operandIds.end());
  for (uint64_t bits : attrBits)
    attrs.push_back({bits});
  ops.push_back(op);
  return static_cast<uint32_t>(ops.size() - 1);
}

uint64_t PlanImage::intAttr(int64_t value) { return static_cast<uint64_t>(value); }

uint64_t PlanImage::floatAttr(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

std::string PlanImage::limitError() const {
  auto over = [](const std::string &what, uint64_t limit, uint64_t got) {
    return "a plan holds at most " + std::to_string(limit) + " " + what + ", but got " +
           std::to_string(got);
  };
  uint64_t textBytes = 0;
  for (const std::string &s : stringTable) {
    if (s.size() > TRRT_PLAN_MAX_STRING_BYTES)
      return over("bytes in a name", TRRT_PLAN_MAX_STRING_BYTES, s.size()) + " in '" +
             s.substr(0, 40) + "...'";
    textBytes += s.size();
  }
  if (textBytes > UINT32_MAX)
    return over("bytes of text", UINT32_MAX, textBytes);
  if (ops.size() > TRRT_PLAN_MAX_OPS)
    return over("ops", TRRT_PLAN_MAX_OPS, ops.size());
  const uint64_t limit = TRRT_PLAN_MAX_OPERANDS;
  const std::pair<const char *, size_t> tables[] = {{"operands", operands.size()},
                                                    {"attributes", attrs.size()},
                                                    {"shapes", shapes.size()},
                                                    {"tensors", tensors.size()},
                                                    {"schedule edges", scheduleEdges.size()},
                                                    {"schedule nodes", scheduleNodes.size()}};
  for (const auto &[what, count] : tables)
    if (count > limit)
      return over(what, limit, count);
  return "";
}

std::vector<uint8_t> PlanImage::serialize() const {
  const std::vector<SectionBytes> sections = collectSections(*this);
  size_t end = TRRT_PLAN_HEADER_BYTES + sections.size() * sizeof(trrt_plan_section);
  std::vector<uint8_t> file(end);
  for (size_t i = 0; i < sections.size(); ++i) {
    const size_t offset = alignUp(end, TRRT_PLAN_SECTION_ALIGN);
    const trrt_plan_section entry = entryOf(sections[i], offset);
    std::memcpy(file.data() + TRRT_PLAN_HEADER_BYTES + i * sizeof(entry), &entry, sizeof(entry));
    file.resize(offset);
    file.insert(file.end(), sections[i].bytes.begin(), sections[i].bytes.end());
    end = file.size();
  }
  trrt_plan_header header = {};
  std::memcpy(header.magic, TRRT_PLAN_MAGIC, sizeof(header.magic));
  header.format_major = TRRT_PLAN_FORMAT_MAJOR;
  header.format_minor = TRRT_PLAN_FORMAT_MINOR;
  header.header_bytes = TRRT_PLAN_HEADER_BYTES;
  header.file_bytes = file.size();
  header.section_count = static_cast<uint32_t>(sections.size());
  header.section_entry_bytes = sizeof(trrt_plan_section);
  header.min_runtime = 0 << 16 | 1 << 8 | 0;
  std::memcpy(file.data(), &header, sizeof(header));
  reseal(file);
  return file;
}

void PlanImage::reseal(std::vector<uint8_t> &bytes) {
  trrt_plan_header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  uint8_t *table = bytes.data() + TRRT_PLAN_HEADER_BYTES;
  XXH3_state_t *hash = XXH3_createState();
  XXH3_128bits_reset(hash);
  for (uint32_t i = 0; i < header.section_count; ++i) {
    trrt_plan_section entry;
    std::memcpy(&entry, table + i * sizeof(entry), sizeof(entry));
    entry.crc32c = crc32c(bytes.data() + entry.offset, entry.bytes);
    XXH3_128bits_update(hash, bytes.data() + entry.offset, entry.bytes);
    std::memcpy(table + i * sizeof(entry), &entry, sizeof(entry));
  }
  XXH128_canonical_t id;
  XXH128_canonicalFromHash(&id, XXH3_128bits_digest(hash));
  XXH3_freeState(hash);
  std::memcpy(header.content_id, id.digest, sizeof(header.content_id));
  header.table_crc32c = crc32c(table, header.section_count * sizeof(trrt_plan_section));
  std::memcpy(bytes.data(), &header, sizeof(header));
  header.header_crc32c = crc32c(bytes.data(), TRRT_PLAN_HEADER_BYTES - 4);
  std::memcpy(bytes.data(), &header, sizeof(header));
}
