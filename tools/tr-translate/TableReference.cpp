// SPDX-License-Identifier: Apache-2.0
//
// `--plan-table-reference`: the tables of the plan format as Markdown.
#include "Translations.h"

#include "renaissance/Dialect/TR/IR/TableAttrs.h"
#include "renaissance/Options/CompileOptions.h"

#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tr {
namespace {

//===----------------------------------------------------------------------===//
// Kernel ops
//===----------------------------------------------------------------------===//

StringRef toText(trf::Access access) {
  switch (access) {
  case trf::Access::Read:
    return "reads";
  case trf::Access::Write:
    return "writes";
  case trf::Access::ReadWrite:
    return "reads and writes";
  }
  llvm_unreachable("all accesses are handled");
}

StringRef toText(trf::OperandType type) {
  constexpr StringLiteral names[] = {"f32", "i32", "u8", "A", "P", "S", "I", "any type"};
  return names[static_cast<int>(type)];
}

// "(n, h, w, c) of x" and the like, as kernel_ops.def explains the rules.
std::string toText(const trf::OpInfo &op, trf::OperandDims dims) {
  std::string text(trf::name(dims.rule));
  auto operand = [&](uint8_t index) { return toRef(op.operands[index].name).str(); };
  switch (dims.rule) {
  case trf::DimsRule::Free:
  case trf::DimsRule::One:
  case trf::DimsRule::Pair:
  case trf::DimsRule::Run:
    return text;
  case trf::DimsRule::Filter:
  case trf::DimsRule::Rows:
    return text + "(" + operand(dims.first) + ", " + operand(dims.second) + ")";
  default:
    return text + "(" + operand(dims.first) + ")";
  }
}

void printOperand(const trf::OpInfo &op, const trf::OperandInfo &operand, raw_ostream &os) {
  os << "- " << toText(operand.access) << " `" << toRef(operand.name)
     << "`: " << toText(operand.type) << ", " << toText(op, operand.dims)
     << (operand.isOptional() ? ", may be absent" : "")
     << (operand.takesPitch() ? ", may be some channels of a wider tensor" : "");
  StringRef separator = ", may lie on ";
  for (uint32_t i = 0; i < op.operands.size(); ++i)
    if (operand.mayLieOn(i)) {
      os << separator << '`' << toRef(op.operands[i].name) << '`';
      separator = " or ";
    }
  os << "\n";
}

void printWork(trf::Work work, raw_ostream &os) {
  switch (work.kind) {
  case trf::Work::Conv:
    os << "two for each product of the convolution";
    return;
  case trf::Work::Fc:
    os << "two for each product of the FC layer";
    return;
  case trf::Work::PerElement:
    os << work.perElement << " for each element of the largest operand";
    return;
  }
}

void printKernelOps(raw_ostream &os) {
  os << "## Kernel ops\n\nIn the order of their opcodes. A, P and S are types that the instance of "
        "an op decides, I the type of a window's index; the rules of extents are those of "
        "`runtime/format/include/trf/kernel_ops.def`.\n";
  for (const trf::OpInfo &op : trf::kOps) {
    os << "\n### `" << toRef(op.name) << "`\n\n"
       << toRef(op.doc) << "\n\nOpcode " << static_cast<uint32_t>(op.opcode) << ", stream "
       << spell(op.stream) << ", operations: ";
    printWork(op.work, os);
    os << ".\n\n";
    for (const trf::OperandInfo &operand : op.operands)
      printOperand(op, operand, os);
    if (op.attrs.size() == 0)
      continue;
    os << "- attributes";
    StringRef separator = ": ";
    for (const trf::AttrInfo &attr : op.attrs) {
      os << separator << "`" << toRef(attr.name) << "`" << (attr.isFloat() ? " (real)" : "");
      separator = ", ";
    }
    os << "\n";
  }
}

//===----------------------------------------------------------------------===//
// Regions and names
//===----------------------------------------------------------------------===//

// The regions that a plan of mixed precision may have, in the order in which they are listed ever
// since there were 68 of them.
struct ListedRegions {
  trf::Role role;
  trf::DType dtype;
  bool weightsOnly = false; // of groups that are decayed
};
constexpr ListedRegions kListedRegions[] = {
    {trf::Role::PrevMean, trf::DType::F32},
    {trf::Role::PrevVar, trf::DType::F32},
    {trf::Role::NextMean, trf::DType::F32},
    {trf::Role::NextVar, trf::DType::F32},
    {trf::Role::EqBias, trf::DType::F32},
    {trf::Role::EqScale, trf::DType::F32},
    {trf::Role::Weight, trf::DType::F32},
    {trf::Role::Ema, trf::DType::F32},
    {trf::Role::Ema, trf::DType::F16, true},
    {trf::Role::Copy, trf::DType::F16, true},
    {trf::Role::Gradient, trf::DType::F32},
    {trf::Role::Result, trf::DType::F32},
    {trf::Role::Gradient, trf::DType::F16, true},
    {trf::Role::Moment1, trf::DType::F32},
    {trf::Role::Moment2, trf::DType::F32},
    {trf::Role::TrustRatio, trf::DType::F32, true},
    {trf::Role::LabelA, trf::DType::I32},
    {trf::Role::DataA, trf::DType::F32},
    {trf::Role::LabelB, trf::DType::I32},
    {trf::Role::DataB, trf::DType::F32},
    {trf::Role::Feature, trf::DType::F32},
    {trf::Role::FeatureGrad, trf::DType::F32},
    {trf::Role::Feature, trf::DType::F16},
    {trf::Role::FeatureGrad, trf::DType::F16},
    {trf::Role::Scalar, trf::DType::F32},
    {trf::Role::Scalar, trf::DType::F16},
    {trf::Role::Scalar, trf::DType::I32},
    {trf::Role::Scalar, trf::DType::U8},
    {trf::Role::Mask, trf::DType::U8},
    {trf::Role::Temp, trf::DType::F32},
    {trf::Role::Temp, trf::DType::F16},
    {trf::Role::Temp, trf::DType::I32},
    {trf::Role::Temp, trf::DType::U8},
    {trf::Role::Predicted, trf::DType::I32},
    {trf::Role::Accumulated, trf::DType::F32},
};

void printRegion(trf::Region region, trf::DType dtype, raw_ostream &os) {
  os << "| `" << trf::regionName(region, dtype) << "` | " << spell(dtype) << " | "
     << (region.isPooled() ? "pooled" : "kept") << " | " << toRef(region.row().purpose);
  if (region.group != trf::Group::None)
    os << ": " << toRef(trf::row(region.group).purpose);
  os << " |\n";
}

void printRegions(raw_ostream &os) {
  os << "## Regions\n\nA region is a role, a group of parameters for some roles, and an element "
        "type. Pooled ones share memory over time and hold any type; `tr.graph` writes them "
        "without "
        "one.\n\n"
     << "| Region | Type | Memory | Holds |\n|---|---|---|---|\n";
  for (const ListedRegions &listed : kListedRegions) {
    if (!trf::row(listed.role).grouped) {
      printRegion({listed.role}, listed.dtype, os);
      continue;
    }
    for (const trf::GroupRow &group : trf::kGroups)
      if (group.value != trf::Group::None && (group.decayed || !listed.weightsOnly))
        printRegion({listed.role, group.value}, listed.dtype, os);
  }
}

template <typename E> void printNames(StringRef title, raw_ostream &os) {
  os << "\n## " << title << "\n\n";
  for (const auto &row : trf::Table<E>::rows)
    os << "- `" << spell(row.value) << "`\n";
}

void printTables(raw_ostream &os) {
  os << "\n## Subgraphs\n\n| Id | Subgraph | Where it is empty |\n|---|---|---|\n";
  for (const trf::SubgraphRow &row : trf::kSubgraphs)
    os << "| " << static_cast<int>(row.value) << " | `" << toRef(row.name) << "` | "
       << toRef(row.reason) << " |\n";
  os << "\n## Schedules\n\n| Id | Schedule |\n|---|---|\n";
  for (const trf::ScheduleRow &row : trf::kSchedules)
    os << "| " << static_cast<int>(row.value) << " | `" << toRef(row.name) << "` |\n";
  os << "\n## Shared tensors\n\nThey belong to no layer and are found by name.\n\n"
     << "| Tensor | Type | Region |\n|---|---|---|\n";
  for (const trf::SharedTensorRow &row : trf::kSharedTensors)
    os << "| `" << toRef(row.name) << "` | " << spell(row.dtype) << " | `"
       << trf::regionName({row.role}, row.dtype) << "` |\n";
  printNames<trf::StandardVariant>("Variants", os);
  printNames<trf::DType>("Types", os);
  printNames<trf::Activation>("Activations", os);
  printNames<trf::ConvAlgorithm>("Algorithms of convolutions", os);
  printNames<trf::Target>("Targets", os);
  printNames<trf::Optimizer>("Optimizers", os);
  printNames<trf::Init>("Initial values", os);
  printNames<trf::ParamLayout>("Layouts of parameters in weight files", os);
}

void printOptions(raw_ostream &os) {
  os << "\n## Options\n\nWhat one can ask the compiler for: flags of `tr-compile`, options of "
        "`--tr-compile=` and `--tr-attach-options=`, members of `tr::CompileOptions`, and, where "
        "passes read them, keys of `#tr.options` (with `_` for `-`).\n\n"
     << "| Option | Value | Default | Key of `#tr.options` | What it is |\n|---|---|---|---|---|\n";
  CompileOptions defaults;
  for (const OptionRow &row : getOptionRows()) {
    std::string value = getOption(defaults, row.name);
    os << "| `" << toRef(row.name) << "` | " << row.values << " | "
       << (value.empty() ? "" : "`" + value + "`") << " | "
       << (row.use == OptionUse::Passes ? "yes" : "in `variants`") << " | " << toRef(row.help)
       << " |\n";
  }
}

} // namespace

void registerTableReference() {
  static TranslateRegistration reference(
      "plan-table-reference", "print the tables of plans and kernel ops; reads no input",
      [](const std::shared_ptr<llvm::SourceMgr> &, raw_ostream &os, MLIRContext *) {
        printRegions(os);
        printTables(os);
        printOptions(os);
        os << "\n";
        printKernelOps(os);
        return success();
      });
}

} // namespace tr
