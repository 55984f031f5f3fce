// SPDX-License-Identifier: Apache-2.0
//
// What the words of a BluePrint are, without importing it: definitions, uses, and what may stand at
// a place. Reads any text, with errors or unfinished, and reports nothing.
#ifndef RENAISSANCE_TARGET_BLUEPRINT_BLUEPRINTINDEX_H
#define RENAISSANCE_TARGET_BLUEPRINT_BLUEPRINTINDEX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace tr {

/// Line and column in bytes, both from 1. Code is ASCII, and what is not stands at the ends of
/// lines, in comments: bytes are the UTF-16 units that editors count.
struct TextPlace {
  unsigned line = 1, column = 1;
  bool operator<(const TextPlace &other) const {
    return std::pair(line, column) < std::pair(other.line, other.column);
  }
  bool operator==(const TextPlace &other) const {
    return line == other.line && column == other.column;
  }
};

/// What a text defines.
struct BlueprintSymbol {
  enum Kind { Let, Model, Function, Param };
  static constexpr size_t kNone = ~size_t(0);

  Kind kind = Let;
  std::string name;
  std::string text;            ///< the first line of the definition
  TextPlace at;                ///< its name
  TextPlace begin, end;        ///< the definition, from its keyword to behind its ';' or '}'
  bool isClosed = false;       ///< that is there, or another definition is
  size_t owner = kNone;        ///< number of the model of a let, of the function of a parameter
  std::vector<TextPlace> uses; ///< in the order of the text
};

/// What a text holds in front of a place.
struct BlueprintContext {
  enum Kind {
    Nothing,  ///< nothing that has a name: a comment, a text, a definition's own name
    TopLevel, ///< a definition
    Header,   ///< the header of a model
    Body,     ///< the lets and the layers of a model
    Layer,    ///< an expression
    Argument, ///< of a call
  };
  Kind kind = Nothing;
  std::string call;               ///< the innermost open call
  TextPlace callAt;               ///< where its name begins
  std::string label;              ///< the name of the argument, behind its '='
  size_t positional = 0;          ///< positional arguments before this one
  bool isOperand = false;         ///< behind an operator or '(', where only a number can stand
  bool isStart = true;            ///< at most a part of a word of the argument is there
  std::vector<std::string> given; ///< names of the arguments before this one
};

/// The definitions of a text and their uses.
class BlueprintIndex {
public:
  explicit BlueprintIndex(llvm::StringRef text);

  llvm::ArrayRef<BlueprintSymbol> getSymbols() const { return symbols; }
  /// What the name that begins at a place defines or uses; null for other words.
  const BlueprintSymbol *find(TextPlace name) const;
  /// What an expression at a place may use: lets, functions, parameters.
  std::vector<const BlueprintSymbol *> findVisible(TextPlace place) const;
  /// The function of this name; null where there is none.
  const BlueprintSymbol *findFunction(llvm::StringRef name) const;

private:
  std::vector<BlueprintSymbol> symbols;
  std::map<TextPlace, size_t> names; // number of the symbol
};

/// What may stand at a place of a text.
BlueprintContext findBlueprintContext(llvm::StringRef text, TextPlace place);

} // namespace tr

#endif // RENAISSANCE_TARGET_BLUEPRINT_BLUEPRINTINDEX_H
