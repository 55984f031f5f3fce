// SPDX-License-Identifier: Apache-2.0
//
// --version of tools whose command line LLVM parses.
#ifndef RENAISSANCE_TOOLS_SUPPORT_VERSION_H
#define RENAISSANCE_TOOLS_SUPPORT_VERSION_H

#include "trf/version.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace tr {

inline void setVersion(const char *tool) {
  llvm::cl::SetVersionPrinter([tool](llvm::raw_ostream &os) {
    os << tool << " " TRF_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
  });
}

} // namespace tr

#endif // RENAISSANCE_TOOLS_SUPPORT_VERSION_H
