// SPDX-License-Identifier: Apache-2.0
//
// The text form of `tr-run inspect`: tables with aligned columns.
#include "inspect.h"

#include "base/text.h"
#include "plan/param_layout.h"

#include <algorithm>
#include <cstdio>

using namespace trf;
using trrt::fileElements;
using trrt::fileShape;

namespace trrun {

namespace {

// Rows of cells under a heading; a column is as wide as its widest cell.
class Table {
public:
  // `alignment`: one letter a column, 'l' or 'r'.
  Table(std::string alignment, std::vector<std::string> heading)
      : alignment(std::move(alignment)), rows{std::move(heading)} {}

  void add(std::vector<std::string> row) { rows.push_back(std::move(row)); }

  std::string text() const {
    std::string result;
    for (const std::vector<std::string> &row : rows) {
      std::string line = " ";
      for (size_t c = 0; c < row.size(); ++c) {
        const std::string space(width(c) - characters(row[c]), ' ');
        line += alignment[c] == 'r' ? " " + space + row[c] : " " + row[c] + space;
        line += ' ';
      }
      line.erase(line.find_last_not_of(' ') + 1);
      result += line + "\n";
    }
    return result;
  }

private:
  // Names are UTF-8; bytes that continue a character take no column.
  static size_t characters(const std::string &text) {
    return static_cast<size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<uint8_t>(c) & 0xc0) != 0x80; }));
  }
  size_t width(size_t column) const {
    size_t widest = 0;
    for (const std::vector<std::string> &row : rows)
      if (column < row.size())
        widest = std::max(widest, characters(row[column]));
    return widest;
  }

  std::string alignment;
  std::vector<std::vector<std::string>> rows;
};

// 1234567 -> "1,234,567"
std::string grouped(uint64_t value) {
  std::string text = std::to_string(value);
  for (size_t i = text.size(); i > 3; i -= 3)
    text.insert(i - 3, ",");
  return text;
}

std::string joinedNumbers(const std::vector<int64_t> &values, const char *between) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "" : between) + std::to_string(value);
  return text;
}

std::string headText(const Plan &plan) {
  char id[33];
  for (size_t i = 0; i < plan.content_id.size(); ++i)
    std::snprintf(id + 2 * i, 3, "%02x", plan.content_id[i]);
  int64_t elements = 0;
  for (const Param &param : plan.params)
    elements += param.trainable ? fileElements(param) : 0;
  std::string text = "model       " + plan.model + "\n";
  text += "made by     " + plan.producer + "\n";
  text += "target      ";
  for (const std::string_view word : {name(row(plan.target).device), name(plan.precision),
                                      name(plan.optimizer), name(plan.target)})
    text.append(word).append(", ");
  text += std::to_string(plan.slices) + " slices, " + std::to_string(plan.classes) + " classes\n";
  text += "content id  " + std::string(id) + "\n";
  text += "parameters  " + grouped(static_cast<uint64_t>(elements)) + "\n";
  text += "arena       " + grouped(plan.arena_bytes) + " bytes\n";
  return text;
}

// What the trainer does with the variants.
std::string epochText(const Plan &plan) {
  const auto samples = [](uint64_t count) { return count == 0 ? "any" : grouped(count); };
  std::string text = "samples     " + samples(plan.train_samples) + " in training, " +
                     samples(plan.val_samples) + " in validation\n";
  if (plan.drop_last || plan.train_samples == 0)
    text += "last batch  left out of training where it is not full\n";
  if (plan.lowres_epoch != kNone)
    text += "resolution  of train_lowres from epoch " + std::to_string(plan.lowres_epoch) +
            " (0-based) on\n";
  return text;
}

std::string variantsText(const Plan &plan) {
  Table table("lrrl", {"variant", "batch", "input", "mode"});
  for (const Variant &v : plan.variants)
    table.add({v.name, std::to_string(v.batch), joinedNumbers({v.height, v.width, v.channels}, "x"),
               v.training ? "training" : "inference"});
  return "\nvariants\n" + table.text();
}

std::string sharingText(const Plan &plan) {
  Table table("llrll", {"variant", "shares with", "captures", "", "subgraphs"});
  for (const SharingSummary &s : summarizeSharing(plan)) {
    table.add({s.variant, s.with.empty() ? "none" : s.with,
               std::to_string(s.captures.size()) + " of " + std::to_string(s.runs), s.reason,
               s.captures.size() == s.runs ? "all" : trrt::joined(s.captures, " ")});
  }
  return plan.variants.size() < 2 ? "" : "\nsharing\n" + table.text();
}

std::string ratioText(uint64_t a, uint64_t b) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4f",
                b == 0 ? 1.0 : static_cast<double>(a) / static_cast<double>(b));
  return text;
}

std::string memoryText(const Plan &plan) {
  std::string text = "\nmemory, in slot bytes\n  arena       " + grouped(plan.arena_bytes) +
                     "\n  persistent  " + grouped(plan.arena_bytes - poolBytes(plan)) + "\n";
  Table table("lrrrr", {"activations of", "peak", "lower bound", "peak/bound", "without reuse"});
  for (const MemorySummary &s : summarizeMemory(plan))
    table.add({s.schedule, grouped(s.memory.peak), grouped(s.memory.lowerBound),
               ratioText(s.memory.peak, s.memory.lowerBound), grouped(s.memory.noReuse)});
  return text + table.text();
}

std::string regionsText(const Plan &plan) {
  Table table("lrrl", {"region", "offset", "bytes", ""});
  for (const RegionInfo &info : plan.regions) {
    const Region region = info.region;
    std::string purpose(region.row().purpose);
    if (region.group != Group::None)
      purpose.append(": ").append(row(region.group).purpose);
    table.add({info.name(), grouped(info.offset), grouped(info.bytes), purpose});
  }
  return "\nregions\n" + table.text();
}

std::string fusionsText(const Plan &plan) {
  Table table("lr", {"layer op", "count"});
  for (const auto &[op, count] : plan.fusions)
    table.add({op, std::to_string(count)});
  return "\nfusions\n" + (plan.fusions.empty() ? "  none\n" : table.text());
}

std::string subgraphsText(const Plan &plan) {
  Table table("rlrl", {"id", "subgraph", "nodes", ""});
  const std::vector<SubgraphSummary> summaries = summarizeSubgraphs(plan);
  for (size_t id = 0; id < summaries.size(); ++id)
    table.add({std::to_string(id), std::string(summaries[id].name),
               std::to_string(summaries[id].nodes), summaries[id].reason});
  return "\nsubgraphs\n" + table.text();
}

std::string paramsText(const Plan &plan, bool trainable) {
  Table table("llr", {"name", "shape", "elements"});
  size_t count = 0;
  for (const Param &param : plan.params)
    if (param.trainable == trainable) {
      table.add({param.name, joinedNumbers(fileShape(param), "x"),
                 grouped(static_cast<uint64_t>(fileElements(param)))});
      ++count;
    }
  return std::string(trainable ? "\nparameters\n" : "\nrunning statistics\n") +
         (count == 0 ? "  none\n" : table.text());
}

std::string scheduleText(const Plan &plan, const StepSchedule &schedule) {
  const std::vector<std::vector<uint32_t>> after = predecessors(schedule);
  Table table("rllllll", {"node", "op", "algorithm", "subgraph", "layer", "location", "after"});
  for (size_t i = 0; i < schedule.nodes.size(); ++i) {
    const Op &op = plan.ops[schedule.nodes[i].op];
    const LayerInfo none, &layer = op.layer == kNone ? none : plan.layers[op.layer];
    table.add({std::to_string(i), std::string(op.info().name),
               std::string(op.info().isConv() ? name(op.algorithm) : ""),
               std::string(name(schedule.nodes[i].subgraph)), layer.path, locationText(layer),
               joinedNumbers({after[i].begin(), after[i].end()}, " ")});
  }
  return "\nschedule " + std::string(name(schedule.kind)) + " of graph " +
         std::to_string(schedule.graph) + ": " + std::to_string(schedule.nodes.size()) +
         " nodes, " + std::to_string(schedule.edges.size()) + " edges\n" + table.text();
}

} // namespace

std::string inspectText(const Plan &plan, const InspectOptions &options) {
  std::string text = headText(plan) + epochText(plan) + variantsText(plan) + sharingText(plan) +
                     memoryText(plan) + regionsText(plan) + fusionsText(plan) + subgraphsText(plan);
  if (options.params)
    text += paramsText(plan, true) + paramsText(plan, false);
  if (options.schedule)
    for (const StepSchedule &schedule : plan.schedules)
      text += scheduleText(plan, schedule);
  return text;
}

} // namespace trrun
