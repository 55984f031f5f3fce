// SPDX-License-Identifier: Apache-2.0
//
// Kernel ops of a plan against the kernel-op table: arity, kinds of operands,
// element types and attributes (checks V30 to V33 of docs/plan-format.md).
#include "plan/check.h"
#include "plan/plan.h"
#include "plan/structure.h"

#include <cmath>
#include <cstring>
#include <string_view>

namespace trrt {

namespace {

constexpr trk::DType kRegionDTypes[] = {
#define X(name, spelling, dtype, life, purpose) trk::DType::dtype,
    TRRT_REGIONS(X)
#undef X
};
constexpr int64_t kActivationCount = 0
#define X(name, spelling) +1
    TRRT_ACTIVATIONS(X)
#undef X
    ;

constexpr uint32_t kAlgorithmCount = 0
#define X(name, spelling) +1
    TRRT_CONV_ALGORITHMS(X)
#undef X
    ;

// The one value that an attribute of a convolution by this algorithm may have; -1: any.
int64_t requiredAttr(trk::ConvAlgorithm algorithm, std::string_view attr) {
  const bool kernel = attr == "kernel_h" || attr == "kernel_w";
  const bool pad = attr == "pad_h" || attr == "pad_w";
  const bool step =
      attr == "stride_h" || attr == "stride_w" || attr == "dilation_h" || attr == "dilation_w";
  switch (algorithm) {
  case trk::ConvAlgorithm::Winograd: // transforms of 3x3 windows that touch each other
    return kernel ? 3 : step || attr == "groups" ? 1 : -1;
  case trk::ConvAlgorithm::Pointwise:
    return kernel || attr == "groups" ? 1 : pad ? 0 : -1;
  case trk::ConvAlgorithm::Auto:
  case trk::ConvAlgorithm::Direct:
    break;
  }
  return -1;
}

class OpVerifier {
public:
  OpVerifier(const PlanTables &tables, size_t index) : t(tables), index(index) {}
  void run();

private:
  [[noreturn]] void reject(const char *what, const std::string &message) const {
    rejectPlan("OPS record " + std::to_string(index) + " (" + info->name + "), " + what + ": " +
               message);
  }
  void checkOperand(uint32_t position);
  void checkTensor(const trk::OperandInfo &operand, uint32_t id);
  void checkRange(const trk::OperandInfo &operand, uint32_t id);
  void checkAttr(const trk::AttrInfo &attr, uint64_t bits) const;
  void checkAlgorithm() const;

  const PlanTables &t;
  size_t index;
  const trk::OpInfo *info = nullptr;
  trk::DType anyType = trk::DType::Any; // of the first operand of type Any
  uint64_t rangeBytes = 0;              // of the first range operand
};

void OpVerifier::run() {
  const trrt_plan_op &op = t.ops[index];
  Field{"OPS", index, "opcode"}.below(op.opcode, trk::kOpCount, "kernel ops");
  Field{"OPS", index, "layer"}.belowOrNone(op.layer, t.layers.size(), "layers");
  Field{"OPS", index, "first_operand"}.span(op.first_operand, op.operand_count, t.operands.size());
  Field{"OPS", index, "first_attr"}.span(op.first_attr, op.attr_count, t.attrs.size());
  info = &trk::kOps[op.opcode];
  if (op.operand_count != info->operand_count)
    reject("field operand_count", "expected " + std::to_string(info->operand_count) + ", but got " +
                                      std::to_string(op.operand_count));
  if (op.attr_count != info->attr_count)
    reject("field attr_count", "expected " + std::to_string(info->attr_count) + ", but got " +
                                   std::to_string(op.attr_count));
  for (uint32_t i = 0; i < op.operand_count; ++i)
    checkOperand(i);
  for (uint32_t i = 0; i < op.attr_count; ++i)
    checkAttr(info->attrs[i], t.attrs[op.first_attr + i].bits);
  checkAlgorithm();
}

void OpVerifier::checkOperand(uint32_t position) {
  const trk::OperandInfo &operand = info->operands[position];
  const uint32_t id = t.operands[t.ops[index].first_operand + position];
  if (id == TRRT_PLAN_NONE) {
    if (!operand.optional)
      reject(operand.name, "the operand is absent, but it is not optional");
    return;
  }
  const uint64_t limit = operand.range ? t.ranges.size() : t.tensors.size();
  if (id >= limit)
    reject(operand.name, "expected one of " + std::to_string(limit) +
                             (operand.range ? " ranges" : " tensors") + ", but got " +
                             std::to_string(id));
  if (operand.range)
    checkRange(operand, id);
  else
    checkTensor(operand, id);
}

void OpVerifier::checkTensor(const trk::OperandInfo &operand, uint32_t id) {
  const trk::DType got = static_cast<trk::DType>(t.tensors[id].dtype);
  trk::DType want = operand.dtype;
  if (want == trk::DType::Any && anyType == trk::DType::Any)
    anyType = got;
  if (want == trk::DType::Any)
    want = anyType;
  if (got != want)
    reject(operand.name, std::string("expected ") + trk::kDTypeNames[static_cast<int>(want)] +
                             ", but tensor '" + t.strings[t.tensors[id].name] + "' is " +
                             trk::kDTypeNames[static_cast<int>(got)]);
}

// All ranges of one op are walked side by side, so they are equally long. Empty regions
// count too: the first one gives a range its element type.
void OpVerifier::checkRange(const trk::OperandInfo &operand, uint32_t id) {
  const trrt_plan_range &range = t.ranges[id];
  for (uint32_t r = range.first_region; r <= range.last_region; ++r)
    if (operand.dtype != trk::DType::Any && kRegionDTypes[r] != operand.dtype)
      reject(operand.name, std::string("expected regions of ") +
                               trk::kDTypeNames[static_cast<int>(operand.dtype)] + ", but region " +
                               std::to_string(r) + " is " +
                               trk::kDTypeNames[static_cast<int>(kRegionDTypes[r])]);
  const uint64_t bytes = t.regions[range.last_region].offset + t.regions[range.last_region].bytes -
                         t.regions[range.first_region].offset;
  const uint32_t first = t.ops[index].first_operand;
  if (&operand == info->operands)
    rangeBytes = bytes;
  else if (info->operands[0].range && t.operands[first] != TRRT_PLAN_NONE && bytes != rangeBytes)
    reject(operand.name, "expected a range of " + std::to_string(rangeBytes) +
                             " bytes like the first one, but got " + std::to_string(bytes));
}

void OpVerifier::checkAttr(const trk::AttrInfo &attr, uint64_t bits) const {
  if (attr.is_float) {
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    if (!std::isfinite(value))
      reject(attr.name, "expected a finite number");
    return;
  }
  const int64_t value = static_cast<int64_t>(bits);
  if (std::strcmp(attr.name, "act") == 0 && (value < 0 || value >= kActivationCount))
    reject(attr.name, "expected one of " + std::to_string(kActivationCount) +
                          " activations, but got " + std::to_string(value));
}

void OpVerifier::checkAlgorithm() const {
  const trrt_plan_op &op = t.ops[index];
  Field{"OPS", index, "algorithm"}.below(op.algorithm, kAlgorithmCount, "algorithms");
  const auto algorithm = static_cast<trk::ConvAlgorithm>(op.algorithm);
  if (algorithm == trk::ConvAlgorithm::Auto)
    return;
  const std::string name = trk::kConvAlgorithmNames[op.algorithm];
  if (info->flops != trk::kFlopsConv)
    reject("field algorithm", "expected auto for what is no convolution, but got " + name);
  for (uint32_t i = 0; i < info->attr_count; ++i) {
    const int64_t required = requiredAttr(algorithm, info->attrs[i].name);
    const int64_t value = static_cast<int64_t>(t.attrs[op.first_attr + i].bits);
    if (required >= 0 && value != required)
      reject("field algorithm", name + " expects " + info->attrs[i].name + " " +
                                    std::to_string(required) + ", but got " +
                                    std::to_string(value));
  }
}

} // namespace

void verifyOps(const PlanTables &tables) {
  for (size_t i = 0; i < tables.ops.size(); ++i)
    OpVerifier(tables, i).run();
}

} // namespace trrt
