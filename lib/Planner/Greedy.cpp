// SPDX-License-Identifier: Apache-2.0
//
// Greedy runs: buffers are placed one after the other among those that are placed
// already and alive at the same time.
#include "GreedyDetail.h"

#include <algorithm>
#include <numeric>

namespace tr::planner {

void GreedyArena::insert(const Buffer &buffer, int64_t offset) {
  if (buffer.size == 0)
    return;
  const Block block{offset, offset + buffer.size, buffer.lower, buffer.upper};
  const auto above =
      std::upper_bound(blocks.begin(), blocks.end(), offset,
                       [](int64_t value, const Block &other) { return value < other.offset; });
  blocks.insert(above, block);
  peak = std::max(peak, block.end);
}

int64_t GreedyArena::place(const Buffer &buffer, Fit fit) {
  if (buffer.offset >= 0 || buffer.size == 0)
    return std::max<int64_t>(buffer.offset, 0);
  // Which blocks live at the same time follows no pattern that a processor could predict,
  // so they are picked without a branch first.
  scratch.resize(blocks.size());
  size_t count = 0;
  for (const Block &block : blocks) {
    scratch[count] = {block.offset, block.end};
    count += (block.lower < buffer.upper) & (block.upper > buffer.lower);
  }
  int64_t free = 0; // everything below is occupied or a gap that was looked at
  int64_t best = -1, bestGap = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto [start, end] = scratch[i];
    const int64_t gap = start - free;
    if (gap >= buffer.size && (best < 0 || gap < bestGap)) {
      best = free;
      bestGap = gap;
      if (fit == Fit::First || gap == buffer.size)
        break;
    }
    free = std::max(free, end);
  }
  const int64_t offset = best < 0 ? free : best;
  insert(buffer, offset);
  return offset;
}

std::vector<uint32_t> sortForGreedy(const std::vector<Buffer> &buffers, Order order) {
  using Wide = unsigned __int128; // a product of two values up to 2^61
  std::vector<Wide> keys;
  keys.reserve(buffers.size());
  for (const Buffer &buffer : buffers) {
    const Wide lifetime = static_cast<Wide>(buffer.upper - buffer.lower);
    const Wide size = static_cast<Wide>(buffer.size);
    keys.push_back(order == Order::Size       ? size
                   : order == Order::Lifetime ? lifetime
                                              : size * lifetime);
  }
  std::vector<uint32_t> sorted(buffers.size());
  std::iota(sorted.begin(), sorted.end(), 0u);
  std::sort(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) {
    if (keys[a] != keys[b])
      return keys[a] > keys[b];
    return buffers[a].lower != buffers[b].lower ? buffers[a].lower < buffers[b].lower : a < b;
  });
  return sorted;
}

const char *nameOf(Order order) {
  return order == Order::Size ? "size" : order == Order::Lifetime ? "lifetime" : "area";
}

const char *nameOf(Fit fit) { return fit == Fit::Best ? "best fit" : "first fit"; }

Placement placeGreedy(const std::vector<Buffer> &buffers, Order order, Fit fit) {
  Placement result;
  result.offsets.resize(buffers.size());
  result.rule = std::string(nameOf(order)) + ", " + nameOf(fit);
  GreedyArena arena;
  for (const Buffer &buffer : buffers)
    if (buffer.offset >= 0)
      arena.insert(buffer, buffer.offset);
  for (uint32_t index : sortForGreedy(buffers, order))
    result.offsets[index] = arena.place(buffers[index], fit);
  result.peak = arena.getPeak();
  return result;
}

Placement placePortfolio(const std::vector<Buffer> &buffers) {
  if (buffers.size() > kLargestPortfolio)
    return placeInEventOrder(buffers);
  const int64_t bound = lowerBound(buffers);
  Placement best;
  for (Order order : {Order::Size, Order::Lifetime, Order::Area})
    for (Fit fit : {Fit::Best, Fit::First}) {
      Placement next = placeGreedy(buffers, order, fit);
      if (best.rule.empty() || next.peak < best.peak)
        best = std::move(next);
      if (best.peak == bound)
        return best;
    }
  return best;
}

} // namespace tr::planner
