// SPDX-License-Identifier: Apache-2.0
//
// Faults of a plan. Written apart from the planners on purpose: nothing that they use is
// used here.
#include "renaissance/Planner/Planner.h"

#include <algorithm>
#include <set>

namespace tr::planner {
namespace {

class Validator {
public:
  Validator(const std::vector<Buffer> &buffers, const std::vector<int64_t> &offsets)
      : buffers(buffers), offsets(offsets) {}

  std::optional<std::string> checkPlaces(std::optional<int64_t> capacity) const;
  std::optional<std::string> checkOverlaps() const;

private:
  std::string describe(size_t index) const {
    const Buffer &b = buffers[index];
    return "buffer " + std::to_string(index) + " at [" + std::to_string(offsets[index]) + ", " +
           std::to_string(offsets[index] + b.size) + ") in steps [" + std::to_string(b.lower) +
           ", " + std::to_string(b.upper) + ")";
  }

  const std::vector<Buffer> &buffers;
  const std::vector<int64_t> &offsets;
};

std::optional<std::string> Validator::checkPlaces(std::optional<int64_t> capacity) const {
  for (size_t i = 0; i < buffers.size(); ++i) {
    const std::string name = "buffer " + std::to_string(i);
    int64_t end = 0;
    if (buffers[i].size < 0 || buffers[i].lower >= buffers[i].upper)
      return "expected a size >= 0 and a lifetime with lower < upper of " + name;
    if (offsets[i] < 0 || __builtin_add_overflow(offsets[i], buffers[i].size, &end))
      return "expected an offset in range, but got " + std::to_string(offsets[i]) + " of " + name;
    if (buffers[i].offset >= 0 && buffers[i].offset != offsets[i])
      return "expected the fixed offset " + std::to_string(buffers[i].offset) + ", but got " +
             std::to_string(offsets[i]) + " of " + name;
    if (capacity && end > *capacity)
      return "expected at most " + std::to_string(*capacity) + " bytes, but got " + describe(i);
  }
  return std::nullopt;
}

// Sweeps over the steps; the living are disjoint ranges, so that a new one can only touch
// its two neighbours.
std::optional<std::string> Validator::checkOverlaps() const {
  std::vector<size_t> born, dying;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].size > 0)
      born.push_back(i);
  dying = born;
  std::sort(born.begin(), born.end(), [&](size_t a, size_t b) {
    return buffers[a].lower != buffers[b].lower ? buffers[a].lower < buffers[b].lower : a < b;
  });
  std::sort(dying.begin(), dying.end(), [&](size_t a, size_t b) {
    return buffers[a].upper != buffers[b].upper ? buffers[a].upper < buffers[b].upper : a < b;
  });
  const auto byOffset = [&](size_t a, size_t b) { return offsets[a] < offsets[b]; };
  std::set<size_t, decltype(byOffset)> alive(byOffset);
  const auto meets = [&](size_t below, size_t above) {
    return offsets[below] + buffers[below].size > offsets[above];
  };
  size_t gone = 0;
  for (size_t i : born) {
    while (buffers[dying[gone]].upper <= buffers[i].lower)
      alive.erase(dying[gone++]);
    const auto [place, isNew] = alive.insert(i);
    std::optional<size_t> other;
    if (!isNew)
      other = *place;
    else if (place != alive.begin() && meets(*std::prev(place), i))
      other = *std::prev(place);
    else if (std::next(place) != alive.end() && meets(i, *std::next(place)))
      other = *std::next(place);
    if (other)
      return "expected buffers that do not overlap, but got " + describe(std::min(i, *other)) +
             " and " + describe(std::max(i, *other));
  }
  return std::nullopt;
}

} // namespace

std::optional<std::string> findFault(const std::vector<Buffer> &buffers,
                                     const std::vector<int64_t> &offsets,
                                     std::optional<int64_t> capacity) {
  if (offsets.size() != buffers.size())
    return "expected " + std::to_string(buffers.size()) + " offsets, but got " +
           std::to_string(offsets.size());
  const Validator validator(buffers, offsets);
  if (std::optional<std::string> fault = validator.checkPlaces(capacity))
    return fault;
  return validator.checkOverlaps();
}

} // namespace tr::planner
