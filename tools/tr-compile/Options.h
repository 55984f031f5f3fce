// SPDX-License-Identifier: Apache-2.0
//
// The command line of tr-compile.
#ifndef TR_COMPILE_OPTIONS_H
#define TR_COMPILE_OPTIONS_H

#include "renaissance/Conversion/VariantSpecs.h"

#include <optional>
#include <string>

namespace tr {

struct CompileOptions {
  std::string input, output, model, dumpDir, html;
  std::optional<ImageShape> shape; ///< instead of the model's own
  int64_t classes = 0, slices = 2;
  trf::Optimizer optimizer = trf::Optimizer::SGD;
  trf::Target target = trf::Target::CpuV3;
  VariantRequest variants;
  int64_t deviceMemory = 0; ///< bytes; 0: not asked
  bool fuse = true, winograd = true, zeroGamma = false, reuse = true;
  bool summary = false, memory = false, time = false, dryRun = false;
};

/// Reads the command line. An exit code where the program is to end at once: 0 after --help and
/// the like, 2 after a usage error, which was printed.
std::optional<int> parseCommandLine(int argc, char **argv, CompileOptions &options);

/// Bytes with an optional decimal unit: 8G, 1.5G, 512M, 64k, 1000000.
std::optional<int64_t> parseBytes(llvm::StringRef text);

} // namespace tr

#endif // TR_COMPILE_OPTIONS_H
