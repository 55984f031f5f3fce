// SPDX-License-Identifier: Apache-2.0
//
// Names of activations and styles, and of what was meant.
#include "Names.h"

#include "renaissance/Dialect/TR/IR/BlockStyles.h"

#include "trf/nearest.h"

using namespace llvm;

namespace tr::blueprint {

SmallVector<StringRef> getActivationNames() {
  SmallVector<StringRef> names;
  for (const trf::ActivationRow &row : trf::kActivations)
    if (row.value != trf::Activation::None) // which is for the compiler's own use
      names.push_back(toRef(row.name));
  return names;
}

SmallVector<StringRef> getStyleNames() {
  SmallVector<StringRef> names;
  for (const BlockStyleRow &row : kBlockStyles)
    names.push_back(row.name);
  return names;
}

std::string didYouMean(StringRef name, ArrayRef<StringRef> candidates) {
  std::vector<std::string_view> views;
  for (StringRef candidate : candidates)
    views.push_back(toView(candidate));
  std::string_view nearest = trf::findNearest(toView(name), views);
  return nearest.empty() ? "" : "; did you mean '" + std::string(nearest) + "'?";
}

} // namespace tr::blueprint
