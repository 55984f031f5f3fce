// SPDX-License-Identifier: Apache-2.0
//
// Searches backwards through the edges of a schedule, with the answers that need none.
#include "paths.h"

#include "check.h"

#include <algorithm>

namespace trf {

static constexpr uint64_t kFreeSteps = 1 << 20; // for small plans
static constexpr uint64_t kStepsPerItem = 128;

WorkBudget::WorkBudget(const Plan &plan) : left(kFreeSteps) {
  uint64_t items = plan.tensors.size();
  for (const StepSchedule &schedule : plan.schedules)
    items += schedule.nodes.size() + schedule.edges.size();
  for (const Op &op : plan.ops)
    items += op.operands.size();
  left += kStepsPerItem * items;
}

void WorkBudget::spend(uint64_t steps) {
  if (steps > left)
    rejectSection(Section::Schedule, "the tensors of the plan are too tangled to be checked");
  left -= steps;
}

Paths::Paths(const StepSchedule &schedule, WorkBudget &budget)
    : budget(budget), count(static_cast<uint32_t>(schedule.nodes.size())), stamps(count, 0) {
  buildPredecessors(schedule);
  buildTree();
  findBarriers();
}

void Paths::buildPredecessors(const StepSchedule &schedule) {
  firstBefore.assign(count + 1, 0);
  for (const auto &[from, to] : schedule.edges)
    ++firstBefore[to + 1];
  for (uint32_t node = 0; node < count; ++node)
    firstBefore[node + 1] += firstBefore[node];
  before.resize(schedule.edges.size());
  std::vector<uint32_t> next(firstBefore.begin(), firstBefore.end() - 1);
  for (const auto &[from, to] : schedule.edges)
    before[next[to]++] = from;
  for (uint32_t node = 0; node < count; ++node)
    std::sort(before.begin() + firstBefore[node], before.begin() + firstBefore[node + 1]);
}

// A node's interval holds those of its subtree: children follow each other after it.
void Paths::buildTree() {
  std::vector<uint32_t> size(count, 1), next(count);
  const auto parent = [&](uint32_t node) {
    return firstBefore[node] == firstBefore[node + 1] ? kNone : before[firstBefore[node + 1] - 1];
  };
  for (uint32_t node = count; node-- > 0;)
    if (const uint32_t above = parent(node); above != kNone)
      size[above] += size[node];
  enter.resize(count);
  leave.resize(count);
  uint32_t roots = 0;
  for (uint32_t node = 0; node < count; ++node) {
    const uint32_t above = parent(node);
    uint32_t &place = above == kNone ? roots : next[above];
    enter[node] = place;
    leave[node] = place += size[node];
    next[node] = enter[node] + 1;
  }
}

// All nodes so far lead to some node without a successor; where there is one such
// node only, they all lead to it.
void Paths::findBarriers() {
  barrier.assign(count, kNone);
  std::vector<bool> hasSuccessor(count, false);
  uint32_t ends = 0;
  for (uint32_t node = 0; node < count; ++node) {
    for (uint32_t i = firstBefore[node]; i < firstBefore[node + 1]; ++i) {
      const uint32_t from = before[i];
      ends -= hasSuccessor[from] ? 0 : 1;
      hasSuccessor[from] = true;
      if (barrier[from] != kNone && (barrier[node] == kNone || barrier[from] > barrier[node]))
        barrier[node] = barrier[from];
    }
    if (++ends == 1)
      barrier[node] = node;
  }
}

bool Paths::leadsAtOnce(uint32_t from, uint32_t to) const {
  return (barrier[to] != kNone && from <= barrier[to]) ||
         (enter[from] <= enter[to] && leave[to] <= leave[from]) ||
         std::binary_search(before.begin() + firstBefore[to], before.begin() + firstBefore[to + 1],
                            from);
}

// Drops what is known to lead to `node`; true when nothing is left.
bool Paths::visit(uint32_t node, std::vector<uint32_t> &sources) {
  static constexpr size_t kFew = 8; // with more of them a look at each costs more than it saves
  if (barrier[node] != kNone)
    sources.erase(sources.begin(), std::upper_bound(sources.begin(), sources.end(), barrier[node]));
  if (sources.size() <= kFew)
    sources.erase(std::remove_if(sources.begin(), sources.end(),
                                 [&](uint32_t from) { return leadsAtOnce(from, node); }),
                  sources.end());
  return sources.empty();
}

void Paths::dropLeading(uint32_t to, std::vector<uint32_t> &sources) {
  budget.spend(sources.size() + 1);
  sources.erase(std::remove_if(sources.begin(), sources.end(),
                               [&](uint32_t from) { return leadsAtOnce(from, to); }),
                sources.end());
  if (sources.empty())
    return;
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  ++stamp;
  stack.assign(1, to);
  while (!stack.empty()) {
    const uint32_t node = stack.back();
    stack.pop_back();
    if (node != to && visit(node, sources))
      return;
    budget.spend(firstBefore[node + 1] - firstBefore[node] + 1);
    for (uint32_t i = firstBefore[node]; i < firstBefore[node + 1]; ++i)
      if (before[i] >= sources.front() && stamps[before[i]] != stamp) {
        stamps[before[i]] = stamp;
        stack.push_back(before[i]);
      }
  }
  sources.erase(std::remove_if(sources.begin(), sources.end(),
                               [&](uint32_t from) { return stamps[from] == stamp; }),
                sources.end());
}

} // namespace trf
