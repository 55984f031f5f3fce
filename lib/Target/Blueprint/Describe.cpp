// SPDX-License-Identifier: Apache-2.0
//
// Words of the language for somebody who points at one, from the tables that give them meaning.
#include "renaissance/Target/Blueprint/BlueprintImporter.h"

#include "Names.h"

#include "renaissance/Dialect/TR/IR/BlockSpec.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tr {
namespace {

StringRef describeShortcut(const BlockStyleRow &row) {
  switch (row.shortcut) {
  case BlockShortcut::None:
    return row.stride == 1 ? "adds its input where the channels agree" : "no shortcut";
  case BlockShortcut::Identity:
    return "adds its input";
  case BlockShortcut::Projection:
    return "adds its input, by a 1x1 with BN where that has not the shape of the output";
  case BlockShortcut::PooledProjection:
    return "adds its input, by an average pooling and a 1x1 with BN";
  }
  llvm_unreachable("all shortcuts handled");
}

void printStage(const StageRow &stage, const BlockStyleRow &row, raw_ostream &os) {
  os << "- `" << stage.conv << "`: " << stage.kernel << 'x' << stage.kernel;
  if (stage.strided && row.stride != 1)
    os << ", stride " << row.stride;
  if (stage.groups == StageGroups::Depthwise)
    os << ", depthwise";
  else if (stage.groups == StageGroups::Block && row.groups != 1)
    os << ", " << row.groups << " groups by default";
  os << ", BN" << (stage.activated ? ", activation" : "") << '\n';
}

} // namespace

std::string describeBlueprintCall(StringRef name) {
  std::string text;
  for (const Signature &signature : findSignatures(name))
    text += (text.empty() ? "" : "\n\n") + ("`" + signature.describe() + "`\n\n") +
            signature.summary.str();
  return text;
}

// The summary is that of the layer; where its name is taken the layer is NAME_act.
std::string describeBlueprintActivation(StringRef name) {
  if (!llvm::is_contained(blueprint::getActivationNames(), name))
    return "";
  std::string text = ("`" + name + "`: activation").str();
  for (const std::string &call : {name.str(), name.str() + "_act"})
    for (const Signature &signature : findSignatures(call))
      text += "\n\n" + signature.summary.str();
  return text;
}

std::string describeBlueprintStyle(StringRef name) {
  std::optional<BlockStyle> style = Spelling<BlockStyle>::find(name);
  if (!style)
    return "";
  const BlockStyleRow &row = getRow(*style);
  std::string text;
  raw_string_ostream os(text);
  os << '`' << name << "`: style of block\n\n";
  for (const StageRow &stage : getStageRows(row.family, row.factor != 0))
    printStage(stage, row, os);
  os << "- " << describeShortcut(row) << (getRow(row.family).activatesSum ? ", activation" : "")
     << "\n\nActivation: " << spell(getRow(row.family).act) << " by default";
  return text;
}

SmallVector<StringRef> getBlueprintValues(const Param &param) {
  switch (param.kind) {
  case ParamKind::Activation:
    return blueprint::getActivationNames();
  case ParamKind::Style:
    return blueprint::getStyleNames();
  case ParamKind::Bool:
    return {"false", "true"};
  default:
    return SmallVector<StringRef>(param.words.begin(), param.words.end());
  }
}

} // namespace tr
