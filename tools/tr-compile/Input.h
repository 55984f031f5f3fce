// SPDX-License-Identifier: Apache-2.0
//
// What tr-compile is given: a BluePrint, MLIR or YAML, from a file or a pipe.
#ifndef RENAISSANCE_TOOLS_TR_COMPILE_INPUT_H
#define RENAISSANCE_TOOLS_TR_COMPILE_INPUT_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tr {

enum class InputFormat { BluePrint, Mlir, Yaml };

/// The format of --input-format: bp, mlir, yaml.
std::optional<InputFormat> parseInputFormat(llvm::StringRef word);

/// By the file's name, else by its first word. `fault` says what the content is where it is none of
/// the three: "expected a BluePrint, MLIR or YAML, but got ...".
InputFormat guessInputFormat(llvm::StringRef path, llvm::StringRef content, std::string &fault);

} // namespace tr

#endif // RENAISSANCE_TOOLS_TR_COMPILE_INPUT_H
