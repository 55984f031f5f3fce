// SPDX-License-Identifier: Apache-2.0
//
// Error messages of the plan checks: "OPS record 12, field opcode: expected ...".
#ifndef TRF_SRC_CHECK_H
#define TRF_SRC_CHECK_H

#include "trf/plan_records.h"
#include "trf/regions.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace trf {

[[noreturn]] inline void rejectPlan(const std::string &message) { throw FormatError(message); }
[[noreturn]] inline void rejectSection(Section section, const std::string &message) {
  throw FormatError({section}, "", message);
}
inline void requireCount(Section section, uint64_t got, uint64_t expected) {
  if (got != expected)
    rejectSection(section, "expected " + std::to_string(expected) + " records, but got " +
                               std::to_string(got));
}

// The place of a field, put into words only when a check fails.
struct Field {
  Section section;
  size_t record;
  const char *name;

  [[noreturn]] void reject(const std::string &message) const {
    throw FormatError({section, static_cast<uint32_t>(record)}, std::string(", field ") + name,
                      message);
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
    if (value != TRF_NONE)
      below(value, limit, what);
  }
  void zero(uint64_t value) const {
    if (value != 0)
      reject("expected 0, but got " + std::to_string(value));
  }
  // An id of a table of tables.def.
  template <typename E> void inTable(uint64_t value) const {
    below(value, kCount<E>, Table<E>::noun);
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

// Where entries of the section table are told from records.
inline constexpr Section kSectionTable{};

// Of offsets and sizes: sums of two stay in range.
inline constexpr uint64_t kMaxBytes = uint64_t{1} << 62;

inline void requireText(const PlanRecords &records, const Field &field, uint32_t string) {
  field.below(string, records.strings.size(), "strings");
}
inline void requireName(const PlanRecords &records, const Field &field, uint32_t string) {
  requireText(records, field, string);
  field.require(string != 0 && !records.text(string).empty(), "expected a name");
}
[[noreturn]] inline void rejectTwice(const Field &field, std::string_view text) {
  field.reject("expected a name of its own, but got '" + std::string(text) + "' again");
}
inline bool isPooled(const PlanRecords &records, const trf_tensor &tensor) {
  return row(static_cast<Role>(records.regions[tensor.region].role)).isPooled();
}

} // namespace trf

#endif // TRF_SRC_CHECK_H
