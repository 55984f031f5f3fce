// SPDX-License-Identifier: Apache-2.0
//
// A list of the nodes whose predecessors are done, from which the next one is drawn.
#include "plan/reorder.h"

#include "trf/philox.h"

#include <algorithm>

namespace trrt {

using namespace trf;

void reorderNodes(StepSchedule &schedule, uint64_t seed) {
  const uint32_t count = static_cast<uint32_t>(schedule.nodes.size());
  std::vector<std::vector<uint32_t>> after(count);
  std::vector<uint32_t> waitsFor(count, 0), ready, order, position(count);
  for (const auto &[from, to] : schedule.edges) {
    after[from].push_back(to);
    ++waitsFor[to];
  }
  for (uint32_t node = 0; node < count; ++node)
    if (waitsFor[node] == 0)
      ready.push_back(node);
  while (!ready.empty()) {
    const uint32_t drawn = static_cast<uint32_t>(order.size());
    const uint32_t word = philox4x32({drawn, static_cast<uint32_t>(schedule.kind), schedule.graph,
                                      static_cast<uint32_t>(PhiloxPurpose::NodeOrder)},
                                     philoxKey(seed))[0];
    std::swap(ready[word % ready.size()], ready.back());
    const uint32_t node = ready.back();
    ready.pop_back();
    position[node] = drawn;
    order.push_back(node);
    for (const uint32_t next : after[node])
      if (--waitsFor[next] == 0)
        ready.push_back(next);
  }
  const std::vector<ScheduleNode> nodes = schedule.nodes;
  for (uint32_t node = 0; node < count; ++node)
    schedule.nodes[position[node]] = nodes[node];
  for (auto &[from, to] : schedule.edges) {
    from = position[from];
    to = position[to];
  }
  std::sort(schedule.edges.begin(), schedule.edges.end(),
            [](const auto &a, const auto &b) { return a[1] != b[1] ? a[1] < b[1] : a[0] < b[0]; });
}

void reorderNodes(Plan &plan, uint64_t seed) {
  for (StepSchedule &schedule : plan.schedules)
    reorderNodes(schedule, seed);
}

} // namespace trrt
