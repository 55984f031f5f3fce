// SPDX-License-Identifier: Apache-2.0
//
// `--plan-table-reference`: the shared tables of plan_format.h and kernel_ops.def as Markdown.
#include "Translations.h"

#include "renaissance/Target/PlanTables.h"

#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tr {
namespace {

// What the table says of each kernel op in words.
constexpr llvm::StringLiteral kMeanings[] = {
#define TRRT_KERNEL_OP(name, stream, flops, operands, attrs, doc) doc,
#include "trrt/kernel_ops.def"
};
// The operations that its cost counts.
constexpr llvm::StringLiteral kCosts[] = {
#define TRRT_KERNEL_OP(name, stream, flops, operands, attrs, doc) #flops,
#include "trrt/kernel_ops.def"
};

llvm::StringRef accessText(const plan::OperandInfo &operand) {
  return operand.access == plan::Access::Read    ? "reads"
         : operand.access == plan::Access::Write ? "writes"
                                                 : "reads and writes";
}

void printOperand(const plan::OperandInfo &operand, raw_ostream &os) {
  os << "- " << accessText(operand) << " `" << operand.name << "` ("
     << (operand.dtype ? plan::stringify(*operand.dtype) : llvm::StringRef("any type"))
     << (operand.range ? ", whole regions" : "") << (operand.optional ? ", may be absent" : "")
     << ")";
  if (!operand.over.empty())
    os << ", may lie on `" << operand.over << "`";
  os << "\n";
}

void printKernelOps(raw_ostream &os) {
  os << "## Kernel ops\n\nIn the order of their opcodes.\n";
  for (uint32_t i = 0; i < plan::kKernelCount; ++i) {
    const plan::KernelInfo &info = plan::getInfo(static_cast<plan::Kernel>(i));
    os << "\n### `" << info.name << "`\n\n"
       << kMeanings[i] << "\n\nStream " << plan::stringify(info.stream) << ", operations: ";
    if (kCosts[i] == "Conv" || kCosts[i] == "Fc")
      os << "two for each product of the " << (kCosts[i] == "Fc" ? "FC layer" : "convolution");
    else
      os << kCosts[i] << " for each element of the largest operand";
    os << ".\n\n";
    for (const plan::OperandInfo &operand : info.operands)
      printOperand(operand, os);
    if (info.attrs.empty())
      continue;
    os << "- attributes";
    llvm::StringRef separator = ": ";
    for (const plan::AttrInfo &attr : info.attrs) {
      os << separator << "`" << attr.name << "`" << (attr.isFloat ? " (real)" : "");
      separator = ", ";
    }
    os << "\n";
  }
}

void printRegions(raw_ostream &os) {
  os << "## Regions\n\nIn address order. Pooled ones share memory over time.\n\n"
     << "| Region | Type | Memory | Holds |\n|---|---|---|---|\n";
#define X(name, spelling, dtype, use, purpose)                                                     \
  os << "| `" spelling "` | " << plan::stringify(plan::DType::dtype) << " | "                      \
     << (llvm::StringRef(#use) == "Pooled" ? "pooled" : "kept") << " | " purpose " |\n";
  TRRT_REGIONS(X)
#undef X
}

void printNames(raw_ostream &os) {
  os << "\n## Subgraphs\n\n| Id | Subgraph |\n|---|---|\n";
#define X(id, name, spelling) os << "| " << id << " | `" spelling "` |\n";
  TRRT_SUBGRAPHS(X)
  os << "\n## Schedules\n\n| Id | Schedule |\n|---|---|\n";
  TRRT_SCHEDULES(X)
#undef X
#define X(name, spelling, ...) os << "- `" spelling "`\n";
  os << "\n## Types\n\n";
  TRRT_DTYPES(X)
  os << "\n## Activations\n\n";
  TRRT_ACTIVATIONS(X)
  os << "\n## Algorithms of convolutions\n\n";
  TRRT_CONV_ALGORITHMS(X)
  os << "\n## Instruction sets\n\n";
  TRRT_ISAS(X)
  os << "\n## Initial values\n\n";
  TRRT_INITS(X)
  os << "\n## Layouts of parameters in weight files\n\n";
  TRRT_PARAM_LAYOUTS(X)
#undef X
}

} // namespace

void registerTableReference() {
  static TranslateRegistration reference(
      "plan-table-reference", "print the tables of plans and kernel ops; reads no input",
      [](const std::shared_ptr<llvm::SourceMgr> &, raw_ostream &os, MLIRContext *) {
        printRegions(os);
        printNames(os);
        os << "\n";
        printKernelOps(os);
        return success();
      });
}

} // namespace tr
