// SPDX-License-Identifier: Apache-2.0
//
// Range ops walk whole regions side by side (check V33 of docs/plan-format.md): an optimizer that
// updates all weights at once takes each one's gradient and moment by its place.
#include "ranges.h"

#include "trf/plan_records.h"

#include <algorithm>

namespace trf {

namespace {

class RangeVerifier {
public:
  explicit RangeVerifier(const Plan &plan) : plan(plan), held(plan.regions.size()) {
    for (uint32_t id = 0; id < plan.tensors.size(); ++id)
      if (plan.tensors[id].parent == kNone)
        held[plan.tensors[id].region].push_back(id);
    for (std::vector<uint32_t> &tensors : held)
      std::sort(tensors.begin(), tensors.end(), [&](uint32_t a, uint32_t b) {
        return plan.tensors[a].offset < plan.tensors[b].offset;
      });
  }

  void check(uint32_t index) const;

private:
  [[noreturn]] void reject(uint32_t index, size_t operand, const std::string &fault) const {
    const OpInfo &info = plan.ops[index].info();
    throw FormatError(
        {Section::Ops, index},
        " (" + std::string(info.name) + "), " + std::string(info.operands[operand].name), fault);
  }
  void requireKept(uint32_t index, size_t operand) const;
  void requireAlike(uint32_t index, size_t first, size_t second) const;
  bool haveEqualShapes(uint32_t a, uint32_t b) const;
  std::vector<uint32_t> tensorsOf(const Range &range) const;

  const Plan &plan;
  std::vector<std::vector<uint32_t>> held; // tensors of each region, by address
};

// Tensors of a whole pooled region do not stay together.
void RangeVerifier::requireKept(uint32_t index, size_t operand) const {
  const Range &range = plan.ranges[plan.ops[index].operands[operand]];
  for (uint32_t r = range.first; r <= range.last; ++r)
    if (plan.regions[r].isPooled())
      reject(index, operand, "region " + std::to_string(r) + " is pooled, so no range may hold it");
}

std::vector<uint32_t> RangeVerifier::tensorsOf(const Range &range) const {
  std::vector<uint32_t> tensors;
  for (uint32_t r = range.first; r <= range.last; ++r)
    tensors.insert(tensors.end(), held[r].begin(), held[r].end());
  return tensors;
}

bool RangeVerifier::haveEqualShapes(uint32_t a, uint32_t b) const {
  for (uint32_t v = 0; v < plan.variants.size(); ++v)
    if (plan.shape(a, v) != plan.shape(b, v))
      return false;
  return true;
}

// Two ranges of an op hold tensors of the same shapes at the same places.
void RangeVerifier::requireAlike(uint32_t index, size_t first, size_t second) const {
  const Op &op = plan.ops[index];
  const Range &one = plan.ranges[op.operands[first]], &other = plan.ranges[op.operands[second]];
  const std::vector<uint32_t> left = tensorsOf(one), right = tensorsOf(other);
  const std::string_view name = op.info().operands[first].name;
  if (left.size() != right.size())
    reject(index, second,
           "expected " + std::to_string(left.size()) + " tensors, as many as " + std::string(name) +
               " has, but got " + std::to_string(right.size()));
  for (size_t i = 0; i < left.size(); ++i) {
    const TensorInfo &a = plan.tensors[left[i]], &b = plan.tensors[right[i]];
    if (a.offset - plan.regions[one.first].offset == b.offset - plan.regions[other.first].offset &&
        haveEqualShapes(left[i], right[i]))
      continue;
    reject(index, second,
           "expected tensor '" + b.name + "' to have the place and the shapes of '" + a.name +
               "', its partner in " + std::string(name));
  }
}

void RangeVerifier::check(uint32_t index) const {
  const Op &op = plan.ops[index];
  size_t first = op.operands.size(); // operand that is a range
  for (size_t i = 0; i < op.operands.size(); ++i) {
    if (!op.info().operands[i].isRun() || op.operands[i] == kNone)
      continue;
    requireKept(index, i);
    if (first == op.operands.size())
      first = i;
    else
      requireAlike(index, first, i);
  }
}

} // namespace

void verifyRanges(const Plan &plan) {
  const RangeVerifier verifier(plan);
  for (uint32_t index = 0; index < plan.ops.size(); ++index)
    if (plan.ops[index].info().hasRuns())
      verifier.check(index);
}

} // namespace trf
