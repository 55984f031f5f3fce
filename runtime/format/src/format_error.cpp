// SPDX-License-Identifier: Apache-2.0
//
// Places and faults in words.
#include "trf/plan_records.h"

namespace trf {

namespace {

// What follows a place, on its own: "dtype: expected f32, but got i32".
std::string withoutPlace(std::string_view about, const std::string &fault) {
  for (const std::string_view lead : {", field ", ", ", " "})
    if (about.substr(0, lead.size()) == lead) {
      about.remove_prefix(lead.size());
      break;
    }
  return about.empty() ? fault : std::string(about) + ": " + fault;
}

} // namespace

std::string_view name(Section section) {
  switch (section) {
#define X(id, value, name, record, member)                                                         \
  case Section::value:                                                                             \
    return name;
    TRF_SECTIONS(X)
#undef X
  }
  return "section table";
}

std::string placeText(const Place &place) {
  std::string text(name(place.section));
  return place.record == Place::kWhole ? text : text + " record " + std::to_string(place.record);
}

FormatError::FormatError(Place place, const std::string &about, const std::string &fault)
    : runtime_error(placeText(place) + about + ": " + fault),
      fault(withoutPlace(about, fault)), places{place} {}

} // namespace trf
