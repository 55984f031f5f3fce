// SPDX-License-Identifier: Apache-2.0
//
// The named checks of docs/plan-format.md, V01 to V60: a good plan that breaks exactly one
// of them is refused by it. The other plan tests try each check in all its forms.
#include "sample_plan.h"
#include "trf/crc32c.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

using namespace trf;
using namespace trf::test;

namespace {

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
  Bytes bytes = bytesOf(pooledPlan());
  ASSERT_EQ(errorOf(bytes), "");
  change(bytes);
  expect(check, bytes);
}

void breakRecords(const Check &check, const std::function<void(Draft &)> &change) {
  Draft draft = pooledPlan();
  change(draft);
  expect(check, bytesOf(draft));
}

void resealHeader(Bytes &bytes) {
  const uint32_t crc = crc32c(bytes.data(), 60);
  std::memcpy(bytes.data() + 60, &crc, sizeof(crc));
}

size_t entryAt(size_t index) { return TRF_HEADER_BYTES + index * sizeof(trf_section); }

// Changes a section's entry, and the checksums of table and header.
void changeEntry(Bytes &bytes, size_t index, const std::function<void(trf_section &)> &change) {
  trf_section entry;
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
  trf_section entry;
  std::memcpy(&entry, bytes.data() + entryAt(index), sizeof(entry));
  return entry.offset;
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
             [](Bytes &b) { changeEntry(b, 3, [](trf_section &s) { s.offset += 64; }); });
}

TEST(PlanChecks, V05_RecordsFillTheSection) {
  breakBytes({"V05", "field bytes"},
             [](Bytes &b) { changeEntry(b, 3, [](trf_section &s) { s.record_count += 1; }); });
}

TEST(PlanChecks, V06_SectionChecksum) {
  breakBytes({"V06", "section REGIONS: the checksum"},
             [](Bytes &b) { b[sectionOffset(b, 3)] ^= 1; });
}

TEST(PlanChecks, V07_EachSectionOnce) {
  breakBytes({"V07", "a second section"},
             [](Bytes &b) { changeEntry(b, 3, [](trf_section &s) { s.kind = 2; }); });
}

TEST(PlanChecks, V08_ReservedIsZero) {
  breakBytes({"V08", "field reserved: expected 0"},
             [](Bytes &b) { changeEntry(b, 3, [](trf_section &s) { s.reserved = 1; }); });
}

TEST(PlanChecks, V10_Strings) {
  breakBytes({"V10", "STRINGS record 1"}, [](Bytes &b) {
    b[sectionOffset(b, 1)] = '\n';
    reseal(b);
  });
}

TEST(PlanChecks, V11_Enumerations) {
  breakRecords({"V11", "OPS record 1, field opcode: there is no kernel op of this number"},
               [](Draft &p) { p.records.ops[1].opcode = 1; });
}

TEST(PlanChecks, V20_Dims) {
  breakRecords({"V20", "field dims: the tensor has too many bytes"}, [](Draft &p) {
    p.records.shapes[1] = {{0x7fffffff, 0x7fffffff, 0x7fffffff, 1}};
  });
}

TEST(PlanChecks, V21_BytesFitTheSlotInEachVariant) {
  // 257 values in a slot of 1,024 bytes, in the second variant only.
  breakRecords({"V21", "field dims: expected at most the slot's 1024 bytes, but got 1028"},
               [](Draft &p) {
                 p.records.shapes[0 * 2 + 1] = {{1, 1, 1, 257}};
                 p.records.tensors[0].slot_bytes = 1024;
               });
}

TEST(PlanChecks, V22_RegionsAndSlots) {
  breakRecords({"V22", "expected a slot inside the region's"},
               [](Draft &p) { p.records.tensors[findTensor(p, "loss")].offset += 256 * 100; });
  breakRecords({"V22", "the region starts before the previous one ends"},
               [](Draft &p) { p.records.regions[findRegion(p, {Role::Temp})].bytes -= 256; });
}

TEST(PlanChecks, V24_Parameters) {
  breakRecords({"V24", "PARAMS record 1, field tensor: expected a tensor that keeps its value"},
               [](Draft &p) {
                 const uint32_t probs = findTensor(p, "probs");
                 p.records.shapes[probs * 2] = p.records.shapes[probs * 2 + 1] = {{1, 1, 1, 4}};
                 p.records.params[1].tensor = probs;
                 p.records.params[1].grad = kNone;
               });
}

TEST(PlanChecks, V25_EqualShapeIdsMeanEqualShapes) {
  breakRecords({"V25", "VARIANTS record 1, field shape_id"},
               [](Draft &p) { p.records.variants[1].shape_id = 0; });
}

TEST(PlanChecks, V26_RunsOfChannels) {
  breakRecords({"V26", "field parent: expected a tensor that is no run of another one"},
               [](Draft &p) {
                 const uint32_t y = findTensor(p, "y");
                 p.records.tensors[y].parent = y;
               });
}

TEST(PlanChecks, V30_OperandsAreRecords) {
  breakRecords({"V30", "(fc_fwd), w: expected one of"},
               [](Draft &p) { operandOf(p, Opcode::fc_fwd, 1) = 0x7ffffff0; });
}

TEST(PlanChecks, V31_ShapesFollowFromTheOps) {
  breakRecords({"V31", "in variant train_base, y: expected 3x3x7x4, but got 3x5x7x4"},
               [](Draft &p) { p.records.attrs[2].bits = 2; }); // stride_h
}

TEST(PlanChecks, V32_Attributes) {
  breakRecords({"V32", "stride_h: expected 1 to"}, [](Draft &p) { p.records.attrs[2].bits = 0; });
}

TEST(PlanChecks, V33_RangesStayOutsideThePool) {
  breakRecords(
      {"V33", "(range_clear), dst: region 13 is pooled, so no range may hold it"}, [](Draft &p) {
        const uint32_t region = findRegion(p, {Role::Feature});
        p.records.ranges.push_back({region, region});
        addOp(p, Opcode::range_clear, {static_cast<uint32_t>(p.records.ranges.size() - 1)}, {});
      });
}

// An optimizer finds the gradient of a weight by its place in the range.
TEST(PlanChecks, V33_RangesOfAnOpHoldTheSameTensors) {
  const auto pick = [](Draft &p, const std::function<void(uint32_t, uint32_t)> &change) {
    const uint32_t region = findRegion(p, {Role::Gradient, Group::FcBias});
    std::vector<uint32_t> held;
    for (uint32_t id = 0; id < p.records.tensors.size(); ++id)
      if (p.records.tensors[id].region == region)
        held.push_back(id);
    ASSERT_EQ(held.size(), 2u);
    change(held[0], held[1]);
  };
  breakRecords({"V33", "(range_sgd), g: expected tensor 'db' to have the place and the shapes of "
                       "'b', its partner in w"},
               [&](Draft &p) {
                 pick(p, [&](uint32_t a, uint32_t b) {
                   std::swap(p.records.tensors[a].offset, p.records.tensors[b].offset);
                 });
               });
  breakRecords({"V33", "(range_sgd), g: expected 2 tensors, as many as w has, but got 3"},
               [&](Draft &p) {
                 trf_tensor more = {}; // in the second half of another one's slot
                 pick(p, [&](uint32_t a, uint32_t) {
                   p.records.tensors[a].slot_bytes = 256;
                   more = p.records.tensors[a];
                 });
                 more.offset += 256;
                 more.name = p.intern("more");
                 p.records.tensors.push_back(more);
                 for (size_t v = 0; v < p.records.variants.size(); ++v)
                   p.records.shapes.push_back({{1, 1, 1, 1}});
               });
}

TEST(PlanChecks, V34_Subgraphs) {
  breakRecords({"V34", "SUBGRAPHS record 1, field first_op"},
               [](Draft &p) { p.records.subgraphs[1].op_count = 0xffff; });
}

TEST(PlanChecks, V35_CapturesAreShapes) {
  breakRecords({"V35", "variants train_base and val_base share a capture, but have other shapes"},
               [](Draft &p) {
                 atlasEntry(p, 1, Subgraph::InfMainA).capture =
                     atlasEntry(p, 0, Subgraph::InfMainA).capture;
               });
}

TEST(PlanChecks, V36_VariantsHaveTheTensorsThatTheyUse) {
  breakRecords({"V36", "tensor 'y' has no shape in variant val_base, which runs the op"},
               [](Draft &p) { p.records.shapes[findTensor(p, "y") * 2 + 1] = {}; });
}

TEST(PlanChecks, V37_Algorithms) {
  breakRecords({"V37", "(conv_fwd), field algorithm: winograd expects stride_w 1, but got 2"},
               [](Draft &p) {
                 p.records.ops[1].algorithm = static_cast<uint32_t>(ConvAlgorithm::Winograd);
                 p.records.attrs[p.records.ops[1].first_attr + 3].bits = 2;
               });
}

TEST(PlanChecks, V39_SchedulesAreRunsOfNodes) {
  breakRecords({"V39", "SCHEDULE_EDGES record 1, field from"}, [](Draft &p) {
    p.records.scheduleEdges[1] = {2, 2};
  });
}

// V40 to V45 and V60 are tried in dataflow_test.cpp.
