// SPDX-License-Identifier: Apache-2.0
//
// The sample plan in a pool, with the fewest edges. Nothing here is fast.
#include "sample_plan.h"

namespace trf::test {

namespace {

bool isPooled(const trf_region &region) { return row(static_cast<Role>(region.role)).isPooled(); }

bool isPooled(const PlanRecords &records, const trf_tensor &tensor) {
  return isPooled(records.regions[tensor.region]);
}

struct Span {
  uint64_t begin, end;
  bool written;
};

// What an operand of a node touches.
std::vector<Span> touched(const PlanRecords &records, uint32_t op) {
  std::vector<Span> result;
  const trf_op &record = records.ops[op];
  const OpInfo &info = trf::info(static_cast<Opcode>(record.opcode));
  for (uint32_t i = 0; i < record.operand_count; ++i) {
    const uint32_t id = records.operands[record.first_operand + i];
    if (id == kNone)
      continue;
    const bool written = info.operands[i].writes();
    if (info.operands[i].isRun()) {
      const trf_region &first = records.regions[records.ranges[id].first_region];
      const trf_region &last = records.regions[records.ranges[id].last_region];
      result.push_back({first.offset, last.offset + last.bytes, written});
    } else {
      const trf_tensor &tensor = records.tensors[id];
      result.push_back({tensor.offset, tensor.offset + tensor.slot_bytes, written});
    }
  }
  return result;
}

bool conflict(const PlanRecords &records, uint32_t a, uint32_t b) {
  for (const Span &x : touched(records, a))
    for (const Span &y : touched(records, b))
      if ((x.written || y.written) && x.begin < y.end && y.begin < x.end)
        return true;
  return false;
}

// Gives pooled tensors places from 0 on, and returns the bytes of the pool.
uint64_t placeInPool(Draft &draft, const std::vector<SharedPlace> &shared) {
  uint64_t bytes = 0;
  for (trf_tensor &tensor : draft.records.tensors)
    if (isPooled(draft.records, tensor)) {
      tensor.offset = bytes;
      bytes += tensor.slot_bytes;
    }
  for (const SharedPlace &place : shared)
    draft.records.tensors[findTensor(draft, place.second)].offset =
        draft.records.tensors[findTensor(draft, place.first)].offset + place.shift;
  return bytes;
}

} // namespace

void poolTensors(Draft &draft, const std::vector<SharedPlace> &shared) {
  PlanRecords &r = draft.records;
  const uint64_t bytes = placeInPool(draft, shared);
  std::vector<uint64_t> moved(r.regions.size()); // what is added to offsets of a region's tensors
  uint64_t end = 0, start = 0;
  bool placed = false;
  for (size_t i = 0; i < r.regions.size(); ++i) {
    trf_region &region = r.regions[i];
    if (!isPooled(region)) {
      moved[i] = end - region.offset;
      region.offset = end;
      end += region.bytes;
      continue;
    }
    if (!placed) {
      start = end;
      end += bytes;
      placed = true;
    }
    moved[i] = start;
    region.offset = start;
    region.bytes = bytes;
  }
  for (trf_tensor &tensor : r.tensors)
    tensor.offset += moved[tensor.region];
  r.target[0].arena_bytes = end;
}

void reduceEdges(Draft &draft) {
  PlanRecords &r = draft.records;
  std::vector<trf_edge> edges;
  for (trf_schedule &schedule : r.schedules) {
    const uint32_t count = schedule.node_count;
    schedule.first_edge = static_cast<uint32_t>(edges.size());
    std::vector<std::vector<bool>> leads(count, std::vector<bool>(count, false));
    for (uint32_t to = 0; to < count; ++to)
      for (uint32_t from = to; from-- > 0;)
        if (!leads[from][to] && conflict(r, r.scheduleNodes[schedule.first_node + from].op,
                                         r.scheduleNodes[schedule.first_node + to].op)) {
          edges.push_back({from, to});
          for (uint32_t before = 0; before <= from; ++before)
            if (before == from || leads[before][from])
              leads[before][to] = true;
        }
    schedule.edge_count = static_cast<uint32_t>(edges.size()) - schedule.first_edge;
  }
  r.scheduleEdges = edges;
}

Draft pooledPlan() {
  Draft draft = samplePlan();
  poolTensors(draft, {{"y", "dy"}});
  reduceEdges(draft);
  return draft;
}

} // namespace trf::test
