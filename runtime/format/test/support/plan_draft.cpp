// SPDX-License-Identifier: Apache-2.0
//
// Drafts as files, and the records of a draft by name.
#include "plan_draft.h"

#include <cstring>
#include <stdexcept>

namespace trf::test {

std::string errorOf(const Bytes &bytes) {
  Plan plan;
  std::string error;
  return readPlan(bytes.data(), bytes.size(), plan, error) ? "" : error;
}

std::string errorOf(const Draft &draft) { return errorOf(bytesOf(draft)); }

std::shared_ptr<Plan> readDraft(const Draft &draft) {
  const Bytes bytes = bytesOf(draft);
  return std::make_shared<Plan>(makePlan(readRecords(bytes.data(), bytes.size())));
}

uint64_t intBits(int64_t value) { return static_cast<uint64_t>(value); }

uint64_t realBits(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

uint32_t addOp(Draft &draft, Opcode opcode, const std::vector<uint32_t> &operands,
               const std::vector<uint64_t> &attrs, uint32_t layer) {
  trf_op op = {};
  op.opcode = static_cast<uint32_t>(opcode);
  op.layer = layer;
  return draft.addOp(op, operands, attrs);
}

uint32_t findOp(const Draft &draft, Opcode opcode) {
  for (uint32_t i = 0; i < draft.records.ops.size(); ++i)
    if (draft.records.ops[i].opcode == static_cast<uint32_t>(opcode))
      return i;
  throw std::logic_error("the plan lacks this op");
}

uint32_t &operandOf(Draft &draft, Opcode opcode, uint32_t position) {
  const trf_op &op = draft.records.ops[findOp(draft, opcode)];
  return draft.records.operands[op.first_operand + position];
}

uint32_t findTensor(const Draft &draft, const std::string &name) {
  for (uint32_t i = 0; i < draft.records.tensors.size(); ++i)
    if (draft.records.text(draft.records.tensors[i].name) == name)
      return i;
  throw std::logic_error("the plan lacks this tensor");
}

uint32_t findRegion(const Draft &draft, Region region) {
  for (uint32_t i = 0; i < draft.records.regions.size(); ++i)
    if (draft.records.regions[i].role == static_cast<uint32_t>(region.role) &&
        draft.records.regions[i].group == static_cast<uint32_t>(region.group))
      return i;
  throw std::logic_error("the plan lacks this region");
}

trf_atlas_entry &atlasEntry(Draft &draft, size_t variant, Subgraph subgraph) {
  return draft.records.atlas[variant * kCount<Subgraph> + static_cast<size_t>(subgraph)];
}

} // namespace trf::test
