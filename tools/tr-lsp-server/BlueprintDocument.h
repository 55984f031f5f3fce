// SPDX-License-Identifier: Apache-2.0
//
// What an editor wants to know of a BluePrint: faults, definitions, and what each call is given and
// gives.
#ifndef RENAISSANCE_TOOLS_TR_LSP_SERVER_BLUEPRINTDOCUMENT_H
#define RENAISSANCE_TOOLS_TR_LSP_SERVER_BLUEPRINTDOCUMENT_H

#include "renaissance/Target/Blueprint/BlueprintIndex.h"

#include <map>
#include <string>
#include <vector>

namespace tr {

struct TextFault {
  TextPlace at;
  std::string message; ///< notes on lines of their own
  bool isError = true;

  bool operator==(const TextFault &other) const {
    return at == other.at && message == other.message;
  }
};

/// A call with shapes; of one that is repeated the first input and the last output.
struct CallShapes {
  std::string input, output; ///< "28x28x1"
};

/// A text and what the compiler says of every model in it, up to the layers. Extents are found for
/// so many layers as take about a tenth of a second; where a model has more, a warning says so.
class BlueprintDocument {
public:
  explicit BlueprintDocument(std::string content);

  llvm::StringRef getText() const { return text; }
  const BlueprintIndex &getIndex() const { return index; }
  const std::vector<TextFault> &getFaults() const { return faults; }
  /// By the place where the call's name begins.
  const std::map<TextPlace, CallShapes> &getCalls() const { return calls; }
  /// Where the name begins that `place` is in, and the name; empty for none.
  std::pair<TextPlace, llvm::StringRef> findName(TextPlace place) const;
  /// Behind the last parenthesis of the call at `place`.
  TextPlace findEnd(TextPlace place) const;

private:
  void analyse(const std::string &model);
  void addFault(TextFault fault);
  llvm::StringRef lineOf(unsigned line) const;

  std::string text;
  BlueprintIndex index;
  int64_t work = 0; // so far, in layers
  std::vector<TextFault> faults;
  std::map<TextPlace, CallShapes> calls;
};

} // namespace tr

#endif // RENAISSANCE_TOOLS_TR_LSP_SERVER_BLUEPRINTDOCUMENT_H
