// SPDX-License-Identifier: Apache-2.0
//
// The dims column of kernel_ops.def (checks V31 and V32 of docs/plan-format.md): each operand
// that is there has the extents that its rule makes of the other operands.
#include "trf/shape_rules.h"

#include "check.h"

#include <algorithm>

namespace trf {

namespace {

std::string countText(int64_t count) { return std::to_string(count); }

class ShapeRules {
public:
  ShapeRules(const Plan &plan, uint32_t index, uint32_t variant)
      : plan(plan), op(plan.ops[index]), info(op.info()), index(index), variant(variant) {}

  void check() const {
    for (uint32_t i = 0; i < info.operands.size(); ++i)
      if (op.operands[i] != kNone && !info.operands[i].isRun())
        checkOperand(i);
  }

private:
  [[noreturn]] void reject(std::string_view what, const std::string &message) const {
    std::string about = " (" + std::string(info.name);
    if (op.layer != kNone)
      about += " of layer " + plan.layers[op.layer].path;
    about += ") in variant " + plan.variants[variant].name + ", " + std::string(what);
    throw FormatError({Section::Ops, index}, about, message);
  }

  // Those that a rule names are always there.
  const Dims &dimsOf(uint32_t operand) const { return plan.shape(op.operands[operand], variant); }
  bool isRunOfChannels(uint32_t operand) const {
    return plan.tensors[op.operands[operand]].parent != kNone;
  }
  int64_t attr(std::string_view name) const {
    for (uint32_t i = 0; i < info.attrs.size(); ++i)
      if (info.attrs[i].name == name)
        return op.attrs[i].i;
    return 1; // dilation of an average, groups of a pooling window
  }

  void checkOperand(uint32_t i) const;
  void expect(uint32_t i, const Dims &expected) const {
    if (dimsOf(i) != expected)
      reject(info.operands[i].name,
             "expected " + dimsText(expected) + ", but got " + dimsText(dimsOf(i)));
  }
  int64_t attrOrZero(std::string_view name) const { return hasAttr(name) ? attr(name) : 0; }
  bool hasAttr(std::string_view name) const {
    for (const AttrInfo &row : info.attrs)
      if (row.name == name)
        return true;
    return false;
  }
  struct AxisNames {
    const char *kernel, *stride, *pad, *more, *dilation;
  };
  int64_t slide(int64_t size, const AxisNames &axis) const;
  void checkPads(int64_t size, int64_t covered, const AxisNames &axis) const;
  void checkAround(uint32_t i) const;
  Dims window(const Dims &in, int64_t channels) const;
  Dims filter(const Dims &in, const Dims &out) const;
  void checkIndex(uint32_t i) const;

  const Plan &plan;
  const Op &op;
  const OpInfo &info;
  uint32_t index, variant;
};

// So that every window of a pool holds a cell of the input.
void ShapeRules::checkPads(int64_t size, int64_t covered, const AxisNames &axis) const {
  const int64_t before = attr(axis.pad), after = before + attrOrZero(axis.more);
  if (before >= covered || after >= covered)
    reject(axis.pad, "expected 0 to " + countText(covered - 1) + ", but got " +
                         countText(before >= covered ? before : after));
  if (before > 0 && attr(axis.dilation) > size)
    reject(axis.dilation,
           "expected 1 to " + countText(size) + ", but got " + countText(attr(axis.dilation)));
}

// Output extent of a window along an axis.
int64_t ShapeRules::slide(int64_t size, const AxisNames &axis) const {
  const int64_t pad = attr(axis.pad), more = attrOrZero(axis.more);
  const int64_t covered = attr(axis.dilation) * (attr(axis.kernel) - 1) + 1;
  const int64_t padded = size + 2 * pad + more;
  if (pad + more < 0)
    reject(axis.more, "expected " + countText(-pad) + " or more, but got " + countText(more));
  if (!info.isConv())
    checkPads(size, covered, axis);
  if (padded < covered)
    reject(axis.kernel, "the kernel covers " + countText(covered) +
                            " cells, but the padded input has " + countText(padded));
  const bool ceil = !info.isConv() && attr("ceil") != 0;
  return windowExtent(size, attr(axis.kernel), attr(axis.stride), pad, attr(axis.dilation), ceil,
                      more);
}

Dims ShapeRules::window(const Dims &in, int64_t channels) const {
  return {in[0], slide(in[1], {"kernel_h", "stride_h", "pad_h", "pad_more_h", "dilation_h"}),
          slide(in[2], {"kernel_w", "stride_w", "pad_w", "pad_more_w", "dilation_w"}), channels};
}

// Room for the channels of the named operand from `at` on.
void ShapeRules::checkAround(uint32_t i) const {
  const Dims &inner = dimsOf(info.operands[i].dims.first), &got = dimsOf(i);
  expect(i, {inner[0], inner[1], inner[2], got[3]});
  if (attr("at") > got[3] - inner[3])
    reject(info.operands[i].name, "expected " + countText(attr("at") + inner[3]) +
                                      " channels or more, but got " + countText(got[3]));
}

Dims ShapeRules::filter(const Dims &in, const Dims &out) const {
  const int64_t groups = attr("groups");
  if (in[3] % groups != 0 || out[3] % groups != 0)
    reject("groups", countText(groups) + " does not divide the channels of " + dimsText(in) +
                         " and " + dimsText(out));
  return {out[3], attr("kernel_h"), attr("kernel_w"), in[3] / groups};
}

// The element type of an index follows from the window.
void ShapeRules::checkIndex(uint32_t i) const {
  const bool bytes = attr("kernel_h") * attr("kernel_w") <= 256;
  if (plan.tensors[op.operands[i]].dtype != (bytes ? DType::U8 : DType::I32))
    reject(info.operands[i].name,
           std::string("expected ") + (bytes ? "u8" : "i32") + " for this window");
}

void ShapeRules::checkOperand(uint32_t i) const {
  const OperandInfo &operand = info.operands[i];
  const Dims &got = dimsOf(i);
  const auto first = [&]() -> const Dims & { return dimsOf(operand.dims.first); };
  const auto second = [&]() -> const Dims & { return dimsOf(operand.dims.second); };
  if (operand.type == OperandType::I)
    checkIndex(i);
  switch (operand.dims.rule) {
  case DimsRule::Free:
  case DimsRule::Run:
    return;
  case DimsRule::As:
    return expect(i, first());
  case DimsRule::Count:
    // Elements of a run do not follow each other, so they keep their places.
    if (isRunOfChannels(i) || isRunOfChannels(operand.dims.first))
      return expect(i, first());
    if (elementsOf(got) != elementsOf(first()))
      reject(operand.name,
             "expected " + countText(elementsOf(first())) + " elements, but got " + dimsText(got));
    return;
  case DimsRule::Channels:
    return expect(i, {1, 1, 1, first()[3]});
  case DimsRule::One:
    return expect(i, {1, 1, 1, 1});
  case DimsRule::Pair:
    return expect(i, {1, 1, 1, 2});
  case DimsRule::Samples:
    return expect(i, {first()[0], 1, 1, 1});
  case DimsRule::Pixel:
    return expect(i, {first()[0], 1, 1, first()[3]});
  case DimsRule::Spread:
    if (got != Dims{first()[0], 1, 1, first()[3]})
      expect(i, first());
    return;
  case DimsRule::Wider:
    expect(i, {first()[0], first()[1], first()[2], got[3]});
    if (got[3] < first()[3])
      reject(operand.name, "expected " + countText(first()[3]) + " channels or more, but got " +
                               countText(got[3]));
    return;
  case DimsRule::Lone:
    return expect(i, {first()[0], first()[1], first()[2], 1});
  case DimsRule::Groups:
    if (first()[3] % attr("groups") != 0)
      reject("groups",
             countText(attr("groups")) + " does not divide the channels of " + dimsText(first()));
    return expect(i, {first()[0], 1, 1, attr("groups")});
  case DimsRule::Slopes:
    if (got != Dims{1, 1, 1, 1})
      expect(i, {1, 1, 1, first()[3]});
    return;
  case DimsRule::Around:
    return checkAround(i);
  case DimsRule::Scaled:
    return expect(
        i, {first()[0], first()[1] * attr("factor_h"), first()[2] * attr("factor_w"), first()[3]});
  case DimsRule::Grid:
    return expect(i, {first()[0], attr("out_h"), attr("out_w"), first()[3]});
  case DimsRule::Slide:
    return expect(i, window(first(), got[3]));
  case DimsRule::Pool:
    return expect(i, window(first(), first()[3]));
  case DimsRule::Filter:
    return expect(i, filter(first(), second()));
  case DimsRule::Matrix: {
    const int64_t features = elementsOf(first()) / first()[0], columns = elementsOf(got) / got[0];
    if (features != columns)
      reject(operand.name,
             "expected " + countText(features) + " columns, but got " + countText(columns));
    return;
  }
  case DimsRule::Rows:
    return expect(i, {first()[0], 1, 1, second()[0]});
  case DimsRule::Outputs:
    return expect(i, {1, 1, 1, first()[0]});
  }
}

} // namespace

std::string dimsText(const Dims &dims) {
  std::string text;
  for (const int64_t dim : dims)
    text += (text.empty() ? "" : "x") + std::to_string(dim);
  return text;
}

void checkShapes(const Plan &plan, uint32_t op, uint32_t variant) {
  ShapeRules(plan, op, variant).check();
}

std::optional<int64_t> requiredAttr(ConvAlgorithm algorithm, std::string_view attr) {
  const auto isOne = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), attr) != names.end();
  };
  const bool kernel = isOne({"kernel_h", "kernel_w"});
  const bool more = isOne({"pad_more_h", "pad_more_w"});
  switch (algorithm) {
  case ConvAlgorithm::Winograd: // transforms of 3x3 windows that touch each other
    if (kernel)
      return 3;
    if (more)
      return 0;
    if (isOne({"stride_h", "stride_w", "dilation_h", "dilation_w", "groups"}))
      return 1;
    break;
  case ConvAlgorithm::Pointwise:
    if (kernel || attr == "groups")
      return 1;
    if (more || isOne({"pad_h", "pad_w"}))
      return 0;
    break;
  case ConvAlgorithm::Auto:
  case ConvAlgorithm::Direct:
    break;
  }
  return std::nullopt;
}

} // namespace trf
