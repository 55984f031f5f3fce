// SPDX-License-Identifier: Apache-2.0
//
// The JSON form of `tr-run inspect`. Keys keep the order in which they are added.
#include "inspect.h"

#include "plan/param_layout.h"

#include <nlohmann/json.hpp>

using namespace trf;
using trrt::fileElements;
using trrt::fileShape;
using Json = nlohmann::ordered_json;

namespace trrun {

static Json textOrNull(const std::string &text) { return text.empty() ? Json() : Json(text); }

static Json countOrNull(uint64_t count) { return count == 0 ? Json() : Json(count); }

static Json paramsJson(const Plan &plan, bool trainable) {
  Json list = Json::array();
  for (const Param &param : plan.params)
    if (param.trainable == trainable)
      list.push_back(
          {{"name", param.name}, {"shape", fileShape(param)}, {"elements", fileElements(param)}});
  return list;
}

static Json variantsJson(const Plan &plan) {
  Json list = Json::array();
  for (const Variant &v : plan.variants)
    list.push_back({{"name", v.name},
                    {"batch", v.batch},
                    {"resolution", {v.height, v.width}},
                    {"channels", v.channels},
                    {"training", v.training}});
  return list;
}

static Json fusionsJson(const Plan &plan) {
  Json object = Json::object();
  for (const auto &[op, count] : plan.fusions)
    object[op] = count;
  return object;
}

static Json subgraphsJson(const Plan &plan) {
  Json object = Json::object();
  const std::vector<SubgraphSummary> summaries = summarizeSubgraphs(plan);
  for (size_t id = 0; id < summaries.size(); ++id)
    object[std::to_string(id)] = {{"name", summaries[id].name},
                                  {"nodes", summaries[id].nodes},
                                  {"reason", textOrNull(summaries[id].reason)}};
  return object;
}

static Json regionsJson(const Plan &plan) {
  Json list = Json::array();
  for (const RegionInfo &region : plan.regions)
    list.push_back({{"name", region.name()}, {"offset", region.offset}, {"bytes", region.bytes}});
  return list;
}

static Json memoryJson(const Plan &plan) {
  Json schedules = Json::object();
  for (const MemorySummary &summary : summarizeMemory(plan))
    schedules[summary.schedule] = {{"activation_peak_bytes", summary.memory.peak},
                                   {"activation_lower_bound_bytes", summary.memory.lowerBound},
                                   {"activation_no_reuse_bytes", summary.memory.noReuse}};
  return {{"arena_bytes", plan.arena_bytes},
          {"persistent_bytes", plan.arena_bytes - poolBytes(plan)},
          {"schedules", schedules}};
}

static Json sharingJson(const Plan &plan) {
  Json list = Json::array();
  for (const SharingSummary &summary : summarizeSharing(plan))
    list.push_back({{"variant", summary.variant},
                    {"with", textOrNull(summary.with)},
                    {"reason", summary.reason},
                    {"captures", summary.captures},
                    {"captures_of_variant", summary.runs}});
  return list;
}

// Null for what is no convolution.
static Json algorithmJson(const Op &op) {
  if (!op.info().isConv())
    return nullptr;
  return name(op.algorithm);
}

static Json scheduleJson(const Plan &plan, const StepSchedule &schedule) {
  const std::vector<std::vector<uint32_t>> after = predecessors(schedule);
  Json nodes = Json::array();
  for (size_t i = 0; i < schedule.nodes.size(); ++i) {
    const Op &op = plan.ops[schedule.nodes[i].op];
    const LayerInfo *layer = op.layer == kNone ? nullptr : &plan.layers[op.layer];
    nodes.push_back({{"op", op.info().name},
                     {"algorithm", algorithmJson(op)},
                     {"subgraph", name(schedule.nodes[i].subgraph)},
                     {"layer", layer ? Json(layer->path) : Json()},
                     {"location", layer ? textOrNull(locationText(*layer)) : Json()},
                     {"after", after[i]}});
  }
  return {{"name", name(schedule.kind)}, {"graph", schedule.graph}, {"nodes", nodes}};
}

static std::string hex(const std::array<uint8_t, 16> &id) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (uint8_t byte : id) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string inspectJson(const Plan &plan, const InspectOptions &options) {
  Json root = {{"model", plan.model},
               {"producer", plan.producer},
               {"content_id", hex(plan.content_id)},
               {"target",
                {{"device", name(row(plan.target).device)},
                 {"feature", name(plan.target)},
                 {"precision", name(plan.precision)},
                 {"optimizer", name(plan.optimizer)},
                 {"slices", plan.slices},
                 {"classes", plan.classes}}},
               {"train_samples", countOrNull(plan.train_samples)},
               {"val_samples", countOrNull(plan.val_samples)},
               {"lowres_epoch", plan.lowres_epoch == kNone ? Json() : Json(plan.lowres_epoch)},
               {"drop_last", plan.drop_last},
               {"arena_bytes", plan.arena_bytes}};
  root["parameters"] = paramsJson(plan, true);
  root["buffers"] = paramsJson(plan, false);
  root["variants"] = variantsJson(plan);
  root["sharing"] = sharingJson(plan);
  root["memory"] = memoryJson(plan);
  root["fusions"] = fusionsJson(plan);
  root["subgraphs"] = subgraphsJson(plan);
  root["regions"] = regionsJson(plan);
  if (options.schedule) {
    root["schedules"] = Json::array();
    for (const StepSchedule &schedule : plan.schedules)
      root["schedules"].push_back(scheduleJson(plan, schedule));
  }
  return root.dump(2) + "\n";
}

} // namespace trrun
