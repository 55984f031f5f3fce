// SPDX-License-Identifier: Apache-2.0
//
// A file that is no text would fill the terminal with its bytes as the parser's first complaint.
#include "Input.h"

#include "trs/file_kind.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace tr {

std::optional<InputFormat> parseInputFormat(StringRef word) {
  return StringSwitch<std::optional<InputFormat>>(word)
      .Case("bp", InputFormat::BluePrint)
      .Case("mlir", InputFormat::Mlir)
      .Case("yaml", InputFormat::Yaml)
      .Default(std::nullopt);
}

static std::optional<InputFormat> byName(StringRef path) {
  return StringSwitch<std::optional<InputFormat>>(path.rsplit('.').second)
      .Case("bp", InputFormat::BluePrint)
      .Cases({"mlir", "mlirbc"}, InputFormat::Mlir)
      .Cases({"yaml", "yml"}, InputFormat::Yaml)
      .Default(std::nullopt);
}

// After blanks and comments, which BluePrints and MLIR write alike.
static StringRef findFirstWord(StringRef text) {
  for (text = text.ltrim(); text.starts_with("//"); text = text.ltrim())
    text = text.split('\n').second;
  return text.take_while([](char c) { return isAlpha(c) || c == ':' || c == '-'; });
}

InputFormat guessInputFormat(StringRef path, StringRef content, std::string &fault) {
  trs::FileKind kind = trs::recognise({content.data(), std::min<size_t>(content.size(), 64)});
  if (kind == trs::FileKind::MlirBytecode)
    return InputFormat::Mlir;
  if (kind != trs::FileKind::Text && kind != trs::FileKind::Unknown) {
    fault = "expected a BluePrint, MLIR or YAML, but got " +
            trs::explainWrongKind({content.data(), std::min<size_t>(content.size(), 64)}).substr(6);
    return InputFormat::Mlir;
  }
  if (content.take_front(4096).contains('\0')) {
    fault = "expected a BluePrint, MLIR or YAML, but got bytes that are no text";
    return InputFormat::Mlir;
  }
  if (std::optional<InputFormat> named = byName(path))
    return *named;
  if (content.starts_with("# ")) // a comment; an alias of MLIR has no blank there
    return InputFormat::Yaml;
  StringRef word = findFirstWord(content);
  if (word == "model" || word == "let")
    return InputFormat::BluePrint;
  return word.starts_with("---") || word.contains(':') ? InputFormat::Yaml : InputFormat::Mlir;
}

} // namespace tr
