// SPDX-License-Identifier: Apache-2.0
//
// Binding of subgraphs and capturing of schedules.
#include "session/bound_plan.h"

#include "base/status.h"
#include "base/text.h"
#include "session/call_spec.h"
#include "session/requirements.h"

#include <set>

namespace trrt {

using namespace trf;

namespace {

class OpBinder {
public:
  OpBinder(const Plan &plan, Device &device, const InputHalves &halves, const WarningSink &warn)
      : plan(plan), device(device), halves(halves), warn(warn) {}

  CallId bind(const Op &op, uint32_t variant) {
    std::string error;
    const CallId call = device.bind(resolveCall(plan, op, variant, halves), error);
    if (!error.empty())
      throw Error(TRRT_UNSUPPORTED, "device '" + device.name() + "' cannot run '" +
                                        std::string(op.info().name) + "'" +
                                        layerText(plan, op.layer) + ": " + error);
    noteSlow(op, call);
    return call;
  }

private:
  // The library's text is the end of a sentence that begins with the op.
  void noteSlow(const Op &op, CallId call) {
    if (op.layer == kNone)
      return;
    const std::string reason = device.slowness(call);
    if (!reason.empty() && slowLayers.insert(op.layer).second)
      warn("layer " + printable(plan.layers[op.layer].path) + ": " + std::string(op.info().name) +
           " " + reason);
  }

  const Plan &plan;
  Device &device;
  const InputHalves &halves;
  const WarningSink &warn;
  std::set<uint32_t> slowLayers; // that a warning was given for
};

} // namespace

void BoundPlan::bind(const InputHalves &halves, const WarningSink &warn) {
  OpBinder binder(*plan, *device, halves, warn);
  for (uint32_t v = 0; v < plan->variants.size(); ++v)
    for (const SubgraphRow &subgraph : kSubgraphs) {
      const AtlasEntry &entry = plan->atlasEntry(v, subgraph.value);
      if (entry.subgraph_record == kNone || bound.count(entry.capture))
        continue;
      const SubgraphInfo &record = plan->subgraphs[entry.subgraph_record];
      BoundSubgraph &result = bound[entry.capture];
      result.firstOp = record.first_op;
      for (uint32_t i = record.first_op; i < record.first_op + record.op_count; ++i)
        result.calls.push_back(binder.bind(plan->ops[i], v));
    }
}

// Variants that coincide have equal calls, and so one capture.
BoundPlan::Captured BoundPlan::captureOnce(const Graph &graph) {
  std::vector<CallId> calls;
  calls.reserve(graph.nodes.size());
  for (const GraphNode &node : graph.nodes)
    calls.push_back(node.call);
  const auto [found, isNew] = captured.try_emplace(std::move(calls), kNoCapture);
  if (isNew)
    found->second = device->capture(graph);
  return {found->second, &found->first, nullptr};
}

BoundPlan::Captured BoundPlan::captureSchedule(uint32_t variant, const StepSchedule &schedule) {
  Graph graph;
  for (const ScheduleNode &node : schedule.nodes) {
    const AtlasEntry &entry = plan->atlasEntry(variant, node.subgraph);
    if (entry.subgraph_record == kNone)
      return {};
    const BoundSubgraph &subgraph = bound.at(entry.capture);
    graph.nodes.push_back(
        {subgraph.calls.at(node.op - subgraph.firstOp), plan->ops[node.op].info().stream});
  }
  graph.edges = schedule.edges;
  Captured result = captureOnce(graph);
  result.schedule = &schedule;
  return result;
}

// Without edges of its own, its ops run one after the other.
CaptureId BoundPlan::captureBetween(uint32_t variant, Subgraph id) {
  const AtlasEntry &entry = plan->atlasEntry(variant, id);
  if (entry.subgraph_record == kNone)
    return kNoCapture;
  const BoundSubgraph &subgraph = bound.at(entry.capture);
  Graph graph;
  for (uint32_t i = 0; i < subgraph.calls.size(); ++i) {
    graph.nodes.push_back({subgraph.calls[i], plan->ops[subgraph.firstOp + i].info().stream});
    if (i > 0)
      graph.edges.push_back({i - 1, i});
  }
  return captureOnce(graph).capture;
}

void BoundPlan::capture() {
  schedules.resize(plan->variants.size());
  for (uint32_t v = 0; v < plan->variants.size(); ++v)
    for (const StepSchedule &schedule : plan->schedules)
      if (schedule.graph == plan->variants[v].graph)
        schedules[v][static_cast<size_t>(schedule.kind)] = captureSchedule(v, schedule);
  for (const SubgraphRow &subgraph : kSubgraphs) {
    if (subgraph.runsIn != RunsIn::Between)
      continue;
    CaptureId &found = between.emplace(subgraph.value, kNoCapture).first->second;
    for (uint32_t v = 0; v < plan->variants.size() && found == kNoCapture; ++v)
      found = captureBetween(v, subgraph.value);
  }
}

} // namespace trrt
