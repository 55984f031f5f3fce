// SPDX-License-Identifier: Apache-2.0
//
// `--tr-debug-only`: what chosen passes do, line by line, in every build of LLVM.
#ifndef RENAISSANCE_TOOLS_TR_OPT_DEBUGONLY_H
#define RENAISSANCE_TOOLS_TR_OPT_DEBUGONLY_H

#include "renaissance/Dialect/TR/Transforms/RemarkListeners.h"

#include "mlir/Pass/PassManager.h"

#include <string>
#include <vector>

namespace tr {

/// The first of `flags` that is no flag of a registered pass, or an empty string.
std::string findUnknownPass(llvm::ArrayRef<std::string> flags);

/// Prints to stderr what the passes with these flags work on and whether they change anything; the
/// listener, what they decide. Needs a context without threads, for lines in the order of the work.
RemarkListener debugPasses(mlir::PassManager &pm, const std::vector<std::string> &flags);

} // namespace tr

#endif // RENAISSANCE_TOOLS_TR_OPT_DEBUGONLY_H
