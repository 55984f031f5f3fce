// SPDX-License-Identifier: Apache-2.0
//
// Bytes, operations and shares of the ceilings of each kernel op.
#include "bench.h"

#include "base/text.h"
#include "base/thread_pool.h"
#include "trk/ceilings.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace trrun {

using namespace trrt;
using Json = nlohmann::ordered_json;

static double elementsOf(const Dims &d) {
  return static_cast<double>(d[0]) * static_cast<double>(d[1]) * static_cast<double>(d[2]) *
         static_cast<double>(d[3]);
}

static double rangeBytes(const Plan &plan, const Range &range) {
  const RegionExtent &first = plan.regions[static_cast<size_t>(range.first)];
  const RegionExtent &last = plan.regions[static_cast<size_t>(range.last)];
  return static_cast<double>(last.offset + last.bytes - first.offset);
}

namespace {

// The operands of one op under a variant.
class Operands {
public:
  Operands(const Plan &plan, const Op &op, uint32_t variant)
      : plan(plan), op(op), info(trk::info(op.opcode)), variant(variant) {}

  double bytes() const {
    double sum = 0;
    for (uint32_t i = 0; i < info.operand_count; ++i) {
      const int passes = info.operands[i].access == trk::Access::ReadWrite ? 2 : 1;
      sum += passes * bytesOf(i);
    }
    return sum;
  }

  // 2 operations a product; else operations per element of the largest operand.
  double flops() const {
    if (info.flops == trk::kFlopsConv || info.flops == trk::kFlopsFc) {
      const Dims *w = find("w", "dw"), *y = find("y", "dy");
      return w && y ? 2 * elementsOf(*y) * elementsOf(*w) / static_cast<double>((*w)[0]) : 0;
    }
    double largest = 0;
    for (uint32_t i = 0; i < info.operand_count; ++i)
      if (op.operands[i] != kNone)
        largest = std::max(largest, elements(i));
    return largest * info.flops;
  }

  std::string shapes() const {
    std::string text;
    for (uint32_t i = 0; i < info.operand_count; ++i) {
      if (op.operands[i] == kNone || info.operands[i].range)
        continue;
      const Dims &d = plan.shape(op.operands[i], variant);
      if (d[0] * d[1] * d[2] == 1)
        continue; // vectors and scalars say little
      text += std::string(text.empty() ? "" : " ") + info.operands[i].name + "=" +
              std::to_string(d[0]) + "x" + std::to_string(d[1]) + "x" + std::to_string(d[2]) + "x" +
              std::to_string(d[3]);
    }
    return text;
  }

private:
  double elements(uint32_t i) const {
    const uint32_t id = op.operands[i];
    if (info.operands[i].range)
      return rangeBytes(plan, plan.ranges[id]) / 4;
    return elementsOf(plan.shape(id, variant));
  }
  double bytesOf(uint32_t i) const {
    const uint32_t id = op.operands[i];
    if (id == kNone)
      return 0;
    if (info.operands[i].range)
      return rangeBytes(plan, plan.ranges[id]);
    return elements(i) * static_cast<double>(trk::dtypeBytes(plan.tensors[id].dtype));
  }
  const Dims *find(const char *name, const char *other) const {
    for (uint32_t i = 0; i < info.operand_count; ++i)
      if (op.operands[i] != kNone && (std::strcmp(info.operands[i].name, name) == 0 ||
                                      std::strcmp(info.operands[i].name, other) == 0))
        return &plan.shape(op.operands[i], variant);
    return nullptr;
  }

  const Plan &plan;
  const Op &op;
  const trk::OpInfo &info;
  uint32_t variant;
};

} // namespace

std::vector<NodeFigures> describeNodes(const Plan &plan, const Schedule &schedule, uint32_t variant,
                                       const std::vector<std::string> &implementations) {
  std::vector<NodeFigures> nodes;
  for (size_t i = 0; i < schedule.nodes.size(); ++i) {
    const Op &op = plan.ops[schedule.nodes[i].op];
    const Operands operands(plan, op, variant);
    NodeFigures node;
    node.layer = op.layer == kNone ? "" : printable(plan.layers[op.layer].path);
    node.op = trk::info(op.opcode).name;
    node.implementation = i < implementations.size() ? implementations[i] : "";
    node.shapes = operands.shapes();
    node.bytes = operands.bytes();
    node.flops = operands.flops();
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
