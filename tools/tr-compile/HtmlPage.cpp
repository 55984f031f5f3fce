// SPDX-License-Identifier: Apache-2.0
//
// The page of --html: report.html and report.js with the data in them.
#include "HtmlReport.h"

#include "HtmlPage.inc" // kPage and kScript, made from the two files

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace tr {

// `<` only stands in strings; a layer called "</script>" must not end the element.
static std::string escapeForScript(llvm::StringRef json) {
  std::string text;
  text.reserve(json.size());
  for (char c : json)
    c == '<' ? text += "\\u003c" : text += c;
  return text;
}

std::string renderReport(const llvm::json::Value &data) {
  llvm::StringRef page = kPage;
  auto [head, rest] = page.split("@DATA@");
  auto [middle, tail] = rest.split("@SCRIPT@");
  return (head + escapeForScript(llvm::formatv("{0}", data).str()) + middle + kScript + tail).str();
}

} // namespace tr
