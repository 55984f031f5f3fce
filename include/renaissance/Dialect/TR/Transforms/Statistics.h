// SPDX-License-Identifier: Apache-2.0
//
// What passes have counted, in every build of LLVM: collected from the remarks of Counts.h.
#ifndef RENAISSANCE_DIALECT_TR_TRANSFORMS_STATISTICS_H
#define RENAISSANCE_DIALECT_TR_TRANSFORMS_STATISTICS_H

#include "renaissance/Dialect/TR/Transforms/RemarkListeners.h"

#include "llvm/ADT/MapVector.h"

#include <string>

namespace tr {

/// The statistics that the definition of each pass lists (docs/generated/passes-*.md). A pass that
/// runs more than once adds up.
class Statistics {
public:
  /// A listener for listenToRemarks(), which this object must outlive.
  RemarkListener listen();

  /// A line for each count: flag, number, name. Passes stand in the order of their first runs.
  void printText(llvm::raw_ostream &os) const;
  /// {"statistics": [{"pass": FLAG, "counts": {NAME: NUMBER, ...}}, ...]}
  void printJson(llvm::raw_ostream &os) const;

private:
  void add(const mlir::remark::detail::Remark &remark);

  using Counts = llvm::MapVector<std::string, int64_t, std::map<std::string, unsigned>>;
  llvm::MapVector<std::string, Counts, std::map<std::string, unsigned>> passes;
};

} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_TRANSFORMS_STATISTICS_H
