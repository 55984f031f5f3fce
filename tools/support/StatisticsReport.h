// SPDX-License-Identifier: Apache-2.0
//
// `--tr-statistics` of tools that run passes.
#ifndef RENAISSANCE_TOOLS_SUPPORT_STATISTICSREPORT_H
#define RENAISSANCE_TOOLS_SUPPORT_STATISTICSREPORT_H

#include "renaissance/Dialect/TR/Transforms/Statistics.h"

#include "support/Output.h"

#include <optional>
#include <string>

namespace tr {

enum class StatisticsFormat { Text, Json };
inline std::optional<StatisticsFormat> parseStatisticsFormat(llvm::StringRef text) {
  if (text == "text")
    return StatisticsFormat::Text;
  if (text == "json")
    return StatisticsFormat::Json;
  return std::nullopt;
}

/// What of `--tr-statistics[=FORMAT]` and `--tr-statistics-output FILE` was given; the second alone
/// asks for text.
struct StatisticsReport {
  std::optional<StatisticsFormat> format;
  std::string file; ///< empty: standard error

  bool isWanted() const { return format || !file.empty(); }

  /// Prints, where it was asked for.
  llvm::LogicalResult write(const Statistics &statistics) const {
    if (!isWanted())
      return llvm::success();
    if (file.empty()) {
      print(statistics, llvm::errs());
      return llvm::success();
    }
    FileStream os(file);
    if (os.good())
      print(statistics, os);
    return os.finish();
  }

private:
  void print(const Statistics &statistics, llvm::raw_ostream &os) const {
    if (format == StatisticsFormat::Json)
      statistics.printJson(os);
    else
      statistics.printText(os);
  }
};

} // namespace tr

#endif // RENAISSANCE_TOOLS_SUPPORT_STATISTICSREPORT_H
