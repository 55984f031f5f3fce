// SPDX-License-Identifier: Apache-2.0
//
// The nodes of the exact search: buffers are placed in non-falling order of their offsets,
// each directly on what lies below it.
#include "ExactSearch.h"

#include <algorithm>
#include <limits>

namespace tr::planner {
namespace {

constexpr size_t kLargestTable = size_t(1) << 20;
constexpr int64_t kInfinite = std::numeric_limits<int64_t>::max();

uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

} // namespace

void FailedStates::insert(Key key) {
  if (++inserted > slots.size() && slots.size() < kLargestTable) {
    std::vector<Key> old(2 * slots.size());
    old.swap(slots);
    for (Key other : old)
      slots[other.low % slots.size()] = other;
  }
  slots[key.low % slots.size()] = key;
}

FailedStates::Key ExactSearch::hashItems(const Item *items, size_t count) {
  FailedStates::Key key;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t name = mix(2 * uint64_t(items[i].buffer) + items[i].excluded + 1);
    const uint64_t place = static_cast<uint64_t>(items[i].lowest);
    key.low += mix(name + place);
    key.high += mix((name ^ 0x9e3779b97f4a7c15u) + 3 * place);
  }
  return key;
}

// The lowest place from an offset upwards that is free of fixed buffers.
int64_t ExactSearch::lift(uint32_t buffer, int64_t offset) const {
  for (uint32_t other : obstacles[buffer]) {
    const int64_t end = buffers[other].offset + buffers[other].size;
    if (end > offset && buffers[other].offset < offset + buffers[buffer].size)
      offset = end;
  }
  return offset;
}

// A buffer that was passed over stands on a neighbour that reaches into its hole, else it
// could sink into the hole; so it is above the lowest such neighbour.
bool ExactSearch::boundItems(const Item *items, size_t count, int64_t floor) {
  bounds.clear();
  for (size_t i = 0; i < count; ++i)
    bounds.push_back(items[i].excluded ? floor : items[i].lowest);
  for (size_t i = 0; i < count; ++i) {
    const Item &item = items[i];
    if (!item.excluded)
      continue;
    const int64_t holeEnd = item.lowest + buffers[item.buffer].size;
    const uint32_t last = spans[item.buffer].last;
    int64_t support = kInfinite;
    for (size_t j = 0; j < count && spans[items[j].buffer].first <= last; ++j)
      if (j != i && bounds[j] < holeEnd && meets(item.buffer, items[j].buffer))
        support = std::min(support, bounds[j] + buffers[items[j].buffer].size);
    if (support == kInfinite)
      return false;
    bounds[i] = std::max(floor, support);
  }
  return true;
}

// Adds buffers of one bound to the sections in range; the largest load where one was added,
// or anywhere: elsewhere the load was below the capacity with a higher bound.
int64_t ExactSearch::addLoads(Entries::const_iterator group, Entries::const_iterator end,
                              Span range) {
  int64_t largest = 0;
  const auto clip = [&](uint32_t buffer) {
    return Span{std::max(spans[buffer].first, range.first),
                std::min(spans[buffer].last, range.last)};
  };
  if (end - group < 8) {
    for (; group != end; ++group) {
      const Span span = clip(group->second);
      for (uint32_t s = span.first; s <= span.last; ++s)
        largest = std::max(largest, load[s] += buffers[group->second].size);
    }
    return largest;
  }
  // Many at once: where loads change, then one pass.
  for (; group != end; ++group) {
    const Span span = clip(group->second);
    change[span.first] += buffers[group->second].size;
    change[span.last + 1] -= buffers[group->second].size;
  }
  int64_t sum = 0;
  for (uint32_t s = range.first; s <= range.last; ++s) {
    sum += change[s];
    change[s] = 0;
    largest = std::max(largest, load[s] += sum);
  }
  change[range.last + 1] = 0;
  return largest;
}

// In each section, what cannot start below x must fit between x and the capacity, for
// every x: the bound of one machine with release times.
int64_t ExactSearch::findCeiling(const Item *items, size_t count) {
  Span range{spans[items[0].buffer].first, 0};
  int64_t holeEnd = kInfinite;
  byBound.clear();
  for (size_t i = 0; i < count; ++i) {
    const Item &item = items[i];
    range.last = std::max(range.last, spans[item.buffer].last);
    holeEnd = std::min(holeEnd, item.lowest + buffers[item.buffer].size);
    byBound.emplace_back(bounds[i], item.buffer);
  }
  const auto higher = [](const auto &a, const auto &b) { return a.first > b.first; };
  for (uint32_t index : fixed)
    if (spans[index].first <= range.last && range.first <= spans[index].last)
      byBound.emplace_back(buffers[index].offset, index);
  std::sort(byBound.begin(), byBound.end(), higher);
  std::fill(load.begin() + range.first, load.begin() + range.last + 1, 0);
  for (auto group = byBound.begin(); group != byBound.end();) {
    const auto end = std::find_if(group, byBound.end(),
                                  [&](const auto &entry) { return entry.first != group->first; });
    if (group->first + addLoads(group, end, range) > capacity)
      return -1;
    group = end;
  }
  // Whatever is placed next, nothing is placed below it afterwards. A place above the end
  // of a hole would leave a hole that its buffer can sink into.
  int64_t ceiling = holeEnd - 1;
  if (fixed.empty())
    ceiling = std::min(ceiling, capacity - *std::max_element(load.begin() + range.first,
                                                             load.begin() + range.last + 1));
  return ceiling;
}

// A heap with the best candidate in front: most nodes of an easy search try only one.
void ExactSearch::collectCandidates(const Item *items, size_t count, int64_t ceiling,
                                    std::vector<Candidate> &candidates) const {
  const auto isCandidate = [&](const Item &item) {
    return !item.excluded && item.lowest <= ceiling;
  };
  candidates.clear();
  candidates.reserve(static_cast<size_t>(std::count_if(items, items + count, isCandidate)));
  for (size_t i = 0; i < count; ++i)
    if (isCandidate(items[i]))
      candidates.push_back({items[i].lowest, ranks[items[i].buffer], static_cast<uint32_t>(i)});
  std::make_heap(candidates.begin(), candidates.end());
}

void ExactSearch::enterChild(const Item *items, size_t count, uint32_t chosen, Frame &child) const {
  const Item &placed = items[chosen];
  const int64_t end = placed.lowest + buffers[placed.buffer].size;
  child.items.clear();
  child.parts.clear();
  child.nextPart = 0;
  child.items.reserve(count - 1); // a deep search has many frames
  uint32_t last = 0;
  for (size_t i = 0; i < count; ++i) {
    if (i == chosen)
      continue;
    Item item = items[i];
    if (item.lowest < end && meets(item.buffer, placed.buffer)) {
      item.lowest = lift(item.buffer, end);
      item.excluded = false;
    } else if (item.lowest < placed.lowest ||
               (item.lowest == placed.lowest && ranks[item.buffer] < ranks[placed.buffer])) {
      item.excluded = true;
    }
    const Span &span = spans[item.buffer];
    if (child.parts.empty() || span.first > last)
      child.parts.push_back({child.items.size(), 0});
    ++child.parts.back().count;
    last = std::max(last, span.last);
    child.items.push_back(item);
  }
  if (child.parts.size() > 1)
    std::sort(child.parts.begin(), child.parts.end(), [](const Part &a, const Part &b) {
      return a.count != b.count ? a.count < b.count : a.first < b.first;
    });
}

// Enters a node: it is decided at once, or open with its candidates in the frame.
ExactSearch::Outcome ExactSearch::open(const Item *items, size_t count, int64_t floor,
                                       Frame &frame) {
  if (count == 1) {
    offsets[items->buffer] = items->lowest;
    return items->lowest + buffers[items->buffer].size <= capacity ? Outcome::Found
                                                                   : Outcome::Failed;
  }
  if (++nodes > largestNodes || (nodes % 256 == 0 && isLate()))
    return Outcome::Stopped;
  if (!boundItems(items, count, floor))
    return Outcome::Failed;
  const int64_t ceiling = findCeiling(items, count);
  if (ceiling < 0)
    return Outcome::Failed;
  frame.key = hashItems(items, count);
  if (failed.contains(frame.key))
    return Outcome::Failed;
  frame.node = items;
  frame.count = count;
  collectCandidates(items, count, ceiling, frame.candidates);
  return Outcome::Open;
}

// Places the next candidate of an open node; false where none is left.
bool ExactSearch::placeNext(Frame &frame) {
  if (frame.candidates.empty())
    return false;
  std::pop_heap(frame.candidates.begin(), frame.candidates.end());
  const uint32_t chosen = frame.candidates.back().item;
  frame.candidates.pop_back();
  const Item &item = frame.node[chosen];
  offsets[item.buffer] = frame.floor = item.lowest;
  enterChild(frame.node, frame.count, chosen, frame);
  return true;
}

// Depth first without recursion, as a thousand buffers need a thousand levels. `outcome`
// is what became of the last part of the frame at `depth`.
ExactSearch::Outcome ExactSearch::search() {
  size_t depth = 0;
  auto outcome = Outcome::Found;
  while (true) {
    Frame &frame = frames[depth];
    if (outcome == Outcome::Failed && depth > 0 && placeNext(frame)) {
      outcome = Outcome::Found;
    } else if (outcome == Outcome::Found && frame.nextPart < frame.parts.size()) {
      const Part part = frame.parts[frame.nextPart++];
      outcome = open(&frame.items[part.first], part.count, frame.floor, frames[depth + 1]);
      if (outcome == Outcome::Stopped)
        return outcome;
      if (outcome == Outcome::Open) {
        ++depth;
        outcome = Outcome::Failed; // so that it tries its first candidate
      }
    } else {
      if (depth == 0)
        return outcome;
      if (outcome == Outcome::Failed)
        failed.insert(frame.key);
      --depth;
    }
  }
}

} // namespace tr::planner
