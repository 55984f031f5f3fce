// SPDX-License-Identifier: Apache-2.0
//
// What tr-run bench says about the kernel ops of a step.
#ifndef RENAISSANCE_TOOLS_TR_RUN_BENCH_H
#define RENAISSANCE_TOOLS_TR_RUN_BENCH_H

#include "trf/plan.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace trrun {

struct NodeFigures {
  std::string layer, op, implementation, shapes;
  double bytes = 0; // of all operands that are read or written
  double flops = 0;
  double ms = 0; // median
};

// Everything but the times, in the order of the schedule.
std::vector<NodeFigures> describeNodes(const trf::Plan &plan, const trf::StepSchedule &schedule,
                                       uint32_t variant,
                                       const std::vector<std::string> &implementations);

// Adds "ceilings" (measured now, on `threads` threads), "ops" and "kinds" to `json`.
void addProfile(nlohmann::ordered_json &json, const std::vector<NodeFigures> &nodes, int threads);
void printProfile(const nlohmann::ordered_json &json);

} // namespace trrun

#endif // RENAISSANCE_TOOLS_TR_RUN_BENCH_H
