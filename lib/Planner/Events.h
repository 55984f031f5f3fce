// SPDX-License-Identifier: Apache-2.0
//
// Both ends of lifetimes in the order of the steps: at one step ends come before starts,
// then the lower index. Buffers of size 0 are left out. The validator has a sweep of its own.
#ifndef RENAISSANCE_LIB_PLANNER_EVENTS_H
#define RENAISSANCE_LIB_PLANNER_EVENTS_H

#include "renaissance/Planner/Planner.h"

#include <algorithm>

namespace tr::planner {

struct Event {
  int64_t step;
  bool start;
  size_t buffer;
};

inline std::vector<Event> sortEvents(const std::vector<Buffer> &buffers, bool fixedOnly) {
  std::vector<Event> events;
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].size == 0 || (fixedOnly && buffers[i].offset < 0))
      continue;
    events.push_back({buffers[i].lower, true, i});
    events.push_back({buffers[i].upper, false, i});
  }
  std::sort(events.begin(), events.end(), [](const Event &a, const Event &b) {
    if (a.step != b.step)
      return a.step < b.step;
    return a.start != b.start ? !a.start : a.buffer < b.buffer;
  });
  return events;
}

} // namespace tr::planner

#endif // RENAISSANCE_LIB_PLANNER_EVENTS_H
