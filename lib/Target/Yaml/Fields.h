// SPDX-License-Identifier: Apache-2.0
//
// The one list of fields that a layer may have, for both directions.
#ifndef RENAISSANCE_LIB_TARGET_YAML_FIELDS_H
#define RENAISSANCE_LIB_TARGET_YAML_FIELDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tr::yaml {

inline constexpr int64_t kVersion = 1;
inline constexpr llvm::StringLiteral kOptions = "tr.options"; // of the module

enum class FieldKind { Int, Real, Bool, Unit, Strings, Act, Conv, Pool };

struct Field {
  llvm::StringLiteral name; // of the op's attribute too
  FieldKind kind;
};

/// In the order in which they are written.
inline constexpr Field kFields[] = {
    {"parts", FieldKind::Strings}, {"geometry", FieldKind::Conv}, {"window", FieldKind::Pool},
    {"act", FieldKind::Act},       {"kind", FieldKind::Act},      {"expand", FieldKind::Int},
    {"mid", FieldKind::Int},       {"out", FieldKind::Int},       {"stride", FieldKind::Int},
    {"bias", FieldKind::Bool},     {"classes", FieldKind::Int},   {"eps", FieldKind::Real},
    {"momentum", FieldKind::Real}, {"p", FieldKind::Real},        {"first", FieldKind::Unit},
};

inline const Field *findField(llvm::StringRef name) {
  for (const Field &field : kFields)
    if (field.name == name)
      return &field;
  return nullptr;
}

} // namespace tr::yaml

#endif // RENAISSANCE_LIB_TARGET_YAML_FIELDS_H
