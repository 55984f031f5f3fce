// SPDX-License-Identifier: Apache-2.0
//
// Counts of passes as remarks: LLVM's statistics are empty where it was built without them, as
// distributions do.
#ifndef RENAISSANCE_DIALECT_TR_TRANSFORMS_COUNTS_H
#define RENAISSANCE_DIALECT_TR_TRANSFORMS_COUNTS_H

#include "mlir/IR/Remarks.h"
#include "mlir/Pass/Pass.h"

namespace tr {

/// The name of remarks that count.
inline constexpr llvm::StringLiteral kCountRemark = "Statistic";

/// Adds `count` to a statistic called `name` of the pass with this flag, and tells it to whoever
/// listens to remarks: Statistics.h, or `--remarks-filter-analyse=<flag>` of any pass driver. A
/// pass tells each of its counts once in each run, 0 too.
inline void addCount(mlir::Pass::Statistic &statistic, llvm::StringRef flag, llvm::StringRef name,
                     int64_t count, mlir::Operation *where) {
  statistic += count;
  mlir::remark::analysis(where->getLoc(),
                         mlir::remark::RemarkOpts::name(kCountRemark).category(flag))
      << mlir::remark::metric(name, count);
}

} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_TRANSFORMS_COUNTS_H
