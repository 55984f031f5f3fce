// SPDX-License-Identifier: Apache-2.0
//
// trrt-edge-check PLAN...: removes each edge of each schedule once. A compiler lists no edge
// that others replace, so the verifier must refuse every one of those plans.
#include "base/status.h"
#include "plan/dataflow.h"

#include <cstdio>

using namespace trrt;

static bool isRefused(const Plan &plan) {
  try {
    verifyDataflow(plan);
    return false;
  } catch (const Error &) {
    return true;
  }
}

// Returns how many edges could be removed unnoticed.
static size_t check(const char *path) {
  Plan plan;
  std::string error;
  if (!readPlanFile(path, plan, error)) {
    std::fprintf(stderr, "error: %s\n", error.c_str());
    return 1;
  }
  size_t edges = 0, unnoticed = 0;
  for (Schedule &schedule : plan.schedules) {
    const auto all = schedule.edges;
    edges += all.size();
    for (size_t drop = 0; drop < all.size(); ++drop) {
      schedule.edges = all;
      schedule.edges.erase(schedule.edges.begin() + static_cast<std::ptrdiff_t>(drop));
      if (isRefused(plan))
        continue;
      ++unnoticed;
      std::fprintf(stderr, "error: %s: schedule %u needs no edge from node %u to node %u\n", path,
                   static_cast<unsigned>(schedule.kind), all[drop][0], all[drop][1]);
    }
    schedule.edges = all;
  }
  std::printf("%s: %zu edges, %zu of them unnoticed\n", path, edges, unnoticed);
  return unnoticed + (edges == 0 ? 1 : 0);
}

int main(int argc, char **argv) {
  size_t faults = argc < 2;
  for (int i = 1; i < argc; ++i)
    faults += check(argv[i]);
  return faults == 0 ? 0 : 1;
}
