// SPDX-License-Identifier: Apache-2.0
//
// Random planning problems, and answers to small ones by trying everything.
#ifndef RENAISSANCE_TEST_UNIT_PLANNER_INSTANCES_H
#define RENAISSANCE_TEST_UNIT_PLANNER_INSTANCES_H

#include "renaissance/Planner/Planner.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace tr::planner {

inline int64_t draw(std::mt19937_64 &random, int64_t least, int64_t most) {
  return least + static_cast<int64_t>(random() % static_cast<uint64_t>(most - least + 1));
}

// Buffers born one after the other that live for a few steps.
inline std::vector<Buffer> makeBranchy(uint64_t seed, int count, int longest, int64_t largest) {
  std::mt19937_64 random(seed);
  std::vector<Buffer> buffers;
  for (int i = 0; i < count; ++i)
    buffers.push_back({i, i + draw(random, 1, longest), draw(random, 0, largest)});
  return buffers;
}

// Lifetimes anywhere, sizes from 0.
inline std::vector<Buffer> makeScattered(uint64_t seed, int count, int64_t steps, int64_t largest) {
  std::mt19937_64 random(seed);
  std::vector<Buffer> buffers;
  for (int i = 0; i < count; ++i) {
    const int64_t lower = draw(random, 0, steps - 1);
    buffers.push_back({lower, draw(random, lower + 1, steps), draw(random, 0, largest)});
  }
  return buffers;
}

// A training step: activation i lives from forward step i to its backward step, gradients
// and scratch for one or two steps.
inline std::vector<Buffer> makeTraining(uint64_t seed, int layers) {
  std::mt19937_64 random(seed);
  std::vector<Buffer> buffers;
  for (int i = 0; i < layers; ++i) {
    const int64_t size = 256 * draw(random, 1, 4000);
    const int64_t backward = 2 * layers - i;
    buffers.push_back({i, backward, size});
    buffers.push_back({backward - 1, backward + 1, size});
    buffers.push_back({i, i + 1, 256 * draw(random, 0, 20)});
  }
  return buffers;
}

// Fixes some buffers where a first valid plan has them, moved up by a common amount.
inline void fixSome(std::vector<Buffer> &buffers, uint64_t seed, size_t count, int64_t lift) {
  std::mt19937_64 random(seed);
  const Placement plan = placeGreedy(buffers, Order::Area, Fit::First);
  for (size_t i = 0; i < count; ++i) {
    const size_t index = random() % buffers.size();
    buffers[index].offset = plan.offsets[index] + lift;
  }
}

inline bool overlapInTime(const Buffer &a, const Buffer &b) {
  return a.lower < b.upper && b.lower < a.upper;
}

// The definition of a valid plan, pair by pair.
inline bool isValid(const std::vector<Buffer> &buffers, const std::vector<int64_t> &offsets) {
  if (offsets.size() != buffers.size())
    return false;
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (offsets[i] < 0 || (buffers[i].offset >= 0 && offsets[i] != buffers[i].offset))
      return false;
    for (size_t j = 0; j < i; ++j)
      if (buffers[i].size > 0 && buffers[j].size > 0 && overlapInTime(buffers[i], buffers[j]) &&
          offsets[i] < offsets[j] + buffers[j].size && offsets[j] < offsets[i] + buffers[i].size)
        return false;
  }
  return true;
}

inline int64_t peakOf(const std::vector<Buffer> &buffers, const std::vector<int64_t> &offsets) {
  int64_t peak = 0;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].size > 0)
      peak = std::max(peak, offsets[i] + buffers[i].size);
  return peak;
}

// The lowest offset that meets no buffer placed before.
inline int64_t placeLowest(const std::vector<Buffer> &buffers, const std::vector<int64_t> &offsets,
                           const std::vector<size_t> &placed, size_t index) {
  std::vector<int64_t> candidates = {0};
  for (size_t other : placed)
    candidates.push_back(offsets[other] + buffers[other].size);
  std::sort(candidates.begin(), candidates.end());
  for (int64_t offset : candidates) {
    bool free = true;
    for (size_t other : placed)
      free = free && !(overlapInTime(buffers[index], buffers[other]) &&
                       offset < offsets[other] + buffers[other].size &&
                       offsets[other] < offset + buffers[index].size);
    if (free)
      return offset;
  }
  return 0;
}

// The lowest peak over all orders: sorting an optimal plan by offset and placing each
// buffer at its lowest place moves nothing up.
inline int64_t bruteForcePeak(const std::vector<Buffer> &buffers) {
  std::vector<size_t> fixed, order;
  std::vector<int64_t> offsets(buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].size > 0) {
      (buffers[i].offset >= 0 ? fixed : order).push_back(i);
      offsets[i] = std::max<int64_t>(buffers[i].offset, 0);
    }
  int64_t best = std::numeric_limits<int64_t>::max();
  do {
    std::vector<size_t> placed = fixed;
    for (size_t index : order) {
      offsets[index] = placeLowest(buffers, offsets, placed, index);
      placed.push_back(index);
    }
    best = std::min(best, peakOf(buffers, offsets));
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

} // namespace tr::planner

#endif // RENAISSANCE_TEST_UNIT_PLANNER_INSTANCES_H
