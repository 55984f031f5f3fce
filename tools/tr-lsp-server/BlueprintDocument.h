// SPDX-License-Identifier: Apache-2.0
//
// What an editor wants to know of a BluePrint: faults, and what each call is given and gives.
#ifndef RENAISSANCE_TOOLS_TR_LSP_SERVER_BLUEPRINTDOCUMENT_H
#define RENAISSANCE_TOOLS_TR_LSP_SERVER_BLUEPRINTDOCUMENT_H

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
};

struct TextFault {
  TextPlace at;
  std::string message; ///< notes on lines of their own
  bool isError = true;
};

/// A call with shapes; of one that is repeated the first input and the last output.
struct CallShapes {
  std::string input, output; ///< "28x28x1"
};

/// A text and what the compiler says of every model in it, up to the layers.
class BlueprintDocument {
public:
  explicit BlueprintDocument(std::string content);

  const std::vector<TextFault> &getFaults() const { return faults; }
  /// By the place where the call's name begins.
  const std::map<TextPlace, CallShapes> &getCalls() const { return calls; }
  /// Where the name begins that `place` is in, and the name; empty for none.
  std::pair<TextPlace, llvm::StringRef> findName(TextPlace place) const;
  /// Behind the last parenthesis of the call at `place`.
  TextPlace findEnd(TextPlace place) const;

private:
  void analyse(llvm::StringRef model);
  llvm::StringRef lineOf(unsigned line) const;

  std::string text;
  std::vector<TextFault> faults;
  std::map<TextPlace, CallShapes> calls;
};

} // namespace tr

#endif // RENAISSANCE_TOOLS_TR_LSP_SERVER_BLUEPRINTDOCUMENT_H
