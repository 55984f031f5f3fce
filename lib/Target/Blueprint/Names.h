// SPDX-License-Identifier: Apache-2.0
//
// Names that arguments may have, for messages and editors.
#ifndef RENAISSANCE_LIB_TARGET_BLUEPRINT_NAMES_H
#define RENAISSANCE_LIB_TARGET_BLUEPRINT_NAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tr::blueprint {

/// The values of an enumeration parameter.
llvm::SmallVector<llvm::StringRef> getActivationNames();
llvm::SmallVector<llvm::StringRef> getStyleNames();

/// "; did you mean 'conv'?", or nothing where no candidate is close enough to be meant.
std::string didYouMean(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates);

/// What the language calls a layer that other frameworks call `other`; empty where there is none.
llvm::StringRef findOwnName(llvm::StringRef other);

} // namespace tr::blueprint

#endif // RENAISSANCE_LIB_TARGET_BLUEPRINT_NAMES_H
