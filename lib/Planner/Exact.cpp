// SPDX-License-Identifier: Apache-2.0
//
// The exact search from outside: its tables, restarts under several rankings, and the
// lowest plan as a row of capacities.
#include "Events.h"
#include "ExactSearch.h"

#include <algorithm>
#include <numeric>

namespace tr::planner {

// Both ends of all lifetimes in order; a section ends where an end follows a start.
void ExactSearch::buildSections() {
  spans.resize(buffers.size());
  bool growing = false;
  for (const Event &event : sortEvents(buffers, /*fixedOnly=*/false)) {
    if (!event.start && growing)
      ++numSections;
    growing = event.start;
    if (event.start)
      spans[event.buffer].first = static_cast<uint32_t>(numSections);
    else
      spans[event.buffer].last = static_cast<uint32_t>(numSections - 1);
  }
}

void ExactSearch::collectObstacles() {
  for (uint32_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].offset >= 0 && buffers[i].size > 0)
      fixed.push_back(i);
  std::sort(fixed.begin(), fixed.end(), [&](uint32_t a, uint32_t b) {
    return buffers[a].offset != buffers[b].offset ? buffers[a].offset > buffers[b].offset : a < b;
  });
  obstacles.resize(buffers.size());
  for (uint32_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].offset < 0 && buffers[i].size > 0)
      for (auto other = fixed.rbegin(); other != fixed.rend(); ++other)
        if (meets(i, *other))
          obstacles[i].push_back(*other);
}

ExactSearch::ExactSearch(const std::vector<Buffer> &buffers, int64_t capacity)
    : buffers(buffers), capacity(capacity), ranks(buffers.size()), frames(buffers.size() + 1) {
  buildSections();
  collectObstacles();
  load.resize(numSections);
  change.resize(numSections + 1);
  for (const Buffer &buffer : buffers)
    offsets.push_back(std::max<int64_t>(buffer.offset, 0));
}

void ExactSearch::rankBuffers(const char *keys) {
  using Wide = __int128;
  std::vector<int64_t> alive(numSections);
  for (size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].size > 0)
      for (uint32_t s = spans[i].first; s <= spans[i].last; ++s)
        alive[s] += buffers[i].size;
  const auto valueOf = [&](uint32_t i, char key) -> Wide {
    const Wide width = buffers[i].upper - buffers[i].lower;
    switch (key) {
    case 'T':
      return *std::max_element(alive.begin() + spans[i].first, alive.begin() + spans[i].last + 1);
    case 'W':
      return width;
    case 'A':
      return width * buffers[i].size;
    case 'N':
      return spans[i].last - spans[i].first;
    default:
      return buffers[i].size;
    }
  };
  struct Entry {
    Wide values[3];
    uint32_t buffer;
  };
  std::vector<Entry> entries;
  for (uint32_t i = 0; i < buffers.size(); ++i) {
    Entry entry{{0, 0, 0}, i};
    if (buffers[i].size > 0)
      for (int k = 0; k < 3 && keys[k] != 0; ++k)
        entry.values[k] = -valueOf(i, keys[k]);
    entries.push_back(entry);
  }
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    for (int k = 0; k < 3; ++k)
      if (a.values[k] != b.values[k])
        return a.values[k] < b.values[k];
    return a.buffer < b.buffer;
  });
  for (uint32_t i = 0; i < entries.size(); ++i)
    ranks[entries[i].buffer] = i;
}

void ExactSearch::enterRoot() {
  Frame &root = frames[0];
  root.items.clear();
  root.parts.clear();
  root.nextPart = 0;
  for (uint32_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].offset < 0 && buffers[i].size > 0)
      root.items.push_back({i, false, lift(i, 0)});
  std::sort(root.items.begin(), root.items.end(), [&](const Item &a, const Item &b) {
    const uint32_t first = spans[a.buffer].first, other = spans[b.buffer].first;
    return first != other ? first < other : a.buffer < b.buffer;
  });
  uint32_t last = 0;
  for (size_t i = 0; i < root.items.size(); ++i) {
    const Span &span = spans[root.items[i].buffer];
    if (i == 0 || span.first > last)
      root.parts.push_back({i, 0});
    ++root.parts.back().count;
    last = std::max(last, span.last);
  }
}

ExactSearch::Outcome ExactSearch::run(const char *keys, int64_t limit) {
  rankBuffers(keys);
  nodes = 0;
  largestNodes = limit;
  enterRoot();
  const Outcome outcome = search();
  allNodes += nodes;
  return outcome;
}

ExactResult solveExact(const std::vector<Buffer> &buffers, const ExactOptions &options) {
  ExactResult result;
  if (options.capacity < lowerBound(buffers)) {
    result.status = ExactStatus::Infeasible;
    return result;
  }
  if (buffers.size() > kLargestPortfolio)
    return result;
  ExactSearch search(buffers, options.capacity);
  if (options.seconds < ExactOptions::kUnlimited)
    search.setDeadline(ExactSearch::Clock::now() +
                       std::chrono::duration_cast<ExactSearch::Clock::duration>(
                           std::chrono::duration<double>(options.seconds)));
  // No ranking is good everywhere, and a bad one is very bad: short runs take turns.
  const char *const rankings[] = {"TWA", "TAW", "NAS", "S", "A", "WAT"};
  auto outcome = ExactSearch::Outcome::Stopped;
  for (int64_t limit = std::max<int64_t>(1000, 2 * buffers.size());
       outcome == ExactSearch::Outcome::Stopped; limit *= 2)
    for (const char *ranking : rankings) {
      const int64_t left = options.nodes - search.getNodes();
      if (outcome != ExactSearch::Outcome::Stopped)
        break;
      if (left <= 0 || search.isLate()) {
        result.nodes = search.getNodes();
        return result;
      }
      outcome = search.run(ranking, std::min(left, limit));
    }
  result.nodes = search.getNodes();
  result.status =
      outcome == ExactSearch::Outcome::Found ? ExactStatus::Solved : ExactStatus::Infeasible;
  if (result.status != ExactStatus::Solved)
    return result;
  result.placement.offsets = search.getOffsets();
  for (size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].size > 0)
      result.placement.peak =
          std::max(result.placement.peak, result.placement.offsets[i] + buffers[i].size);
  result.placement.rule = "exact";
  return result;
}

ExactResult findLowest(const std::vector<Buffer> &buffers, Placement start, double seconds) {
  const auto begin = ExactSearch::Clock::now();
  const auto left = [&] {
    return seconds - std::chrono::duration<double>(ExactSearch::Clock::now() - begin).count();
  };
  const int64_t bound = lowerBound(buffers);
  ExactResult best;
  best.placement = std::move(start);
  // Most often the bound itself is in reach; else each proof needs a search of its own.
  bool first = true;
  for (int64_t capacity = bound; best.placement.peak > bound; first = false) {
    const double limit = first ? seconds / 4 : left();
    ExactResult next = solveExact(buffers, {capacity, limit});
    best.nodes += next.nodes;
    if (next.status == ExactStatus::Solved)
      best.placement = std::move(next.placement);
    else if (next.status == ExactStatus::Infeasible && capacity == best.placement.peak - 1)
      break;
    else if (!first)
      return best;
    capacity = best.placement.peak - 1;
  }
  best.status = ExactStatus::Solved;
  return best;
}

} // namespace tr::planner
