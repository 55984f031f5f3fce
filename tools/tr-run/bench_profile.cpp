// SPDX-License-Identifier: Apache-2.0
//
// Bytes, operations and shares of the ceilings of each kernel op.
#include "bench.h"

#include "base/text.h"
#include "base/thread_pool.h"
#include "trf/cost.h"
#include "trk/ceilings.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace trrun {

using namespace trf;
using namespace trrt;
using Json = nlohmann::ordered_json;

// "x=2x5x7x4 y=...", without vectors and scalars, which say little.
static std::string shapesText(const Plan &plan, const Op &op, uint32_t variant) {
  std::vector<std::string> texts;
  for (uint32_t i = 0; i < op.operands.size(); ++i) {
    const OperandInfo &operand = op.info().operands[i];
    if (op.operands[i] == kNone || operand.isRun())
      continue;
    const Dims &d = plan.shape(op.operands[i], variant);
    if (d[0] * d[1] * d[2] != 1)
      texts.push_back(std::string(operand.name) + "=" + dimsText(d));
  }
  return joined(texts, " ");
}

// A layer of several parts is named after its first: an op with parameters says which it works for.
static std::string partOf(const Plan &plan, const Op &op) {
  for (const Param &param : plan.params)
    for (const uint32_t operand : op.operands)
      if (operand != kNone && (operand == param.tensor || operand == param.grad))
        return param.name.substr(0, param.name.rfind('.'));
  return op.layer == kNone ? "" : plan.layers[op.layer].path;
}

std::vector<NodeFigures> describeNodes(const Plan &plan, const StepSchedule &schedule,
                                       uint32_t variant,
                                       const std::vector<std::string> &implementations) {
  std::vector<NodeFigures> nodes;
  for (size_t i = 0; i < schedule.nodes.size(); ++i) {
    const Op &op = plan.ops[schedule.nodes[i].op];
    const Cost cost = costOf(plan, op, variant);
    NodeFigures node;
    node.layer = printable(partOf(plan, op));
    node.op = op.info().name;
    node.implementation = i < implementations.size() ? implementations[i] : "";
    node.shapes = shapesText(plan, op, variant);
    node.bytes = cost.bytes;
    node.flops = cost.flops;
    nodes.push_back(std::move(node));
  }
  return nodes;
}

// Rates of `ms`, and what part they are of the ceilings.
static Json ratesOf(double ms, double bytes, double flops, const trk::Ceilings &ceilings) {
  const double seconds = std::max(ms, 1e-6) * 1e-3;
  return {{"ms", ms},
          {"bytes", bytes},
          {"gb_per_s", bytes / seconds * 1e-9},
          {"gflop_per_s", flops / seconds * 1e-9},
          {"share_of_memory", bytes / seconds / ceilings.bytes},
          {"share_of_flops", flops / seconds / ceilings.flops}};
}

void addProfile(Json &json, const std::vector<NodeFigures> &nodes, int threads) {
  ThreadPool pool(threads);
  const trk::Ceilings ceilings = trk::measureCeilings(pool);
  json["ceilings"] = {{"gflop_per_s", ceilings.flops * 1e-9}, {"gb_per_s", ceilings.bytes * 1e-9}};
  struct Kind {
    std::string op;
    int count = 0;
    double ms = 0, bytes = 0, flops = 0;
  };
  std::vector<Kind> kinds;
  Json ops = Json::array();
  for (const NodeFigures &node : nodes) {
    Json entry = {{"layer", node.layer}, {"op", node.op}};
    if (!node.implementation.empty())
      entry["implementation"] = node.implementation;
    entry.update(ratesOf(node.ms, node.bytes, node.flops, ceilings));
    ops.push_back(std::move(entry));
    auto kind =
        std::find_if(kinds.begin(), kinds.end(), [&](const Kind &k) { return k.op == node.op; });
    if (kind == kinds.end())
      kind = kinds.insert(kinds.end(), Kind{node.op});
    kind->count += 1;
    kind->ms += node.ms;
    kind->bytes += node.bytes;
    kind->flops += node.flops;
  }
  std::sort(kinds.begin(), kinds.end(), [](const Kind &a, const Kind &b) { return a.ms > b.ms; });
  json["ops"] = std::move(ops);
  json["kinds"] = Json::array();
  for (const Kind &kind : kinds) {
    Json entry = {{"op", kind.op}, {"count", kind.count}};
    entry.update(ratesOf(kind.ms, kind.bytes, kind.flops, ceilings));
    json["kinds"].push_back(std::move(entry));
  }
}

static void printRow(const std::string &first, const std::string &second, const Json &row,
                     const std::string &last) {
  std::printf("%-18s %-18s %9.3f %9.1f %7.1f %8.1f %6.0f%% %6.0f%%  %s\n", first.c_str(),
              second.c_str(), row["ms"].get<double>(), row["bytes"].get<double>() * 1e-6,
              row["gb_per_s"].get<double>(), row["gflop_per_s"].get<double>(),
              row["share_of_memory"].get<double>() * 100, row["share_of_flops"].get<double>() * 100,
              last.c_str());
}

void printProfile(const Json &json) {
  std::printf("\nceilings: %.1f GFLOP/s, %.1f GB/s read from memory (caches can be faster)\n",
              json["ceilings"]["gflop_per_s"].get<double>(),
              json["ceilings"]["gb_per_s"].get<double>());
  const char *header = "%-18s %-18s %9s %9s %7s %8s %7s %7s\n";
  std::printf(header, "layer", "op", "ms", "MB", "GB/s", "GFLOP/s", "memory", "flops");
  for (const Json &op : json["ops"])
    printRow(op["layer"].get<std::string>(), op["op"].get<std::string>(), op,
             op.value("implementation", std::string()));
  std::printf("\n");
  std::printf(header, "kind", "ops", "ms", "MB", "GB/s", "GFLOP/s", "memory", "flops");
  for (const Json &kind : json["kinds"])
    printRow(kind["op"].get<std::string>(), std::to_string(kind["count"].get<int>()), kind, "");
}

} // namespace trrun
