// SPDX-License-Identifier: Apache-2.0
//
// What makes buffers unplannable, and the lower bound of every plan.
#include "Events.h"

#include <algorithm>
#include <map>

namespace tr::planner {
namespace {

std::string nameOf(size_t index) { return "buffer " + std::to_string(index); }

// One end of a lifetime. At equal steps ends come before starts: lifetimes are half-open.
std::optional<std::string> checkFixed(const std::vector<Buffer> &buffers, size_t &where) {
  std::map<int64_t, size_t> alive; // disjoint ranges, by offset
  for (const Event &event : sortEvents(buffers, /*fixedOnly=*/true)) {
    const Buffer &buffer = buffers[event.buffer];
    if (!event.start) {
      alive.erase(buffer.offset);
      continue;
    }
    auto above = alive.lower_bound(buffer.offset);
    size_t other = buffers.size();
    if (above != alive.end() && above->first < buffer.offset + buffer.size)
      other = above->second;
    else if (above != alive.begin()) {
      const Buffer &below = buffers[std::prev(above)->second];
      if (below.offset + below.size > buffer.offset)
        other = std::prev(above)->second;
    }
    where = std::max(other, event.buffer);
    if (other != buffers.size())
      return "expected fixed buffers that do not overlap, but got " +
             nameOf(std::min(other, event.buffer)) + " and " + nameOf(where);
    alive.emplace(buffer.offset, event.buffer);
  }
  return std::nullopt;
}

std::optional<std::string> checkRanges(const Buffer &buffer, size_t index) {
  const auto inRange = [](int64_t value) {
    return value >= -kLargestValue && value <= kLargestValue;
  };
  if (!inRange(buffer.lower) || !inRange(buffer.upper) || buffer.lower >= buffer.upper)
    return "expected a lifetime [lower, upper) with lower < upper, but got [" +
           std::to_string(buffer.lower) + ", " + std::to_string(buffer.upper) + ") of " +
           nameOf(index);
  if (buffer.size < 0 || !inRange(buffer.size))
    return "expected a size from 0 to 2^60, but got " + std::to_string(buffer.size) + " of " +
           nameOf(index);
  if (buffer.offset < -1 || !inRange(buffer.offset))
    return "expected an offset from 0 to 2^60, or -1, but got " + std::to_string(buffer.offset) +
           " of " + nameOf(index);
  return std::nullopt;
}

} // namespace

std::optional<std::string> checkBuffers(const std::vector<Buffer> &buffers, size_t *where) {
  size_t unused = 0;
  size_t &index = where ? *where : unused;
  int64_t sum = 0; // no plan ends above the highest fixed buffer plus the sum
  for (index = 0; index < buffers.size(); ++index) {
    const Buffer &buffer = buffers[index];
    if (std::optional<std::string> fault = checkRanges(buffer, index))
      return fault;
    if (buffer.size >= 4 * kLargestValue - sum)
      return "expected sizes whose sum is below 2^62, but got more at " + nameOf(index);
    sum += buffer.size;
  }
  return checkFixed(buffers, index);
}

int64_t lowerBound(const std::vector<Buffer> &buffers) {
  int64_t bound = 0, alive = 0;
  for (const Event &event : sortEvents(buffers, /*fixedOnly=*/false)) {
    const Buffer &buffer = buffers[event.buffer];
    alive += event.start ? buffer.size : -buffer.size;
    bound = std::max({bound, alive, buffer.offset < 0 ? 0 : buffer.offset + buffer.size});
  }
  return bound;
}

} // namespace tr::planner
