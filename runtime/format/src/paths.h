// SPDX-License-Identifier: Apache-2.0
//
// Whether one node of a schedule leads to another one along its edges. Edges point
// forward in the list, so a search from a node back never leaves the part between the
// two. Three answers need no search: an edge, a path in the tree in which each node
// hangs below its last predecessor, and a barrier between the two: a node that all
// nodes before it lead to, such as the loss.
#ifndef TRF_SRC_PATHS_H
#define TRF_SRC_PATHS_H

#include "trf/plan.h"

namespace trf {

// Steps that all searches of a plan may take together. Proportional to the size of the
// plan, so that a hostile one is refused and not searched for hours.
class WorkBudget {
public:
  explicit WorkBudget(const Plan &plan);
  // Throws FormatError when it is used up.
  void spend(uint64_t steps);

private:
  uint64_t left;
};

class Paths {
public:
  Paths(const StepSchedule &schedule, WorkBudget &budget);

  // Drops from `sources`, nodes before `to`, those that lead to it.
  void dropLeading(uint32_t to, std::vector<uint32_t> &sources);

private:
  void buildPredecessors(const StepSchedule &schedule);
  void buildTree();
  void findBarriers();
  bool leadsAtOnce(uint32_t from, uint32_t to) const;
  bool visit(uint32_t node, std::vector<uint32_t> &sources);

  WorkBudget &budget;
  uint32_t count;
  std::vector<uint32_t> firstBefore, before; // predecessors of all nodes, ascending per node
  std::vector<uint32_t> enter, leave;        // preorder interval in the tree
  std::vector<uint32_t> barrier;             // the last barrier that is or leads to the node
  std::vector<uint32_t> stamps;              // of nodes that the current search has seen
  std::vector<uint32_t> stack;
  uint32_t stamp = 0;
};

} // namespace trf

#endif // TRF_SRC_PATHS_H
