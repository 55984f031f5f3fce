// SPDX-License-Identifier: Apache-2.0
//
// The attributes of a layer as data, made from its definition in Layers.td.
#ifndef RENAISSANCE_DIALECT_TR_IR_LAYERFIELDS_H
#define RENAISSANCE_DIALECT_TR_IR_LAYERFIELDS_H

#include "llvm/ADT/StringRef.h"

namespace tr {

enum class FieldKind { Int, Ints, Real, Bool, Unit, Strings, Act, Style, Conv, Pool, Block };

struct LayerField {
  llvm::StringLiteral name;
  FieldKind kind;
};

} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_IR_LAYERFIELDS_H
