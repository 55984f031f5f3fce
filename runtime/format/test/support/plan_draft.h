// SPDX-License-Identifier: Apache-2.0
//
// Plans under construction: what tests do with records before and after they are a file.
#ifndef TRF_TEST_PLAN_DRAFT_H
#define TRF_TEST_PLAN_DRAFT_H

#include "trf/plan.h"
#include "trf/plan_records.h"

#include <memory>
#include <string>
#include <vector>

namespace trf::test {

// A plan that a test still changes.
using Draft = RecordBuilder;
using Bytes = std::vector<uint8_t>;

inline Bytes bytesOf(const Draft &draft) { return writeRecords(draft.records); }

// Why a reader refuses the file; empty: it does not.
std::string errorOf(const Bytes &bytes);
std::string errorOf(const Draft &draft);
// The message of the exception that `body` throws; empty: it throws none.
template <typename F> std::string messageOf(F &&body) {
  try {
    body();
  } catch (const std::exception &failure) {
    return failure.what();
  }
  return "";
}
// The plan written, read back and verified; throws FormatError where it is refused.
std::shared_ptr<Plan> readDraft(const Draft &draft);

// The bits of ATTRS for the two kinds of attributes.
uint64_t intBits(int64_t value);
uint64_t realBits(double value);

uint32_t addOp(Draft &draft, Opcode opcode, const std::vector<uint32_t> &operands,
               const std::vector<uint64_t> &attrs = {}, uint32_t layer = kNone);
// The first op of this kind, and one of its operands.
uint32_t findOp(const Draft &draft, Opcode opcode);
uint32_t &operandOf(Draft &draft, Opcode opcode, uint32_t position);
uint32_t findTensor(const Draft &draft, const std::string &name);
// The record of a region, of one element type or pooled.
uint32_t findRegion(const Draft &draft, Region region);
// Entry of the atlas.
trf_atlas_entry &atlasEntry(Draft &draft, size_t variant, Subgraph subgraph);

} // namespace trf::test

#endif // TRF_TEST_PLAN_DRAFT_H
