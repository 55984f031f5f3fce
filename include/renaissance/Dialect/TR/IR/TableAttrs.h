// SPDX-License-Identifier: Apache-2.0
//
// The enumerations of the plan format in attribute text: printing and parsing by the
// spellings of its tables.
#ifndef RENAISSANCE_DIALECT_TR_IR_TABLEATTRS_H
#define RENAISSANCE_DIALECT_TR_IR_TABLEATTRS_H

#include "trf/kernel_ops.h"
#include "trf/regions.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/bit.h"

namespace tr {

inline llvm::StringRef toRef(std::string_view text) { return {text.data(), text.size()}; }
inline std::string_view toView(llvm::StringRef text) { return {text.data(), text.size()}; }

/// A region as a key of maps.
inline unsigned toKey(trf::TypedRegion region) {
  unsigned dtype = region.dtype ? static_cast<unsigned>(*region.dtype) + 1 : 0;
  return static_cast<unsigned>(region.region.role) |
         static_cast<unsigned>(region.region.group) << 8 | dtype << 16;
}

/// The spelling of an enumerator of a table of the plan format.
template <typename E> llvm::StringRef spell(E value) { return toRef(trf::name(value)); }
inline std::string spell(trf::TypedRegion region) { return region.name(); }
inline std::string spell(trf::Target target) { return trf::targetName(target); }
inline std::string spell(trf::Act act) { return trf::name(act); }

/// And back; nullopt for an unknown spelling.
template <typename E> struct Spelling {
  static constexpr const char *noun = trf::Table<E>::noun;
  static std::optional<E> find(llvm::StringRef text) { return trf::symbolize<E>(toView(text)); }
};
template <> struct Spelling<trf::Opcode> {
  static constexpr const char *noun = "kernel ops";
  static std::optional<trf::Opcode> find(llvm::StringRef text) {
    return trf::symbolizeOpcode(toView(text));
  }
};
template <> struct Spelling<trf::TypedRegion> {
  static constexpr const char *noun = "regions";
  static std::optional<trf::TypedRegion> find(llvm::StringRef text) {
    return trf::symbolizeTypedRegion(toView(text));
  }
};
template <> struct Spelling<trf::Target> {
  static constexpr const char *noun = "targets";
  static std::optional<trf::Target> find(llvm::StringRef text) {
    return trf::symbolizeTarget(toView(text));
  }
};
template <> struct Spelling<trf::Act> {
  static constexpr const char *noun = trf::Table<trf::Activation>::noun;
  static std::optional<trf::Act> find(llvm::StringRef text) {
    return trf::symbolizeAct(toView(text));
  }
};

/// A keyword or a quoted string. Errors: no spelling of the table.
template <typename E> mlir::FailureOr<E> parseSpelling(mlir::AsmParser &parser) {
  std::string text;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeywordOrString(&text))
    return mlir::failure();
  if (std::optional<E> value = Spelling<E>::find(text))
    return *value;
  return parser.emitError(loc) << "expected one of the " << Spelling<E>::noun << ", but got '"
                               << text << "'";
}

/// A keyword, and in parentheses the parameter of an activation that has one: `leaky_relu(0.2)`.
template <> mlir::FailureOr<trf::Act> parseSpelling<trf::Act>(mlir::AsmParser &parser);
inline void printSpelling(mlir::AsmPrinter &printer, trf::Act act) {
  printer.getStream() << spell(act);
}

/// Bare where it is a keyword.
template <typename E> void printSpelling(mlir::AsmPrinter &printer, E value) {
  printer.printKeywordOrString(std::string(spell(value)));
}
template <typename E> void printQuoted(mlir::AsmPrinter &printer, E value) {
  printer.printString(std::string(spell(value)));
}

} // namespace tr

namespace trf {
inline llvm::hash_code hash_value(TypedRegion region) {
  return llvm::hash_value(tr::toKey(region));
}
inline llvm::hash_code hash_value(Act act) {
  return llvm::hash_combine(static_cast<unsigned>(act.kind),
                            llvm::bit_cast<uint32_t>(act.parameter));
}
} // namespace trf

#endif // RENAISSANCE_DIALECT_TR_IR_TABLEATTRS_H
