// SPDX-License-Identifier: Apache-2.0
//
// The outer form of plan files: round trip, versions, header, section table,
// strings, checksums.
#include "base/crc32c.h"
#include "sample_plan.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

using namespace trrt;
using namespace trrt::test;

namespace {

using Bytes = std::vector<uint8_t>;

std::string errorOf(const Bytes &bytes) {
  Plan plan;
  std::string error;
  return readPlan(bytes.data(), bytes.size(), plan, error) ? "" : error;
}

trrt_plan_header headerOf(const Bytes &bytes) {
  trrt_plan_header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header;
}

void setHeader(Bytes &bytes, trrt_plan_header header) {
  std::memcpy(bytes.data(), &header, sizeof(header));
  header.header_crc32c = crc32c(bytes.data(), TRRT_PLAN_HEADER_BYTES - 4);
  std::memcpy(bytes.data(), &header, sizeof(header));
}

trrt_plan_section entryOf(const Bytes &bytes, size_t index) {
  trrt_plan_section entry;
  std::memcpy(&entry, bytes.data() + TRRT_PLAN_HEADER_BYTES + index * sizeof(entry), sizeof(entry));
  return entry;
}

// Changes one section entry and makes the checksums of table and header fit.
Bytes withEntry(Bytes bytes, size_t index, const std::function<void(trrt_plan_section &)> &change) {
  trrt_plan_section entry = entryOf(bytes, index);
  change(entry);
  std::memcpy(bytes.data() + TRRT_PLAN_HEADER_BYTES + index * sizeof(entry), &entry, sizeof(entry));
  trrt_plan_header header = headerOf(bytes);
  header.table_crc32c = crc32c(bytes.data() + TRRT_PLAN_HEADER_BYTES,
                               header.section_count * sizeof(trrt_plan_section));
  setHeader(bytes, header);
  return bytes;
}

Bytes withHeader(Bytes bytes, const std::function<void(trrt_plan_header &)> &change) {
  trrt_plan_header header = headerOf(bytes);
  change(header);
  setHeader(bytes, header);
  return bytes;
}

// A file of any sections, independent of the writer under test.
struct RawSection {
  uint32_t kind, flags, recordBytes;
  Bytes bytes;
};

std::vector<RawSection> splitSections(const Bytes &bytes) {
  std::vector<RawSection> sections;
  for (uint32_t i = 0; i < headerOf(bytes).section_count; ++i) {
    const trrt_plan_section e = entryOf(bytes, i);
    sections.push_back({e.kind, e.flags, e.record_bytes,
                        Bytes(bytes.begin() + e.offset, bytes.begin() + e.offset + e.bytes)});
  }
  return sections;
}

Bytes joinSections(const std::vector<RawSection> &sections) {
  Bytes file(TRRT_PLAN_HEADER_BYTES + sections.size() * sizeof(trrt_plan_section));
  for (size_t i = 0; i < sections.size(); ++i) {
    const RawSection &s = sections[i];
    file.resize((file.size() + 63) / 64 * 64);
    trrt_plan_section entry = {};
    entry.kind = s.kind;
    entry.flags = s.flags;
    entry.offset = file.size();
    entry.bytes = s.bytes.size();
    entry.record_bytes = s.recordBytes;
    entry.record_count = static_cast<uint32_t>(s.bytes.size() / s.recordBytes);
    entry.align_log2 = 6;
    std::memcpy(file.data() + TRRT_PLAN_HEADER_BYTES + i * sizeof(entry), &entry, sizeof(entry));
    file.insert(file.end(), s.bytes.begin(), s.bytes.end());
  }
  trrt_plan_header header = {};
  std::memcpy(header.magic, TRRT_PLAN_MAGIC, 8);
  header.format_major = TRRT_PLAN_FORMAT_MAJOR;
  header.header_bytes = TRRT_PLAN_HEADER_BYTES;
  header.file_bytes = file.size();
  header.section_count = static_cast<uint32_t>(sections.size());
  header.section_entry_bytes = sizeof(trrt_plan_section);
  std::memcpy(file.data(), &header, sizeof(header));
  tr::PlanImage::reseal(file);
  return file;
}

RawSection &sectionOf(std::vector<RawSection> &sections, uint32_t kind) {
  for (RawSection &s : sections)
    if (s.kind == kind)
      return s;
  throw std::logic_error("the sample lacks a section");
}

constexpr uint32_t kStrings = 1, kStringBytes = 2, kOps = 8, kTarget = 18, kLoc = 19;

} // namespace

TEST(PlanContainer, RoundTrip) {
  const tr::PlanImage image = samplePlan();
  const Bytes bytes = image.serialize();
  Plan plan;
  std::string error;
  ASSERT_TRUE(readPlan(bytes.data(), bytes.size(), plan, error)) << error;
  EXPECT_EQ(plan.model, "sample");
  EXPECT_EQ(plan.producer, "plan test");
  EXPECT_EQ(plan.backend, "cpu");
  EXPECT_EQ(plan.optimizer, "sgd");
  EXPECT_EQ(plan.slices, 2u);
  EXPECT_EQ(plan.arena_bytes, image.target.arena_bytes);
  ASSERT_EQ(plan.variants.size(), 2u);
  EXPECT_EQ(plan.variants[1].name, "val_base");
  EXPECT_EQ(plan.variants[1].batch, 2);
  EXPECT_FALSE(plan.variants[1].training);
  EXPECT_EQ(plan.variants[0].height, 5);
  EXPECT_EQ(plan.variants[0].width, 7);
  ASSERT_EQ(plan.tensors.size(), image.tensors.size());
  const uint32_t data = plan.findTensor("data_a");
  ASSERT_NE(data, kNone);
  EXPECT_EQ(plan.shape(data, 0), (Dims{3, 5, 7, 2}));
  EXPECT_EQ(plan.shape(data, 1), (Dims{2, 5, 7, 2}));
  EXPECT_EQ(plan.tensors[data].region, Region::IAData);
  ASSERT_EQ(plan.ops.size(), image.ops.size());
  EXPECT_EQ(plan.ops[1].opcode, trk::Opcode::conv_fwd);
  EXPECT_EQ(plan.ops[1].operands.size(), 4u);
  EXPECT_EQ(plan.ops[1].operands[0], data);
  EXPECT_EQ(plan.ops[1].attrs, (std::vector<uint64_t>{3, 3, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(plan.layers[plan.ops[1].layer].path, "0");
  EXPECT_EQ(plan.layers[1].file, "sample.bp");
  EXPECT_EQ(plan.layers[1].line, 3u);
  ASSERT_EQ(plan.schedules.size(), 2u);
  EXPECT_EQ(plan.schedules[0].kind, ScheduleKind::TrainA);
  EXPECT_EQ(plan.schedules[1].nodes.size(), 4u);
  EXPECT_EQ(plan.schedules[1].nodes[3].op, plan.schedules[1].nodes[2].op + 1);
  EXPECT_EQ(plan.schedules[1].edges.size(), 3u);
  EXPECT_EQ(plan.atlas.size(), 2u * TRRT_SUBGRAPH_COUNT);
  ASSERT_EQ(plan.params.size(), 5u);
  EXPECT_EQ(plan.params[0].name, "0.conv.weight");
  EXPECT_TRUE(plan.params[0].trainable);
  EXPECT_EQ(plan.params[0].init_scale, 0.25);
  EXPECT_EQ(plan.params[2].logical, (Dims{3, 5, 7, 4}));
  EXPECT_FALSE(plan.params[4].trainable);
  EXPECT_EQ(plan.params[4].grad, kNone);
}

TEST(PlanContainer, FindsByNameAndOnlyBaselineTensors) {
  const Bytes bytes = samplePlan().serialize();
  Plan plan;
  std::string error;
  ASSERT_TRUE(readPlan(bytes.data(), bytes.size(), plan, error)) << error;
  EXPECT_EQ(plan.findVariant("val_base"), 1u);
  EXPECT_EQ(plan.findVariant("val_last"), kNone);
  EXPECT_EQ(plan.tensors[plan.findTensor("momentum")].name, "momentum");
  EXPECT_EQ(plan.findTensor("dw"), kNone); // two layers have one
  EXPECT_EQ(plan.findTensor(""), kNone);
}

TEST(PlanContainer, EqualImagesGiveEqualBytes) {
  EXPECT_EQ(samplePlan().serialize(), samplePlan().serialize());
  tr::PlanImage other = samplePlan();
  other.attrs[2].bits = 2; // stride_h of the convolution
  const Bytes changed = other.serialize();
  EXPECT_NE(changed, samplePlan().serialize());
  EXPECT_NE(Bytes(changed.begin() + 32, changed.begin() + 48),
            Bytes(16)); // the content id is filled in
  EXPECT_NE(
      std::memcmp(headerOf(changed).content_id, headerOf(samplePlan().serialize()).content_id, 16),
      0);
}

TEST(PlanContainer, OtherMajorNamesBothFormats) {
  const std::string error = errorOf(
      withHeader(samplePlan().serialize(), [](trrt_plan_header &h) { h.format_major = 7; }));
  EXPECT_NE(error.find("made by format 7, this runtime reads 1"), std::string::npos) << error;
}

TEST(PlanContainer, NewerMinorIsRead) {
  EXPECT_EQ(errorOf(withHeader(samplePlan().serialize(),
                               [](trrt_plan_header &h) { h.format_minor = 99; })),
            "");
}

TEST(PlanContainer, Header) {
  const Bytes good = samplePlan().serialize();
  const struct {
    std::function<void(trrt_plan_header &)> change;
    const char *expected;
  } cases[] = {
      {[](auto &h) { h.magic[5] = '\n'; }, "not a plan file: expected it to start with "},
      {[](auto &h) { h.file_bytes += 1; }, "header, field file_bytes: expected "},
      {[](auto &h) { h.flags = 1; }, "header, field flags: expected 0, but got 1"},
      {[](auto &h) { h.min_runtime = 9 << 16 | 8 << 8 | 7; }, "needs runtime 9.8.7, this is 0.1.0"},
      {[](auto &h) { h.header_bytes = 63; },
       "header, field header_bytes: expected 64 or more inside the file, but got 63"},
      {[](auto &h) { h.header_bytes = 0xffffffff; }, "field header_bytes"},
      {[](auto &h) { h.section_entry_bytes = 47; },
       "header, field section_entry_bytes: expected 48 or more, but got 47"},
      {[](auto &h) { h.section_count = 65; },
       "header, field section_count: expected at most 64, but got 65"},
      {[](auto &h) { h.section_entry_bytes = 0xffffffff; },
       "section table: it ends outside the file"},
      {[](auto &h) { h.table_crc32c ^= 1; },
       "section table: the checksum does not match, the file is damaged"},
      {[](auto &h) { h.content_id[3] ^= 1; },
       "header, field content_id: it does not match the sections"},
  };
  for (const auto &c : cases) {
    const std::string error = errorOf(withHeader(good, c.change));
    EXPECT_NE(error.find(c.expected), std::string::npos) << c.expected << ": " << error;
  }
  Bytes damaged = good;
  damaged[60] ^= 1;
  EXPECT_NE(errorOf(damaged).find("header: the checksum does not match, the file is damaged"),
            std::string::npos);
  EXPECT_NE(errorOf({}).find("not a plan file: expected it to start with "), std::string::npos);
  EXPECT_NE(errorOf({good.begin(), good.begin() + 63})
                .find("header: expected 64 bytes, but the file has 63"),
            std::string::npos);
}

TEST(PlanContainer, SectionTable) {
  const Bytes good = samplePlan().serialize();
  const struct {
    std::function<void(trrt_plan_section &)> change;
    const char *expected;
  } cases[] = {
      {[](auto &s) { s.kind = 4; }, "a second section"},
      {[](auto &s) { s.kind = 999; }, "unknown section 999 that is not optional"},
      {[](auto &s) { s.kind = 999, s.flags = 1; }, "section table: there is no section OPS"},
      {[](auto &s) { s.flags = 2; }, "field flags"},
      {[](auto &s) { s.reserved = 5; }, "field reserved"},
      {[](auto &s) { s.align_log2 = 5; }, "field align_log2"},
      {[](auto &s) { s.align_log2 = 64; }, "field align_log2"},
      {[](auto &s) { s.offset += 64; }, "field offset"},
      {[](auto &s) { s.offset -= 64; }, "field offset"},
      {[](auto &s) { s.bytes = ~uint64_t{0}; }, "the section ends outside the file"},
      {[](auto &s) { s.record_count += 1; }, "field bytes"},
      {[](auto &s) { s.record_count = 0x80000000u, s.record_bytes = 0x80000000u; }, "field bytes"},
      {[](auto &s) { s.record_bytes /= 2, s.record_count *= 2; }, "field record_bytes"},
      {[](auto &s) { s.crc32c ^= 1; }, "section OPS: the checksum"},
  };
  size_t ops = 0;
  while (entryOf(good, ops).kind != kOps)
    ++ops;
  for (const auto &c : cases) {
    const std::string error = errorOf(withEntry(good, ops, c.change));
    EXPECT_NE(error.find(c.expected), std::string::npos) << c.expected << ": " << error;
  }
}

TEST(PlanContainer, EverySectionButLocationsIsRequired) {
  const std::vector<RawSection> all = splitSections(samplePlan().serialize());
  ASSERT_EQ(joinSections(all).size(), samplePlan().serialize().size());
  ASSERT_EQ(errorOf(joinSections(all)), "");
  for (size_t drop = 0; drop < all.size(); ++drop) {
    std::vector<RawSection> some = all;
    some.erase(some.begin() + drop);
    const std::string error = errorOf(joinSections(some));
    // Without locations, no layer may name one.
    const char *expected = all[drop].kind == kLoc ? "LAYERS record 0, field loc"
                                                  : "section table: there is no section ";
    EXPECT_NE(error.find(expected), std::string::npos) << error;
  }
}

TEST(PlanContainer, UnknownOptionalSectionAndLongerRecordsAreRead) {
  std::vector<RawSection> sections = splitSections(samplePlan().serialize());
  sections.push_back({4242, TRRT_PLAN_SECTION_OPTIONAL, 3, Bytes(9, 0xab)});
  RawSection &ops = sectionOf(sections, kOps);
  Bytes wider;
  for (size_t i = 0; i < ops.bytes.size(); i += ops.recordBytes) {
    wider.insert(wider.end(), ops.bytes.begin() + i, ops.bytes.begin() + i + ops.recordBytes);
    wider.insert(wider.end(), 5, 0xcd); // a column of a later minor
  }
  ops.bytes = wider;
  ops.recordBytes += 5;
  const Bytes bytes = joinSections(sections);
  Plan plan;
  std::string error;
  ASSERT_TRUE(readPlan(bytes.data(), bytes.size(), plan, error)) << error;
  EXPECT_EQ(plan.ops.size(), samplePlan().ops.size());
  EXPECT_EQ(plan.ops[1].opcode, trk::Opcode::conv_fwd);
}

TEST(PlanContainer, DamagedOptionalSection) {
  std::vector<RawSection> sections = splitSections(samplePlan().serialize());
  sections.push_back({4242, TRRT_PLAN_SECTION_OPTIONAL, 3, Bytes(9, 0xab)});
  const Bytes bytes =
      withEntry(joinSections(sections), sections.size() - 1, [](auto &s) { s.crc32c ^= 1; });
  EXPECT_NE(errorOf(bytes).find("section of unknown kind: the checksum does not match"),
            std::string::npos)
      << errorOf(bytes);
}

TEST(PlanContainer, ShorterRecordsOfMinor0AreRead) {
  tr::PlanImage image = samplePlan();
  image.target.isa = 2;
  image.ops[1].algorithm = 1;
  std::vector<RawSection> sections = splitSections(image.serialize());
  const auto shorten = [&](uint32_t kind, uint32_t to) {
    RawSection &section = sectionOf(sections, kind);
    Bytes narrow;
    for (size_t i = 0; i < section.bytes.size(); i += section.recordBytes)
      narrow.insert(narrow.end(), section.bytes.begin() + i, section.bytes.begin() + i + to);
    section.bytes = narrow;
    section.recordBytes = to;
  };
  shorten(kOps, 24);
  shorten(kTarget, 56);
  const Bytes bytes = joinSections(sections);
  Plan plan;
  std::string error;
  ASSERT_TRUE(readPlan(bytes.data(), bytes.size(), plan, error)) << error;
  EXPECT_EQ(plan.isa, trk::Isa::Any);
  ASSERT_EQ(plan.ops.size(), image.ops.size());
  EXPECT_EQ(plan.ops.back().opcode, static_cast<trk::Opcode>(image.ops.back().opcode));
  EXPECT_EQ(plan.ops[1].algorithm, trk::ConvAlgorithm::Auto);
  shorten(kOps, 23);
  EXPECT_NE(errorOf(joinSections(sections)).find("expected 24 or more for OPS, but got 23"),
            std::string::npos);
}

TEST(PlanContainer, PaddingIsZeroAndNothingFollows) {
  Bytes bytes = samplePlan().serialize();
  const trrt_plan_section first = entryOf(bytes, 0), second = entryOf(bytes, 1);
  ASSERT_LT(first.offset + first.bytes, second.offset);
  bytes[second.offset - 1] = 1;
  EXPECT_NE(errorOf(bytes).find("padding at byte"), std::string::npos);
  bytes = samplePlan().serialize();
  bytes.push_back(0);
  EXPECT_NE(errorOf(bytes).find("field file_bytes"), std::string::npos);
  bytes = withHeader(bytes, [&](trrt_plan_header &h) { h.file_bytes = bytes.size(); });
  EXPECT_NE(errorOf(bytes).find("section table: the sections end at byte "), std::string::npos);
}

TEST(PlanContainer, Strings) {
  const std::vector<RawSection> good = splitSections(samplePlan().serialize());
  auto changed = [&](size_t record, uint32_t offset, uint32_t bytes) {
    std::vector<RawSection> sections = good;
    const trrt_plan_string value = {offset, bytes};
    std::memcpy(sectionOf(sections, kStrings).bytes.data() + record * sizeof(value), &value,
                sizeof(value));
    return errorOf(joinSections(sections));
  };
  EXPECT_NE(changed(1, 1, 10).find("STRINGS record 1, field offset"), std::string::npos);
  EXPECT_NE(changed(0, 0, 1).find("STRINGS"), std::string::npos);
  EXPECT_NE(changed(1, 0, 4097).find("field bytes"), std::string::npos);
  EXPECT_NE(changed(1, 0, 0xffffffff).find("field bytes"), std::string::npos);
  std::vector<RawSection> sections = good;
  sectionOf(sections, kStringBytes).bytes.push_back('x');
  EXPECT_NE(errorOf(joinSections(sections)).find("STRING_BYTES"), std::string::npos);
  sections = good;
  sectionOf(sections, kStrings).bytes.clear();
  sectionOf(sections, kStringBytes).bytes.clear();
  EXPECT_NE(errorOf(joinSections(sections)).find("STRINGS record 0: expected the empty string"),
            std::string::npos);
}

TEST(PlanContainer, NamesAreUtf8WithoutControlCharacters) {
  const struct {
    const char *text;
    bool good;
  } cases[] = {
      {"plain", true},
      {"r\xc3\xa9seau", true},
      {"\xe2\x82\xac", true},
      {"\xf0\x9f\x98\x80", true},
      {"\xed\x9f\xbf", true},
      {"\xf4\x8f\xbf\xbf", true},
      {"a\nb", false},
      {"\x1b[31m", false},
      {"\x7f", false},
      {"\xc2\x9b", false}, // a control character in two bytes
      {"\x80", false},
      {"\xc0\xaf", false}, // overlong
      {"\xe0\x9f\xbf", false},
      {"\xf0\x8f\xbf\xbf", false},
      {"\xed\xa0\x80", false}, // surrogate
      {"\xf4\x90\x80\x80", false},
      {"\xf5\x80\x80\x80", false},
      {"\xe2\x82", false},
      {"\xe2\x28\xac", false},
      {"\xff", false},
  };
  for (const auto &c : cases) {
    tr::PlanImage image = samplePlan();
    image.meta.model = image.intern(c.text);
    const std::string error = errorOf(image.serialize());
    EXPECT_EQ(error.empty(), c.good) << testing::PrintToString(c.text) << " " << error;
    if (!c.good) {
      EXPECT_NE(error.find("UTF-8"), std::string::npos) << error;
    }
  }
}

TEST(PlanContainer, WriterReportsLimits) {
  tr::PlanImage image = samplePlan();
  EXPECT_EQ(image.limitError(), "");
  image.intern(std::string(4096, 'x'));
  EXPECT_EQ(image.limitError(), "");
  image.intern(std::string(4097, 'y'));
  EXPECT_NE(image.limitError().find("at most 4096 bytes in a name, but got 4097"),
            std::string::npos);
  image = samplePlan();
  image.ops.resize(TRRT_PLAN_MAX_OPS + 1);
  EXPECT_NE(image.limitError().find("at most 1000000 ops"), std::string::npos);
}

TEST(Crc32c, KnownValuesAndBothImplementationsAgree) {
  EXPECT_EQ(crc32cPortable("123456789", 9), 0xe3069283u);
  EXPECT_EQ(crc32c("123456789", 9), 0xe3069283u);
  EXPECT_EQ(crc32cPortable("", 0), 0u);
  const Bytes zeros(32, 0), ones(32, 0xff); // RFC 3720, B.4
  EXPECT_EQ(crc32cPortable(zeros.data(), 32), 0x8a9136aau);
  EXPECT_EQ(crc32cPortable(ones.data(), 32), 0x62a8ab43u);
  Bytes data(301);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<uint8_t>(i * 37 + 11);
  for (size_t offset = 0; offset < 9; ++offset)
    for (size_t size = 0; offset + size <= data.size(); ++size)
      ASSERT_EQ(crc32c(data.data() + offset, size), crc32cPortable(data.data() + offset, size));
}
