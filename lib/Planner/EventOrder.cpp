// SPDX-License-Identifier: Apache-2.0
//
// The run for many buffers: an allocator that is driven through the steps, O(n log n).
#include "renaissance/Planner/Planner.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace tr::planner {
namespace {

// Free blocks below the top, coalesced; by offset, and by size for the best fit.
class FreeList {
public:
  explicit FreeList(const std::vector<Buffer> &buffers);

  int64_t allocate(int64_t size);
  void release(int64_t offset, int64_t size);
  int64_t getPeak() const { return peak; }

private:
  void add(int64_t offset, int64_t size);
  void remove(std::map<int64_t, int64_t>::iterator block);

  std::map<int64_t, int64_t> byOffset; // to size
  std::set<std::pair<int64_t, int64_t>> bySize;
  int64_t top = 0; // everything above is free
  int64_t peak = 0;
};

// Ranges of fixed buffers, whenever they live, are never handed out.
FreeList::FreeList(const std::vector<Buffer> &buffers) {
  std::vector<std::pair<int64_t, int64_t>> fixed;
  for (const Buffer &buffer : buffers)
    if (buffer.offset >= 0 && buffer.size > 0)
      fixed.emplace_back(buffer.offset, buffer.offset + buffer.size);
  std::sort(fixed.begin(), fixed.end());
  for (auto [offset, end] : fixed) {
    if (offset > top)
      add(top, offset - top);
    top = std::max(top, end);
  }
  peak = top;
}

void FreeList::add(int64_t offset, int64_t size) {
  byOffset.emplace(offset, size);
  bySize.emplace(size, offset);
}

void FreeList::remove(std::map<int64_t, int64_t>::iterator block) {
  bySize.erase({block->second, block->first});
  byOffset.erase(block);
}

int64_t FreeList::allocate(int64_t size) {
  if (auto fit = bySize.lower_bound({size, 0}); fit != bySize.end()) {
    const auto [blockSize, offset] = *fit;
    remove(byOffset.find(offset));
    if (blockSize > size)
      add(offset + size, blockSize - size);
    return offset;
  }
  const int64_t offset = top;
  top += size;
  peak = std::max(peak, top);
  return offset;
}

void FreeList::release(int64_t offset, int64_t size) {
  auto above = byOffset.lower_bound(offset + size);
  if (above != byOffset.end() && above->first == offset + size) {
    size += above->second;
    remove(above);
  }
  above = byOffset.lower_bound(offset);
  if (above != byOffset.begin()) {
    auto below = std::prev(above);
    if (below->first + below->second == offset) {
      offset = below->first;
      size += below->second;
      remove(below);
    }
  }
  if (offset + size == top)
    top = offset;
  else
    add(offset, size);
}

} // namespace

Placement placeInEventOrder(const std::vector<Buffer> &buffers) {
  Placement result;
  result.rule = "event order, best fit";
  result.offsets.resize(buffers.size());
  std::vector<uint32_t> births(buffers.size());
  std::iota(births.begin(), births.end(), 0u);
  std::vector<uint32_t> deaths = births;
  std::sort(births.begin(), births.end(), [&](uint32_t a, uint32_t b) {
    return buffers[a].lower != buffers[b].lower ? buffers[a].lower < buffers[b].lower : a < b;
  });
  std::sort(deaths.begin(), deaths.end(), [&](uint32_t a, uint32_t b) {
    return buffers[a].upper != buffers[b].upper ? buffers[a].upper < buffers[b].upper : a < b;
  });
  FreeList list(buffers);
  const auto isPlanned = [](const Buffer &buffer) { return buffer.offset < 0 && buffer.size > 0; };
  auto dead = deaths.begin();
  for (uint32_t index : births) {
    const Buffer &buffer = buffers[index];
    for (; buffers[*dead].upper <= buffer.lower; ++dead)
      if (isPlanned(buffers[*dead]))
        list.release(result.offsets[*dead], buffers[*dead].size);
    result.offsets[index] =
        isPlanned(buffer) ? list.allocate(buffer.size) : std::max<int64_t>(buffer.offset, 0);
  }
  result.peak = list.getPeak();
  return result;
}

} // namespace tr::planner
