// SPDX-License-Identifier: Apache-2.0
//
// Buffers as comma-separated values, in the columns of minimalloc.
#ifndef RENAISSANCE_TOOLS_TR_MEMPLAN_CSV_H
#define RENAISSANCE_TOOLS_TR_MEMPLAN_CSV_H

#include "renaissance/Planner/Planner.h"

#include <stdexcept>

namespace memplan {

struct Table {
  std::vector<std::string> ids;
  std::vector<size_t> lines; // 1-based
  std::vector<tr::planner::Buffer> buffers;
};

// "file:line:column: error: expected X, but got Y"
struct CsvError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The header names the columns id, lower, upper, size and, where wanted, offset, in any
// order; an offset that is empty or -1 is free. Throws CsvError.
Table parseCsv(const std::string &name, const std::string &text);

std::string writeCsv(const Table &table, const std::vector<int64_t> &offsets);

} // namespace memplan

#endif // RENAISSANCE_TOOLS_TR_MEMPLAN_CSV_H
