// SPDX-License-Identifier: Apache-2.0
//
// Kernel ops of a plan against the kernel-op table: arity, kinds of operands,
// element types and attributes (checks V30 to V33 of docs/plan-format.md).
#include "check.h"
#include "structure.h"
#include "trf/plan.h"
#include "trf/shape_rules.h"

#include <cstdio>
#include <cstring>
#include <string_view>

namespace trf {

namespace {

std::string realText(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", value);
  return text;
}

class OpVerifier {
public:
  OpVerifier(const PlanRecords &tables, size_t index) : t(tables), index(index) {}
  void run();

private:
  [[noreturn]] void reject(std::string_view what, const std::string &message) const {
    throw FormatError({Section::Ops, static_cast<uint32_t>(index)},
                      " (" + std::string(op->name) + "), " + std::string(what), message);
  }
  void checkInstance() const;
  void checkOperand(uint32_t position);
  void checkTensor(const OperandInfo &operand, uint32_t id);
  void checkRange(const OperandInfo &operand, uint32_t id);
  void checkAttr(const AttrInfo &attr, uint64_t bits) const;
  void checkAct(const AttrInfo &attr, int64_t bits) const;
  void checkAlgorithm() const;

  const PlanRecords &t;
  size_t index;
  const OpInfo *op = nullptr;
  std::optional<DType> anyType; // of the first operand of type Any
  uint64_t rangeBytes = 0;      // of the first range operand
};

void OpVerifier::run() {
  const trf_op &record = t.ops[index];
  const Field opcode{Section::Ops, index, "opcode"};
  opcode.require(isOpcode(record.opcode), "there is no kernel op of this number");
  Field{Section::Ops, index, "instance"}.inTable<Instance>(record.instance);
  Field{Section::Ops, index, "layer"}.belowOrNone(record.layer, t.layers.size(), "layers");
  Field{Section::Ops, index, "first_operand"}.span(record.first_operand, record.operand_count,
                                                   t.operands.size());
  Field{Section::Ops, index, "first_attr"}.span(record.first_attr, record.attr_count,
                                                t.attrs.size());
  op = &info(static_cast<Opcode>(record.opcode));
  if (record.operand_count != op->operands.size())
    reject("field operand_count", "expected " + std::to_string(op->operands.size()) + ", but got " +
                                      std::to_string(record.operand_count));
  const uint32_t least = op->leastAttrs(), most = op->attrs.size();
  if (record.attr_count < least || record.attr_count > most)
    reject("field attr_count", "expected " + std::to_string(least) +
                                   (least < most ? " to " + std::to_string(most) : std::string()) +
                                   ", but got " + std::to_string(record.attr_count));
  checkInstance();
  for (uint32_t i = 0; i < record.operand_count; ++i)
    checkOperand(i);
  for (uint32_t i = 0; i < record.attr_count; ++i)
    checkAttr(op->attrs[i], t.attrs[record.first_attr + i].bits);
  checkAlgorithm();
}

// So that equal ops have one form only.
void OpVerifier::checkInstance() const {
  const auto instance = static_cast<Instance>(t.ops[index].instance);
  if (instance != Instance{} && !hasInstances(*op))
    reject("field instance", "expected " + std::string(name(Instance{})) +
                                 ", as the op has no type variables, but got " +
                                 std::string(name(instance)));
}

void OpVerifier::checkOperand(uint32_t position) {
  const OperandInfo &operand = op->operands[position];
  const uint32_t id = t.operands[t.ops[index].first_operand + position];
  if (id == TRF_NONE) {
    if (!operand.isOptional())
      reject(operand.name, "the operand is absent, but it is not optional");
    return;
  }
  const uint64_t limit = operand.isRun() ? t.ranges.size() : t.tensors.size();
  if (id >= limit)
    reject(operand.name, "expected one of " + std::to_string(limit) +
                             (operand.isRun() ? " ranges" : " tensors") + ", but got " +
                             std::to_string(id));
  if (operand.isRun())
    checkRange(operand, id);
  else
    checkTensor(operand, id);
}

void OpVerifier::checkTensor(const OperandInfo &operand, uint32_t id) {
  const trf_tensor &tensor = t.tensors[id];
  const auto got = static_cast<DType>(tensor.dtype);
  std::optional<DType> want = typeOf(operand.type, static_cast<Instance>(t.ops[index].instance));
  if (operand.type == OperandType::Any)
    want = anyType = anyType.value_or(got);
  if (operand.type == OperandType::I)
    want = got == DType::I32 ? DType::I32 : DType::U8; // which one, shapes tell
  if (got != *want)
    reject(operand.name, "expected " + std::string(name(*want)) + ", but tensor '" +
                             std::string(t.text(tensor.name)) + "' is " + std::string(name(got)));
  if (tensor.parent != TRF_NONE && !operand.takesPitch())
    reject(operand.name, "expected a whole tensor, but '" + std::string(t.text(tensor.name)) +
                             "' is a run of the channels of another one");
}

// All ranges of one op are walked side by side, so they are equally long.
void OpVerifier::checkRange(const OperandInfo &operand, uint32_t id) {
  const trf_range &range = t.ranges[id];
  const std::optional<DType> want = typeOf(operand.type, Instance{});
  for (uint32_t r = range.first_region; r <= range.last_region; ++r)
    if (want && t.regions[r].dtype != static_cast<uint32_t>(*want))
      reject(operand.name,
             "expected regions of " + std::string(name(*want)) + ", but region " +
                 std::to_string(r) + " is " +
                 (t.regions[r].dtype == TRF_NONE ? "pooled"
                                                 : std::string(kDTypes[t.regions[r].dtype].name)));
  const uint64_t bytes = t.regions[range.last_region].offset + t.regions[range.last_region].bytes -
                         t.regions[range.first_region].offset;
  const uint32_t first = t.ops[index].first_operand;
  if (&operand == op->operands.begin())
    rangeBytes = bytes;
  else if (op->operands[0].isRun() && t.operands[first] != TRF_NONE && bytes != rangeBytes)
    reject(operand.name, "expected a range of " + std::to_string(rangeBytes) +
                             " bytes like the first one, but got " + std::to_string(bytes));
}

void OpVerifier::checkAttr(const AttrInfo &attr, uint64_t bits) const {
  Attr value;
  std::memcpy(&value, &bits, sizeof(value));
  switch (attr.type) {
  case AttrType::Float:
    if (!(value.f >= attr.leastReal && value.f <= attr.mostReal))
      reject(attr.name, "expected " + realText(attr.leastReal) + " to " + realText(attr.mostReal) +
                            ", but got " + realText(value.f));
    return;
  case AttrType::Int:
    if (value.i < attr.low || value.i > attr.high)
      reject(attr.name, "expected " + std::to_string(attr.low) + " to " +
                            std::to_string(attr.high) + ", but got " + std::to_string(value.i));
    return;
  case AttrType::Enum:
    if (value.i < attr.low || value.i >= attr.high)
      reject(attr.name, "expected one of " + std::to_string(attr.high) + " " +
                            std::string(attr.noun) + ", but got " + std::to_string(value.i));
    return;
  case AttrType::Act:
    return checkAct(attr, value.i);
  }
}

void OpVerifier::checkAct(const AttrInfo &attr, int64_t bits) const {
  ActAttr held;
  held.bits = bits;
  if (held.rowNumber() >= kCount<Activation>)
    reject(attr.name, "expected one of " + std::to_string(kCount<Activation>) + " " +
                          std::string(attr.noun) + ", but got " + std::to_string(held.rowNumber()));
  const Act act = held;
  if (act.isValid())
    return;
  const ActivationRow &kind = row(act.kind);
  if (!kind.hasParameter())
    reject(attr.name, "expected no parameter of " + std::string(kind.name) + ", but got " +
                          realText(act.parameter));
  reject(attr.name, "expected a " + std::string(kind.parameter) + " of " + std::string(kind.name) +
                        " in 0 to " + realText(attr.mostReal) + ", but got " +
                        realText(act.parameter));
}

void OpVerifier::checkAlgorithm() const {
  const trf_op &record = t.ops[index];
  Field{Section::Ops, index, "algorithm"}.inTable<ConvAlgorithm>(record.algorithm);
  const auto algorithm = static_cast<ConvAlgorithm>(record.algorithm);
  if (algorithm == ConvAlgorithm::Auto)
    return;
  const std::string text(name(algorithm));
  if (!op->isConv())
    reject("field algorithm", "expected auto for what is no convolution, but got " + text);
  for (uint32_t i = 0; i < record.attr_count; ++i) {
    const std::optional<int64_t> required = requiredAttr(algorithm, op->attrs[i].name);
    const int64_t value = static_cast<int64_t>(t.attrs[record.first_attr + i].bits);
    if (required && value != *required)
      reject("field algorithm", text + " expects " + std::string(op->attrs[i].name) + " " +
                                    std::to_string(*required) + ", but got " +
                                    std::to_string(value));
  }
}

} // namespace

void verifyOps(const PlanRecords &tables) {
  for (size_t i = 0; i < tables.ops.size(); ++i)
    OpVerifier(tables, i).run();
}

} // namespace trf
