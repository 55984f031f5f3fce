// SPDX-License-Identifier: Apache-2.0
//
// trrt-edge-check PLAN...: removes each edge of each schedule once. A compiler lists no edge
// that others replace, so the verifier must refuse every one of those plans.
#include "plan/plan_file.h"
#include "trf/dataflow.h"
#include "trf/plan_records.h"

#include <cstdio>

using namespace trf;

static bool isRefused(const Plan &plan) {
  try {
    verifyDataflow(plan);
    return false;
  } catch (const FormatError &) {
    return true;
  }
}

// Returns how many edges could be removed unnoticed.
static size_t check(const char *path) {
  Plan plan = trrt::readPlanFile(path);
  size_t edges = 0, unnoticed = 0;
  for (StepSchedule &schedule : plan.schedules) {
    const auto all = schedule.edges;
    edges += all.size();
    for (size_t drop = 0; drop < all.size(); ++drop) {
      schedule.edges = all;
      schedule.edges.erase(schedule.edges.begin() + static_cast<std::ptrdiff_t>(drop));
      if (isRefused(plan))
        continue;
      ++unnoticed;
      std::fprintf(stderr, "error: %s: schedule %s needs no edge from node %u to node %u\n", path,
                   name(schedule.kind).data(), all[drop][0], all[drop][1]);
    }
    schedule.edges = all;
  }
  std::printf("%s: %zu edges, %zu of them unnoticed\n", path, edges, unnoticed);
  return unnoticed + (edges == 0 ? 1 : 0);
}

int main(int argc, char **argv) {
  size_t faults = argc < 2;
  try {
    for (int i = 1; i < argc; ++i)
      faults += check(argv[i]);
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "error: %s\n", failure.what());
    return 1;
  }
  return faults == 0 ? 0 : 1;
}
