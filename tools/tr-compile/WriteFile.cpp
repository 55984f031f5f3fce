// SPDX-License-Identifier: Apache-2.0
//
// Whole files or none.
#include "WriteFile.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"

std::string tr::writeFile(const std::string &path, llvm::StringRef content) {
  llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << content;
    return llvm::Error::success();
  });
  return error ? "cannot write '" + path + "': " + llvm::toString(std::move(error)) : "";
}
