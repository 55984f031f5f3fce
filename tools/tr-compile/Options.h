// SPDX-License-Identifier: Apache-2.0
//
// The command line of tr-compile.
#ifndef RENAISSANCE_TOOLS_TR_COMPILE_OPTIONS_H
#define RENAISSANCE_TOOLS_TR_COMPILE_OPTIONS_H

#include "Input.h"

#include "renaissance/Dialect/TR/IR/TRDialect.h"

#include "support/StatisticsReport.h"

#include <optional>
#include <string>

namespace tr {

struct CommandLine {
  std::string input, output, model, network, dumpDir, html;
  std::optional<InputFormat> format; ///< instead of what name and content say
  std::optional<ImageShape> shape;   ///< instead of the model's own
  int64_t classes = 0;               ///< instead of the model's own; 0: those
  int64_t deviceMemory = 0;          ///< bytes; 0: not asked
  StatisticsReport statistics;
  bool summary = false, memory = false, time = false, dryRun = false;
  CompileOptions options;
};

/// Reads the command line. An exit code where the program is to end at once: 0 after --help and
/// the like, 2 after a usage error, which was printed.
std::optional<int> parseCommandLine(int argc, char **argv, CommandLine &line);

/// Bytes with an optional decimal unit: 8G, 1.5G, 512M, 64k, 1000000.
std::optional<int64_t> parseBytes(llvm::StringRef text);

} // namespace tr

#endif // RENAISSANCE_TOOLS_TR_COMPILE_OPTIONS_H
