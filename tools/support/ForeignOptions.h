// SPDX-License-Identifier: Apache-2.0
//
// LLVM's library brings some hundred options of code generators, which no tool of ours needs.
#ifndef RENAISSANCE_TOOLS_SUPPORT_FOREIGNOPTIONS_H
#define RENAISSANCE_TOOLS_SUPPORT_FOREIGNOPTIONS_H

#include "llvm/Support/CommandLine.h"

namespace tr {

/// Leaves what libraries have registered so far out of --help; --help-hidden, or --help-all, which
/// becomes the same, still shows it. For the begin of main, before the tool has options.
inline void hideForeignOptions(int argc, char **argv) {
  for (auto &entry : llvm::cl::getRegisteredOptions()) {
    llvm::StringRef name = entry.first;
    if (!name.starts_with("help") && name != "version" &&
        entry.second->getOptionHiddenFlag() == llvm::cl::NotHidden)
      entry.second->setHiddenFlag(llvm::cl::Hidden);
  }
  static char hidden[] = "--help-hidden";
  for (int i = 1; i < argc && llvm::StringRef(argv[i]) != "--"; ++i)
    if (llvm::StringRef(argv[i]) == "--help-all")
      argv[i] = hidden;
}

} // namespace tr

#endif // RENAISSANCE_TOOLS_SUPPORT_FOREIGNOPTIONS_H
