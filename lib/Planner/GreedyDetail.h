// SPDX-License-Identifier: Apache-2.0
//
// What greedy runs and local search share.
#ifndef RENAISSANCE_LIB_PLANNER_GREEDYDETAIL_H
#define RENAISSANCE_LIB_PLANNER_GREEDYDETAIL_H

#include "renaissance/Planner/Planner.h"

namespace tr::planner {

// The buffers placed so far, in order of their offsets.
class GreedyArena {
public:
  void insert(const Buffer &buffer, int64_t offset);
  // Finds a place for the buffer and inserts it there; fixed buffers are in already.
  int64_t place(const Buffer &buffer, Fit fit);
  int64_t getPeak() const { return peak; }

private:
  struct Block {
    int64_t offset, end, lower, upper;
  };
  std::vector<Block> blocks;
  std::vector<std::pair<int64_t, int64_t>> scratch;
  int64_t peak = 0;
};

// Indices in the order in which a greedy run places them.
std::vector<uint32_t> sortForGreedy(const std::vector<Buffer> &buffers, Order order);

const char *nameOf(Order order);
const char *nameOf(Fit fit);

} // namespace tr::planner

#endif // RENAISSANCE_LIB_PLANNER_GREEDYDETAIL_H
