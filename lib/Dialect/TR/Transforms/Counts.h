// SPDX-License-Identifier: Apache-2.0
//
// Pass statistics that can also be read where LLVM was built without them, as
// distributions do: each count is an analysis remark too.
#ifndef RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_COUNTS_H
#define RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_COUNTS_H

#include "mlir/IR/Remarks.h"
#include "mlir/Pass/Pass.h"

namespace tr {

/// Adds `count` to a statistic called `name`; `--remarks-filter-analyse=<flag>` of a
/// pass driver prints it as `name=count` at `where`.
inline void addCount(mlir::Pass::Statistic &statistic, llvm::StringRef flag, llvm::StringRef name,
                     int64_t count, mlir::Operation *where) {
  if (count == 0)
    return;
  statistic += count;
  mlir::remark::analysis(where->getLoc(),
                         mlir::remark::RemarkOpts::name("Statistic").category(flag))
      << mlir::remark::metric(name, count);
}

} // namespace tr

#endif // RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_COUNTS_H
