// SPDX-License-Identifier: Apache-2.0
//
// The container of a plan file. A PlanImage holds the records of every section as
// the file stores them; serialize() lays them out and parse() reads them back. No
// LLVM in here, so that the runtime's tests can make plans too.
#ifndef RENAISSANCE_TARGET_PLANBINARY_PLANWRITER_H
#define RENAISSANCE_TARGET_PLANBINARY_PLANWRITER_H

#include "trrt/plan_format.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tr {

// One plan in records. Fill the vectors in any order; references between records
// are positions in these vectors, names are indices returned by intern().
struct PlanImage {
  std::vector<trrt_plan_variant> variants;
  std::vector<trrt_plan_region> regions; // record k describes region k, all of them
  std::vector<trrt_plan_tensor> tensors;
  std::vector<trrt_plan_shape> shapes; // [tensor * variants + variant]
  std::vector<trrt_plan_subgraph> subgraphs;
  std::vector<trrt_plan_op> ops;
  std::vector<uint32_t> operands;
  std::vector<trrt_plan_attr> attrs;
  std::vector<trrt_plan_range> ranges;
  std::vector<trrt_plan_schedule> schedules;
  std::vector<trrt_plan_schedule_node> scheduleNodes;
  std::vector<trrt_plan_edge> scheduleEdges;
  std::vector<trrt_plan_atlas_entry> atlas; // [variant * TRRT_SUBGRAPH_COUNT + subgraph]
  std::vector<trrt_plan_param> params;
  std::vector<trrt_plan_fusion> fusions;
  trrt_plan_target target = {};
  std::vector<trrt_plan_loc> locs;
  std::vector<trrt_plan_layer> layers;
  trrt_plan_meta meta = {};

  PlanImage();

  // The index of `text` in the string table, added on first use. "" is always 0.
  // Makes room for so many different strings.
  void reserveStrings(size_t count) { stringIndex.reserve(count); }
  uint32_t intern(std::string_view text);

  // Append one op, its operands and its attributes; returns its record.
  uint32_t addOp(uint32_t opcode, const std::vector<uint32_t> &operandIds,
                 const std::vector<uint64_t> &attrBits, uint32_t layer = TRRT_PLAN_NONE);
  // The bits of ATTRS for the two attribute kinds.
  static uint64_t intAttr(int64_t value);
  static uint64_t floatAttr(double value);

  // Empty, or one line that says which format limit the image exceeds (length of
  // a string, number of ops or operands). serialize() expects it to be empty.
  std::string limitError() const;

  // The bytes of the file, equal for equal images.
  std::vector<uint8_t> serialize() const;

  // Reads the container: sizes, checksums, strides and string bounds are checked,
  // what the records mean is not. On failure returns false and one line in `error`.
  static bool parse(const uint8_t *bytes, size_t size, PlanImage &image, std::string &error);

  // The last step of serialize(): fills in every checksum and the content id.
  // The header and the section table must be in range already.
  static void reseal(std::vector<uint8_t> &bytes);

  const std::vector<std::string> &strings() const { return stringTable; }

private:
  std::vector<std::string> stringTable;
  std::unordered_map<std::string, uint32_t> stringIndex;
};

} // namespace tr

#endif // RENAISSANCE_TARGET_PLANBINARY_PLANWRITER_H
