// SPDX-License-Identifier: Apache-2.0
//
// The reference of all calls, printed from the table that binds them.
#include "renaissance/Target/Blueprint/BlueprintImporter.h"

#include "Signatures.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tr {
namespace blueprint {
namespace {
StringRef describeKind(ParamKind kind) {
  switch (kind) {
  case ParamKind::Int:
    return "integer";
  case ParamKind::Real:
    return "number";
  case ParamKind::Bool:
    return "`true` or `false`";
  case ParamKind::Dims:
    return "`N` or `HxW`";
  case ParamKind::Activation:
    return "activation";
  case ParamKind::Style:
    return "style";
  case ParamKind::Text:
    return "text";
  case ParamKind::Layer:
    return "layer";
  case ParamKind::Layers:
    return "layers";
  }
  llvm_unreachable("all kinds handled");
}

bool hasRange(ParamKind kind) {
  return kind == ParamKind::Int || kind == ParamKind::Real || kind == ParamKind::Dims;
}

void printParam(const Param &param, raw_ostream &os) {
  os << "`" << param.name << "` " << describeKind(param.kind);
  if (hasRange(param.kind) && param.range.most < std::numeric_limits<int32_t>::max())
    os << " in " << param.range.describe();
  else if (hasRange(param.kind))
    os << (param.range.openLeast ? " > " : " >= ") << static_cast<int64_t>(param.range.least);
  if (!param.isRequired())
    os << " = `" << param.fallback << "`";
  if (param.namedOnly)
    os << " (by name)";
}
} // namespace
} // namespace blueprint

void printBlueprintReference(raw_ostream &os) {
  os << "| Call | What it is | Parameters |\n|---|---|---|\n";
  for (const blueprint::Signature &signature : blueprint::getSignatures()) {
    os << "| `" << signature.name << "` | " << signature.summary << " | ";
    llvm::interleave(
        signature.params, os, [&](const blueprint::Param &param) { blueprint::printParam(param, os); },
        "; ");
    if (signature.params.empty())
      os << "none";
    os << " |\n";
  }
}

} // namespace tr
