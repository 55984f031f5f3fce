// SPDX-License-Identifier: Apache-2.0
//
// Whether a plan fits into a device, and which batch would.
#ifndef TR_COMPILE_DEVICEMEMORY_H
#define TR_COMPILE_DEVICEMEMORY_H

#include "Options.h"

#include "mlir/IR/BuiltinOps.h"

namespace tr {

/// The largest training batch whose arena has at most `options.deviceMemory` bytes; 0 where not
/// even one sample fits. `arch` holds the network before `--tr-graph-pipeline` and stays as it
/// is. A validation batch that was not given follows the training batch.
int64_t findLargestBatch(mlir::ModuleOp arch, const CompileOptions &options);

/// #tr.options for these options on the module.
mlir::LogicalResult attachOptions(mlir::ModuleOp module, const CompileOptions &options);

} // namespace tr

#endif // TR_COMPILE_DEVICEMEMORY_H
