// SPDX-License-Identifier: Apache-2.0
//
// Files that tr-compile writes.
#ifndef RENAISSANCE_TOOLS_TR_COMPILE_WRITEFILE_H
#define RENAISSANCE_TOOLS_TR_COMPILE_WRITEFILE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tr {

/// Writes through a temporary file and a rename: a reader never sees a part. Returns an empty
/// string or what failed.
std::string writeFile(const std::string &path, llvm::StringRef content);

} // namespace tr

#endif // RENAISSANCE_TOOLS_TR_COMPILE_WRITEFILE_H
