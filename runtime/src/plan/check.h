// SPDX-License-Identifier: Apache-2.0
//
// Error messages of the plan checks: "OPS record 12, field opcode: expected ...".
#ifndef TRRT_PLAN_CHECK_H
#define TRRT_PLAN_CHECK_H

#include "base/status.h"
#include "trrt/plan_format.h"

#include <cstdint>
#include <string>

namespace trrt {

[[noreturn]] inline void rejectPlan(const std::string &message) {
  throw Error(TRRT_INVALID_FILE, message);
}

// The place of a field, put into words only when a check fails.
struct Field {
  const char *section;
  size_t record;
  const char *name;

  [[noreturn]] void reject(const std::string &message) const {
    rejectPlan(std::string(section) + " record " + std::to_string(record) + ", field " + name +
               ": " + message);
  }
  void require(bool holds, const char *message) const {
    if (!holds)
      reject(message);
  }
  void below(uint64_t value, uint64_t limit, const char *what) const {
    if (value >= limit)
      reject("expected one of " + std::to_string(limit) + " " + what + ", but got " +
             std::to_string(value));
  }
  void belowOrNone(uint32_t value, uint64_t limit, const char *what) const {
    if (value != TRRT_PLAN_NONE)
      below(value, limit, what);
  }
  void zero(uint64_t value) const {
    if (value != 0)
      reject("expected 0, but got " + std::to_string(value));
  }
  void within(uint64_t value, uint64_t low, uint64_t high) const {
    if (value < low || value > high)
      reject("expected " + std::to_string(low) + " to " + std::to_string(high) + ", but got " +
             std::to_string(value));
  }
  // [first, first + count) inside a table of `limit` records.
  void span(uint64_t first, uint64_t count, uint64_t limit) const {
    if (first > limit || count > limit - first)
      reject("expected a run inside " + std::to_string(limit) + " records, but got " +
             std::to_string(first) + " + " + std::to_string(count));
  }
};

} // namespace trrt

#endif // TRRT_PLAN_CHECK_H
