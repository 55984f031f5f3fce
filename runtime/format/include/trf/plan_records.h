// SPDX-License-Identifier: Apache-2.0
//
// The sections of a plan file as records, and the way to bytes and back. Reading checks
// the outer form only: header, section table, checksums. What the records hold, makePlan() of
// plan.h looks at, for whoever reads a plan and for whoever writes one.
#ifndef TRF_PLAN_RECORDS_H
#define TRF_PLAN_RECORDS_H

#include "trf/plan_format.h"
#include "trf/tables.def"

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace trf {

enum class Section : uint32_t {
#define X(id, value, name, record, member) value = id,
  TRF_SECTIONS(X)
#undef X
};
// "TENSORS"; of another number "section table".
std::string_view name(Section section);

// A record, or a section as a whole.
struct Place {
  static constexpr uint32_t kWhole = TRF_NONE;

  Section section;
  uint32_t record = kWhole;
};
// "TENSORS record 12", "TENSORS"
std::string placeText(const Place &place);

// Why a file or some records are no plan: one line with section, record and field, and the same
// for programs, such as the compiler, which knows what it made the records of.
struct FormatError : std::runtime_error {
  // Of what lies in no section: header, section table, checksums.
  explicit FormatError(const std::string &fault) : runtime_error(fault), fault(fault) {}
  // `about` stands between place and fault: ", field dtype" or " (conv_fwd), x".
  FormatError(Place place, const std::string &about, const std::string &fault);
  // A fault between several records, whose message names them all.
  FormatError(const std::string &message, const std::string &fault, std::vector<Place> places)
      : runtime_error(message), fault(fault), places(std::move(places)) {}

  std::string fault;         // the message without the place
  std::vector<Place> places; // the record at fault, then the other parties; none: the file
};

struct PlanRecords {
  std::array<uint8_t, 16> contentId{};
#define X(id, value, name, record, member) std::vector<record> member;
  TRF_SECTIONS(X)
#undef X

  // Of a string that is there.
  std::string_view text(uint32_t string) const {
    const trf_string &s = strings[string];
    return {reinterpret_cast<const char *>(stringBytes.data()) + s.offset, s.bytes};
  }
};

// Throws FormatError. Strings may still be anything: makePlan() of plan.h looks at them.
PlanRecords readRecords(const uint8_t *bytes, size_t size);

// The file of these records: equal records give equal bytes. `target` and `meta` hold one
// record each, `strings` begins with the empty one.
std::vector<uint8_t> writeRecords(const PlanRecords &records);

// Computes the checksums and the content id of a file anew, for tests that change its bytes.
void reseal(std::vector<uint8_t> &bytes);

// Fills records: strings are stored once, ops with their operands and attributes.
class RecordBuilder {
public:
  RecordBuilder();

  // Makes room for so many strings.
  void reserveStrings(size_t count) { index.reserve(count); }
  uint32_t intern(std::string_view text);
  // Returns the op's record. `op` says opcode, instance, layer and algorithm.
  uint32_t addOp(trf_op op, const std::vector<uint32_t> &operands,
                 const std::vector<uint64_t> &attrs);

  PlanRecords records;

private:
  std::unordered_map<std::string, uint32_t> index;
};

} // namespace trf

#endif // TRF_PLAN_RECORDS_H
