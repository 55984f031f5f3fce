// SPDX-License-Identifier: Apache-2.0
//
// Whether a plan fits into a device, and which batch would.
#ifndef RENAISSANCE_TOOLS_TR_COMPILE_DEVICEMEMORY_H
#define RENAISSANCE_TOOLS_TR_COMPILE_DEVICEMEMORY_H

#include "Options.h"

#include "mlir/IR/BuiltinOps.h"

namespace tr {

/// The largest training batch whose arena has at most `line.deviceMemory` bytes; 0 where not
/// even one sample fits. `arch` holds the network before `--tr-graph-pipeline` and stays as it
/// is. A validation batch that was not given follows the training batch.
int64_t findLargestBatch(mlir::ModuleOp arch, const CommandLine &line);

} // namespace tr

#endif // RENAISSANCE_TOOLS_TR_COMPILE_DEVICEMEMORY_H
