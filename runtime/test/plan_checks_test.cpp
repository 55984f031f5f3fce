// SPDX-License-Identifier: Apache-2.0
//
// The named checks of docs/plan-format.md, V01 to V60: a good plan that breaks exactly one
// of them is refused by it. The other plan tests try each check in all its forms.
#include "base/crc32c.h"
#include "sample_plan.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

using namespace trrt;
using namespace trrt::test;
using trk::Opcode;

namespace {

using Bytes = std::vector<uint8_t>;
using Image = tr::PlanImage;

std::string errorOf(const Bytes &bytes) {
  Plan plan;
  std::string error;
  return readPlan(bytes.data(), bytes.size(), plan, error) ? "" : error;
}

struct Check {
  const char *id, *expected;
};

void expect(const Check &check, const Bytes &bytes) {
  const std::string error = errorOf(bytes);
  EXPECT_NE(error.find(check.expected), std::string::npos)
      << check.id << ": expected '" << check.expected << "' in '" << error << "'";
}

// The bytes changed, with checksums that fit.
void breakBytes(const Check &check, const std::function<void(Bytes &)> &change) {
  Bytes bytes = pooledPlan().serialize();
  ASSERT_EQ(errorOf(bytes), "");
  change(bytes);
  expect(check, bytes);
}

void breakImage(const Check &check, const std::function<void(Image &)> &change) {
  Image image = pooledPlan();
  change(image);
  expect(check, image.serialize());
}

void resealHeader(Bytes &bytes) {
  const uint32_t crc = crc32c(bytes.data(), 60);
  std::memcpy(bytes.data() + 60, &crc, sizeof(crc));
}

size_t entryAt(size_t index) { return TRRT_PLAN_HEADER_BYTES + index * sizeof(trrt_plan_section); }

// Changes a section's entry, and the checksums of table and header.
void changeEntry(Bytes &bytes, size_t index,
                 const std::function<void(trrt_plan_section &)> &change) {
  trrt_plan_section entry;
  std::memcpy(&entry, bytes.data() + entryAt(index), sizeof(entry));
  change(entry);
  std::memcpy(bytes.data() + entryAt(index), &entry, sizeof(entry));
  uint32_t sections;
  std::memcpy(&sections, bytes.data() + 24, sizeof(sections));
  const uint32_t crc = crc32c(bytes.data() + entryAt(0), sections * sizeof(entry));
  std::memcpy(bytes.data() + 56, &crc, sizeof(crc));
  resealHeader(bytes);
}

uint64_t sectionOffset(const Bytes &bytes, size_t index) {
  trrt_plan_section entry;
  std::memcpy(&entry, bytes.data() + entryAt(index), sizeof(entry));
  return entry.offset;
}

uint32_t &operandOf(Image &image, Opcode opcode, uint32_t position) {
  for (trrt_plan_op &op : image.ops)
    if (op.opcode == static_cast<uint32_t>(opcode))
      return image.operands[op.first_operand + position];
  throw std::logic_error("the sample lacks this op");
}

} // namespace

TEST(PlanChecks, V01_Magic) {
  breakBytes({"V01", "not a plan file"}, [](Bytes &b) { b[3] ^= 1; });
}

TEST(PlanChecks, V02_HeaderChecksum) {
  breakBytes({"V02", "header: the checksum"}, [](Bytes &b) { b[33] ^= 1; });
}

TEST(PlanChecks, V03_SectionTable) {
  breakBytes({"V03", "field section_count"}, [](Bytes &b) {
    b[24] = 65;
    resealHeader(b);
  });
}

TEST(PlanChecks, V04_PlaceOfASection) {
  breakBytes({"V04", "field offset"},
             [](Bytes &b) { changeEntry(b, 3, [](trrt_plan_section &s) { s.offset += 64; }); });
}

TEST(PlanChecks, V05_RecordsFillTheSection) {
  breakBytes({"V05", "field bytes"}, [](Bytes &b) {
    changeEntry(b, 3, [](trrt_plan_section &s) { s.record_count += 1; });
  });
}

TEST(PlanChecks, V06_SectionChecksum) {
  breakBytes({"V06", "section REGIONS: the checksum"},
             [](Bytes &b) { b[sectionOffset(b, 3)] ^= 1; });
}

TEST(PlanChecks, V07_EachSectionOnce) {
  breakBytes({"V07", "a second section"},
             [](Bytes &b) { changeEntry(b, 3, [](trrt_plan_section &s) { s.kind = 2; }); });
}

TEST(PlanChecks, V08_ReservedIsZero) {
  breakBytes({"V08", "field reserved: expected 0"},
             [](Bytes &b) { changeEntry(b, 3, [](trrt_plan_section &s) { s.reserved = 1; }); });
}

TEST(PlanChecks, V10_Strings) {
  breakBytes({"V10", "STRINGS record 1"}, [](Bytes &b) {
    b[sectionOffset(b, 1)] = '\n';
    Image::reseal(b);
  });
}

TEST(PlanChecks, V11_Enumerations) {
  breakImage({"V11", "OPS record 1, field opcode: expected one of"},
             [](Image &p) { p.ops[1].opcode = trk::kOpCount; });
}

TEST(PlanChecks, V20_Dims) {
  breakImage({"V20", "field dims: the tensor has too many bytes"}, [](Image &p) {
    p.shapes[1] = {{0x7fffffff, 0x7fffffff, 0x7fffffff, 1}};
  });
}

TEST(PlanChecks, V21_BytesFitTheSlotInEachVariant) {
  // 257 values in a slot of 1,024 bytes, in the second variant only.
  breakImage({"V21", "field dims: expected at most the slot's 1024 bytes, but got 1028"},
             [](Image &p) {
               p.shapes[0 * 2 + 1] = {{1, 1, 1, 257}};
               p.tensors[0].slot_bytes = 1024;
             });
}

TEST(PlanChecks, V22_RegionsAndSlots) {
  breakImage({"V22", "the slot ends outside its region"},
             [](Image &p) { p.tensors[findTensor(p, "loss")].offset += 256 * 100; });
  breakImage({"V22", "the region starts before the previous one ends"},
             [](Image &p) { p.regions[static_cast<size_t>(Region::SMask)].bytes -= 256; });
}

TEST(PlanChecks, V24_Parameters) {
  breakImage({"V24", "PARAMS record 1, field tensor: expected a tensor that keeps its value"},
             [](Image &p) {
               const uint32_t probs = findTensor(p, "probs");
               p.shapes[probs * 2] = p.shapes[probs * 2 + 1] = {{1, 1, 1, 4}};
               p.params[1].tensor = probs;
               p.params[1].grad = kNone;
             });
}

TEST(PlanChecks, V25_EqualShapeIdsMeanEqualShapes) {
  breakImage({"V25", "VARIANTS record 1, field shape_id"},
             [](Image &p) { p.variants[1].shape_id = 0; });
}

TEST(PlanChecks, V30_OperandsAreRecords) {
  breakImage({"V30", "(fc_fwd), w: expected one of"},
             [](Image &p) { operandOf(p, Opcode::fc_fwd, 1) = 0x7ffffff0; });
}

TEST(PlanChecks, V31_ShapesFollowFromTheOps) {
  breakImage({"V31", "in variant train_base, y: expected 3x3x7x4, but got 3x5x7x4"},
             [](Image &p) { p.attrs[2].bits = 2; }); // stride_h
}

TEST(PlanChecks, V32_Attributes) {
  breakImage({"V32", "stride_h: expected 1 to"}, [](Image &p) { p.attrs[2].bits = 0; });
}

TEST(PlanChecks, V33_RangesStayOutsideThePool) {
  breakImage({"V33", "(range_clear), dst: region 53 is pooled, so no range may hold it"},
             [](Image &p) {
               const uint32_t region = static_cast<uint32_t>(Region::FFeatureFp32);
               p.ranges.push_back({region, region});
               p.addOp(static_cast<uint32_t>(Opcode::range_clear),
                       {static_cast<uint32_t>(p.ranges.size() - 1)}, {});
             });
}

TEST(PlanChecks, V34_Subgraphs) {
  breakImage({"V34", "SUBGRAPHS record 1, field first_op"},
             [](Image &p) { p.subgraphs[1].op_count = 0xffff; });
}

TEST(PlanChecks, V35_CapturesAreShapes) {
  breakImage({"V35", "variants train_base and val_base share a capture, but have other shapes"},
             [](Image &p) {
               const uint32_t id = static_cast<uint32_t>(Subgraph::InfMainA);
               p.atlas[TRRT_SUBGRAPH_COUNT + id].capture = p.atlas[id].capture;
             });
}

TEST(PlanChecks, V36_VariantsHaveTheTensorsThatTheyUse) {
  breakImage({"V36", "tensor 'y' has no shape in variant val_base, which runs the op"},
             [](Image &p) { p.shapes[findTensor(p, "y") * 2 + 1] = {}; });
}

TEST(PlanChecks, V37_Algorithms) {
  breakImage({"V37", "(conv_fwd), field algorithm: winograd expects stride_w 1, but got 2"},
             [](Image &p) {
               p.ops[1].algorithm = static_cast<uint32_t>(trk::ConvAlgorithm::Winograd);
               p.attrs[p.ops[1].first_attr + 3].bits = 2;
             });
}

TEST(PlanChecks, V39_SchedulesAreRunsOfNodes) {
  breakImage({"V39", "SCHEDULE_EDGES record 1, field from"}, [](Image &p) {
    p.scheduleEdges[1] = {2, 2};
  });
}

// V40 to V45 and V60 are tried in plan_dataflow_test.cpp.
