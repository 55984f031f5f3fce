// SPDX-License-Identifier: Apache-2.0
//
// The reference of all calls, printed from the table that binds them.
#include "renaissance/Target/Blueprint/BlueprintImporter.h"

#include "Names.h"

#include "renaissance/Dialect/TR/IR/Signature.h"

#include "llvm/ADT/StringMap.h"
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
  case ParamKind::Word:
    return "";
  case ParamKind::Text:
    return "text";
  case ParamKind::Layer:
    return "layer";
  case ParamKind::Layers:
    return "one layer or more";
  }
  llvm_unreachable("all kinds handled");
}

bool hasRange(ParamKind kind) {
  return kind == ParamKind::Int || kind == ParamKind::Real || kind == ParamKind::Dims;
}

void printValues(const Param &param, raw_ostream &os) {
  os << describeKind(param.kind);
  if (hasRange(param.kind) && param.range.most < std::numeric_limits<int32_t>::max())
    os << " in " << param.range.describe();
  else if (hasRange(param.kind))
    os << (param.range.openLeast ? " > " : " >= ") << static_cast<int64_t>(param.range.least);
  StringRef separator = hasRange(param.kind) ? " or " : "";
  for (StringRef word : param.words) {
    os << separator << "`" << word << "`";
    separator = " or ";
  }
}

void printCalls(raw_ostream &os) {
  os << "| Call | What it is |\n|---|---|\n";
  for (const Signature &signature : getSignatures())
    os << "| `" << signature.describe() << "` | " << signature.summary << " |\n";
}

// A parameter that means something else in a later call is listed again with it.
void printParams(raw_ostream &os) {
  os << "| Parameter | Value |\n|---|---|\n";
  StringMap<std::string> known;
  for (const Signature &signature : getSignatures())
    for (const Param &param : signature.params) {
      std::string values;
      raw_string_ostream valuesOs(values);
      printValues(param, valuesOs);
      auto [it, isNew] = known.try_emplace(param.name, values);
      if (!isNew && it->second == values)
        continue;
      os << "| `" << param.name << "`";
      if (!isNew)
        os << " of `" << signature.name << "`";
      os << " | " << values << " |\n";
    }
}
} // namespace
} // namespace blueprint

void printBlueprintReference(raw_ostream &os) {
  blueprint::printCalls(os);
  os << '\n';
  blueprint::printParams(os);
}

} // namespace tr
