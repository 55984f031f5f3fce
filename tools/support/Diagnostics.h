// SPDX-License-Identifier: Apache-2.0
//
// Diagnostics of tools, each of bounded length.
#ifndef RENAISSANCE_TOOLS_SUPPORT_DIAGNOSTICS_H
#define RENAISSANCE_TOOLS_SUPPORT_DIAGNOSTICS_H

#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <string>

namespace tr {

/// Of a very long line, which a generated file may have, a message shows a window around the place.
inline void showWindows(llvm::SourceMgr &sources) {
  sources.setDiagHandler([](const llvm::SMDiagnostic &message, void *) {
    constexpr size_t kLongest = 400, kWindow = 120;
    llvm::StringRef line = message.getLineContents();
    if (line.size() <= kLongest) {
      message.print(nullptr, llvm::errs());
      return;
    }
    size_t column = std::min<size_t>(std::max(message.getColumnNo(), 0), line.size());
    size_t begin = column - std::min(column, kWindow / 2);
    std::string window = line.substr(begin, kWindow).str();
    for (char &c : window)
      if (static_cast<unsigned char>(c) < ' ')
        c = ' '; // keeps the caret in its column
    const char *kind = message.getKind() == llvm::SourceMgr::DK_Error     ? "error: "
                       : message.getKind() == llvm::SourceMgr::DK_Warning ? "warning: "
                       : message.getKind() == llvm::SourceMgr::DK_Note    ? "note: "
                                                                          : "remark: ";
    llvm::errs() << message.getFilename() << ':' << message.getLineNo() << ':' << column + 1 << ": "
                 << kind << message.getMessage().take_front(kLongest) << "\n..." << window
                 << "...\n"
                 << std::string(column - begin + 3, ' ') << "^\n";
  });
}

} // namespace tr

#endif // RENAISSANCE_TOOLS_SUPPORT_DIAGNOSTICS_H
