// SPDX-License-Identifier: Apache-2.0
//
// The outer form of plan files: round trip, versions, header, section table,
// strings, checksums.
#include "plan_file.h"
#include "sample_plan.h"
#include "trf/crc32c.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

using namespace trf;
using namespace trf::test;

namespace {

trf_header headerOf(const Bytes &bytes) {
  trf_header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header;
}

void setHeader(Bytes &bytes, trf_header header) {
  std::memcpy(bytes.data(), &header, sizeof(header));
  header.header_crc32c = crc32c(bytes.data(), TRF_HEADER_BYTES - 4);
  std::memcpy(bytes.data(), &header, sizeof(header));
}

trf_section entryOf(const Bytes &bytes, size_t index) {
  trf_section entry;
  std::memcpy(&entry, bytes.data() + TRF_HEADER_BYTES + index * sizeof(entry), sizeof(entry));
  return entry;
}

// Changes one section entry and makes the checksums of table and header fit.
Bytes withEntry(Bytes bytes, size_t index, const std::function<void(trf_section &)> &change) {
  trf_section entry = entryOf(bytes, index);
  change(entry);
  std::memcpy(bytes.data() + TRF_HEADER_BYTES + index * sizeof(entry), &entry, sizeof(entry));
  trf_header header = headerOf(bytes);
  header.table_crc32c =
      crc32c(bytes.data() + TRF_HEADER_BYTES, header.section_count * sizeof(trf_section));
  setHeader(bytes, header);
  return bytes;
}

Bytes withHeader(Bytes bytes, const std::function<void(trf_header &)> &change) {
  trf_header header = headerOf(bytes);
  change(header);
  setHeader(bytes, header);
  return bytes;
}

PlanFile splitFile(const Draft &draft) {
  const Bytes bytes = bytesOf(draft);
  PlanFile file;
  if (!PlanFile::split(bytes.data(), bytes.size(), file))
    throw std::logic_error("the writer makes no file");
  return file;
}

PlanFile::Section &sectionOf(PlanFile &file, Section kind) {
  for (PlanFile::Section &s : file.sections)
    if (s.kind == static_cast<uint32_t>(kind))
      return s;
  throw std::logic_error("the sample lacks a section");
}

// A section that no reader knows.
PlanFile::Section unknownSection() { return {4242, TRF_SECTION_OPTIONAL, 3, 6, Bytes(9, 0xab)}; }

} // namespace

TEST(PlanContainer, RoundTrip) {
  const Draft draft = samplePlan();
  const Plan plan = *readDraft(draft);
  EXPECT_EQ(plan.model, "sample");
  EXPECT_EQ(plan.producer, "plan test");
  EXPECT_EQ(plan.target, Target::CpuAny);
  EXPECT_EQ(plan.precision, Precision::FP32);
  EXPECT_EQ(plan.optimizer, Optimizer::SGD);
  EXPECT_EQ(plan.slices, 2u);
  EXPECT_EQ(plan.arena_bytes, draft.records.target[0].arena_bytes);
  ASSERT_EQ(plan.variants.size(), 2u);
  EXPECT_EQ(plan.variants[1].name, "val_base");
  EXPECT_EQ(plan.variants[1].batch, 2);
  EXPECT_FALSE(plan.variants[1].training);
  EXPECT_EQ(plan.variants[0].height, 5);
  EXPECT_EQ(plan.variants[0].width, 7);
  ASSERT_EQ(plan.tensors.size(), draft.records.tensors.size());
  const uint32_t data = plan.findTensor(SharedTensor::DataA);
  ASSERT_NE(data, kNone);
  EXPECT_EQ(plan.shape(data, 0), (Dims{3, 5, 7, 2}));
  EXPECT_EQ(plan.shape(data, 1), (Dims{2, 5, 7, 2}));
  const RegionInfo &region = plan.regionOf(plan.tensors[data]);
  EXPECT_TRUE(region.region == Region{Role::DataA});
  EXPECT_EQ(region.dtype, DType::F32);
  EXPECT_EQ(region.name(), "i_a_data");
  EXPECT_EQ(plan.findRegion({Role::DataA}, DType::F32), plan.tensors[data].region);
  EXPECT_EQ(plan.findRegion({Role::DataB}, DType::F32), kNone);
  ASSERT_EQ(plan.ops.size(), draft.records.ops.size());
  EXPECT_EQ(plan.ops[1].opcode, Opcode::conv_fwd);
  EXPECT_EQ(plan.ops[1].operands.size(), 4u);
  EXPECT_EQ(plan.ops[1].operands[0], data);
  const auto attrs = readAttrs<ops::conv_fwd::Attrs>(plan.ops[1].attrs.data());
  // The file has nine; the others have the values of calls without them.
  EXPECT_EQ(draft.records.ops[1].attr_count, 9u);
  EXPECT_EQ(plan.ops[1].attrs.size(), 11u);
  EXPECT_EQ(attrs.pad_more_w, 0);
  EXPECT_EQ(attrs.kernel_h, 3);
  EXPECT_EQ(attrs.stride_h, 1);
  EXPECT_EQ(attrs.groups, 1);
  EXPECT_EQ(plan.layers[plan.ops[1].layer].path, "0");
  EXPECT_EQ(plan.layers[1].file, "sample.bp");
  EXPECT_EQ(plan.layers[1].line, 3u);
  ASSERT_EQ(plan.schedules.size(), 2u);
  EXPECT_EQ(plan.schedules[0].kind, Schedule::TrainA);
  EXPECT_EQ(plan.schedules[1].nodes.size(), 4u);
  EXPECT_EQ(plan.schedules[1].nodes[3].op, plan.schedules[1].nodes[2].op + 1);
  EXPECT_EQ(plan.schedules[1].edges.size(), 3u);
  EXPECT_EQ(plan.atlas.size(), 2u * kCount<Subgraph>);
  ASSERT_EQ(plan.params.size(), 5u);
  EXPECT_EQ(plan.params[0].name, "0.conv.weight");
  EXPECT_TRUE(plan.params[0].trainable);
  EXPECT_EQ(plan.params[0].init_scale, 0.25);
  EXPECT_EQ(plan.params[2].logical, (Dims{3, 5, 7, 4}));
  EXPECT_FALSE(plan.params[4].trainable);
  EXPECT_EQ(plan.params[4].grad, kNone);
}

TEST(PlanContainer, FindsByNameAndOnlySharedTensors) {
  const Plan plan = *readDraft(samplePlan());
  EXPECT_EQ(plan.findVariant("val_base"), 1u);
  EXPECT_EQ(plan.findVariant("val_last"), kNone);
  EXPECT_EQ(plan.tensors[plan.findTensor("momentum")].name, "momentum");
  EXPECT_EQ(plan.findTensor("dw"), kNone); // two layers have one
  EXPECT_EQ(plan.findTensor(""), kNone);
}

TEST(PlanContainer, EqualRecordsGiveEqualBytes) {
  EXPECT_EQ(bytesOf(samplePlan()), bytesOf(samplePlan()));
  Draft other = samplePlan();
  other.records.attrs[2].bits = 2; // stride_h of the convolution
  const Bytes changed = bytesOf(other);
  EXPECT_NE(changed, bytesOf(samplePlan()));
  EXPECT_NE(Bytes(changed.begin() + 32, changed.begin() + 48),
            Bytes(16)); // the content id is filled in
  EXPECT_NE(
      std::memcmp(headerOf(changed).content_id, headerOf(bytesOf(samplePlan())).content_id, 16), 0);
}

TEST(PlanContainer, OtherMajorNamesBothFormats) {
  const std::string error =
      errorOf(withHeader(bytesOf(samplePlan()), [](trf_header &h) { h.format_major = 7; }));
  EXPECT_NE(error.find("made by format 7, this runtime reads 2; compile the model again"),
            std::string::npos)
      << error;
}

TEST(PlanContainer, NewerMinorIsRead) {
  EXPECT_EQ(errorOf(withHeader(bytesOf(samplePlan()), [](trf_header &h) { h.format_minor = 99; })),
            "");
}

TEST(PlanContainer, Header) {
  const Bytes good = bytesOf(samplePlan());
  const struct {
    std::function<void(trf_header &)> change;
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
  EXPECT_NE(errorOf(Bytes{}).find("not a plan file: expected it to start with "),
            std::string::npos);
  EXPECT_NE(errorOf(Bytes(good.begin(), good.begin() + 63))
                .find("header: expected 64 bytes, but the file has 63"),
            std::string::npos);
}

TEST(PlanContainer, SectionTable) {
  const Bytes good = bytesOf(samplePlan());
  const struct {
    std::function<void(trf_section &)> change;
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
  while (entryOf(good, ops).kind != static_cast<uint32_t>(Section::Ops))
    ++ops;
  for (const auto &c : cases) {
    const std::string error = errorOf(withEntry(good, ops, c.change));
    EXPECT_NE(error.find(c.expected), std::string::npos) << c.expected << ": " << error;
  }
}

TEST(PlanContainer, EverySectionButLocationsIsRequired) {
  const PlanFile all = splitFile(samplePlan());
  ASSERT_EQ(all.join(), bytesOf(samplePlan()));
  for (size_t drop = 0; drop < all.sections.size(); ++drop) {
    PlanFile some = all;
    some.sections.erase(some.sections.begin() + static_cast<std::ptrdiff_t>(drop));
    const std::string error = errorOf(some.join());
    // Without locations, no layer may name one.
    const bool isLoc = all.sections[drop].kind == static_cast<uint32_t>(Section::Loc);
    const char *expected =
        isLoc ? "LAYERS record 0, field loc" : "section table: there is no section ";
    EXPECT_NE(error.find(expected), std::string::npos) << error;
  }
}

TEST(PlanContainer, UnknownOptionalSectionAndLongerRecordsAreRead) {
  PlanFile file = splitFile(samplePlan());
  file.sections.push_back(unknownSection());
  PlanFile::Section &ops = sectionOf(file, Section::Ops);
  Bytes wider;
  for (size_t i = 0; i < ops.bytes.size(); i += ops.recordBytes) {
    wider.insert(wider.end(), ops.bytes.begin() + i, ops.bytes.begin() + i + ops.recordBytes);
    wider.insert(wider.end(), 5, 0xcd); // a column of a later minor
  }
  ops.bytes = wider;
  ops.recordBytes += 5;
  const Bytes bytes = file.join();
  Plan plan;
  std::string error;
  ASSERT_TRUE(readPlan(bytes.data(), bytes.size(), plan, error)) << error;
  EXPECT_EQ(plan.ops.size(), samplePlan().records.ops.size());
  EXPECT_EQ(plan.ops[1].opcode, Opcode::conv_fwd);
}

TEST(PlanContainer, DamagedOptionalSection) {
  PlanFile file = splitFile(samplePlan());
  file.sections.push_back(unknownSection());
  const Bytes bytes =
      withEntry(file.join(), file.sections.size() - 1, [](auto &s) { s.crc32c ^= 1; });
  EXPECT_NE(errorOf(bytes).find("section of unknown kind: the checksum does not match"),
            std::string::npos)
      << errorOf(bytes);
}

TEST(PlanContainer, RecordsShorterThanTheFirstMinorsAreRefused) {
  PlanFile file = splitFile(samplePlan());
  PlanFile::Section &ops = sectionOf(file, Section::Ops);
  ASSERT_EQ(ops.recordBytes, sizeof(trf_op));
  Bytes narrow;
  for (size_t i = 0; i < ops.bytes.size(); i += ops.recordBytes)
    narrow.insert(narrow.end(), ops.bytes.begin() + i, ops.bytes.begin() + i + 31);
  ops.bytes = narrow;
  ops.recordBytes = 31;
  EXPECT_NE(errorOf(file.join()).find("expected 32 or more for OPS, but got 31"),
            std::string::npos);
}

TEST(PlanContainer, PaddingIsZeroAndNothingFollows) {
  Bytes bytes = bytesOf(samplePlan());
  const trf_section first = entryOf(bytes, 0), second = entryOf(bytes, 1);
  ASSERT_LT(first.offset + first.bytes, second.offset);
  bytes[second.offset - 1] = 1;
  EXPECT_NE(errorOf(bytes).find("padding at byte"), std::string::npos);
  bytes = bytesOf(samplePlan());
  bytes.push_back(0);
  EXPECT_NE(errorOf(bytes).find("field file_bytes"), std::string::npos);
  bytes = withHeader(bytes, [&](trf_header &h) { h.file_bytes = bytes.size(); });
  EXPECT_NE(errorOf(bytes).find("section table: the sections end at byte "), std::string::npos);
}

TEST(PlanContainer, Strings) {
  const PlanFile good = splitFile(samplePlan());
  auto changed = [&](size_t record, uint32_t offset, uint32_t bytes) {
    PlanFile file = good;
    const trf_string value = {offset, bytes};
    std::memcpy(sectionOf(file, Section::Strings).bytes.data() + record * sizeof(value), &value,
                sizeof(value));
    return errorOf(file.join());
  };
  EXPECT_NE(changed(1, 1, 10).find("STRINGS record 1, field offset"), std::string::npos);
  EXPECT_NE(changed(0, 0, 1).find("STRINGS"), std::string::npos);
  EXPECT_NE(changed(1, 0, 4097).find("field bytes"), std::string::npos);
  EXPECT_NE(changed(1, 0, 0xffffffff).find("field bytes"), std::string::npos);
  PlanFile file = good;
  sectionOf(file, Section::StringBytes).bytes.push_back('x');
  EXPECT_NE(errorOf(file.join()).find("STRING_BYTES"), std::string::npos);
  file = good;
  sectionOf(file, Section::Strings).bytes.clear();
  sectionOf(file, Section::StringBytes).bytes.clear();
  EXPECT_NE(errorOf(file.join()).find("STRINGS record 0: expected the empty string"),
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
    Draft draft = samplePlan();
    draft.records.meta[0].model = draft.intern(c.text);
    const std::string error = errorOf(draft);
    EXPECT_EQ(error.empty(), c.good) << testing::PrintToString(c.text) << " " << error;
    if (!c.good) {
      EXPECT_NE(error.find("UTF-8"), std::string::npos) << error;
    }
  }
}

TEST(PlanContainer, WriterReportsLimits) {
  const auto faultOf = [](const Draft &draft) {
    return messageOf([&] { makePlan(draft.records); });
  };
  Draft draft = samplePlan();
  EXPECT_EQ(faultOf(draft), "");
  draft.intern(std::string(4096, 'x'));
  EXPECT_EQ(faultOf(draft), "");
  const uint32_t last = draft.intern(std::string(4097, 'y'));
  EXPECT_EQ(faultOf(draft), "STRINGS record " + std::to_string(last) +
                                ", field bytes: expected 0 to 4096, but got 4097");
  draft = samplePlan();
  draft.records.ops.resize(TRF_MAX_OPS + 1);
  EXPECT_EQ(faultOf(draft), "OPS: expected 0 to 1000000 records, but got 1000001");
}

// What is found in records before they are a file is what is found in the file.
TEST(PlanContainer, RecordsAndFilesAreRefusedAlike) {
  Draft draft = samplePlan();
  draft.records.tensors[0].name = draft.intern("tab\there");
  const std::string fault = messageOf([&] { makePlan(draft.records); });
  EXPECT_NE(fault.find("expected UTF-8 text without control characters"), std::string::npos);
  EXPECT_EQ(fault, errorOf(draft));
}

// The place of a fault, for those who know what the records were made of.
TEST(PlanContainer, FaultsHaveAPlace) {
  const auto faultOf = [](const Draft &draft) {
    return findFault(draft.records).value_or(FormatError("none"));
  };
  Draft draft = samplePlan();
  EXPECT_FALSE(findFault(draft.records));
  draft.records.tensors[3].layer = 99;
  FormatError error = faultOf(draft);
  ASSERT_EQ(error.places.size(), 1u);
  EXPECT_EQ(placeText(error.places[0]), "TENSORS record 3");
  EXPECT_EQ(error.fault, "layer: expected one of 2 layers, but got 99");
  draft = samplePlan();
  draft.records.atlas.pop_back();
  error = faultOf(draft);
  ASSERT_EQ(error.places.size(), 1u);
  EXPECT_EQ(error.places[0].record, Place::kWhole);
  EXPECT_EQ(placeText(error.places[0]), "ATLAS");
  EXPECT_EQ(placeText({Section{}, 2}), "section table record 2");
  draft = samplePlan();
  draft.records.scheduleEdges[1].from = 0; // node 2 hangs below node 0, no longer below node 1
  error = faultOf(draft);
  ASSERT_GE(error.places.size(), 2u) << error.what();
  EXPECT_EQ(placeText(error.places[0]), "SCHEDULES record 0");
  EXPECT_EQ(error.places[1].section, Section::Ops);
}
