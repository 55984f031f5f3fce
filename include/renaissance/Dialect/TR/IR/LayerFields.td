// SPDX-License-Identifier: Apache-2.0
//
// What a layer is given: the attributes of its ops, with their text in MLIR and their kind in YAML.
#ifndef TR_LAYER_FIELDS_TD
#define TR_LAYER_FIELDS_TD

include "renaissance/Dialect/TR/IR/TRBase.td"

// `kind` is an enumerator of ::tr::FieldKind.
class Field<string fieldName, AttrConstraint constraint, string fieldKind, string fieldFormat> {
  string name = fieldName;
  dag argument = !dag(ins, [constraint], [fieldName]);
  string format = fieldFormat;
  string entry = "{\"" # fieldName # "\", ::tr::FieldKind::" # fieldKind # "}";
}
class IntField<string name> : Field<name, I64Attr, "Int", "`" # name # "` $" # name>;
class RealField<string name> : Field<name, F64Attr, "Real", "`" # name # "` $" # name>;
class BoolField<string name> : Field<name, BoolAttr, "Bool", "`" # name # "` $" # name>;
class PairField<string name> : Field<name, DenseI64ArrayAttr, "Ints", "`" # name # "` $" # name>;
// Left out where it is [0, 0].
class ZeroPairField<string name>
    : Field<name, DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0}">, "Ints",
            "(`" # name # "` $" # name # "^)?">;
class OptionalField<string name, Attr attr, string kind>
    : Field<name, OptionalAttr<attr>, kind, "(`" # name # "` $" # name # "^)?">;
class UnitField<string name> : Field<name, UnitAttr, "Unit", "(`" # name # "` $" # name # "^)?">;
class OptionalIntField<string name> : OptionalField<name, I64Attr, "Int">;

def Geometry : Field<"geometry", TR_ConvAttr, "Conv", "$geometry">;
def Window : Field<"window", TR_PoolAttr, "Pool", "$window">;
def WindowAfter : Field<"window", TR_PoolAttr, "Pool", "`window` $window">;
def Act : Field<"act", TR_ActivationAttr, "Act", "`act` $act">;
def Eps : RealField<"eps">;
def Momentum : RealField<"momentum">;

// Methods of LayerOpInterface that follow from a layer's definition.
class TR_LayerMethods<list<Field> fields, list<string> facts> {
  string methods = [{
    ::llvm::ArrayRef<::tr::LayerField> $cppClass::getFields() {
      static constexpr ::tr::LayerField fields[] = {}] #
      !interleave(!foreach(f, fields, f.entry), ", ") # [{};
      return fields;
    }
  }] # !interleave(!foreach(fact, facts, "bool $cppClass::" # fact # "() { return true; }\n"), "");
}

#endif // TR_LAYER_FIELDS_TD
