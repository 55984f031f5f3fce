// SPDX-License-Identifier: Apache-2.0
//
// What both directions of YAML know of the format; the fields of a layer are its own
// (LayerOpInterface::getFields).
#ifndef RENAISSANCE_LIB_TARGET_YAML_FORMAT_H
#define RENAISSANCE_LIB_TARGET_YAML_FORMAT_H

#include "renaissance/Dialect/TR/IR/LayerFields.h"

namespace tr::yaml {

inline constexpr int64_t kVersion = 2;
inline constexpr llvm::StringLiteral kOptions = "tr.options"; // of the module
inline constexpr llvm::StringLiteral kBranches = "branches";  // of a layer that joins them

} // namespace tr::yaml

#endif // RENAISSANCE_LIB_TARGET_YAML_FORMAT_H
