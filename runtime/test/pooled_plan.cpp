// SPDX-License-Identifier: Apache-2.0
//
// The sample plan in a pool, with the fewest edges. Nothing here is fast.
#include "sample_plan.h"

#include <stdexcept>

namespace trrt::test {

namespace {

bool pooled(const trrt_plan_tensor &tensor) { return isPooled(static_cast<Region>(tensor.region)); }

struct Bytes {
  uint64_t begin, end;
  bool written;
};

// What an operand of a node touches.
std::vector<Bytes> touched(const tr::PlanImage &image, uint32_t op) {
  std::vector<Bytes> result;
  const trrt_plan_op &record = image.ops[op];
  const trk::OpInfo &info = trk::kOps[record.opcode];
  for (uint32_t i = 0; i < record.operand_count; ++i) {
    const uint32_t id = image.operands[record.first_operand + i];
    if (id == kNone)
      continue;
    const bool written = info.operands[i].access != trk::Access::Read;
    if (info.operands[i].range) {
      const trrt_plan_region &first = image.regions[image.ranges[id].first_region];
      const trrt_plan_region &last = image.regions[image.ranges[id].last_region];
      result.push_back({first.offset, last.offset + last.bytes, written});
    } else {
      const trrt_plan_tensor &tensor = image.tensors[id];
      result.push_back({tensor.offset, tensor.offset + tensor.slot_bytes, written});
    }
  }
  return result;
}

bool conflict(const tr::PlanImage &image, uint32_t a, uint32_t b) {
  for (const Bytes &x : touched(image, a))
    for (const Bytes &y : touched(image, b))
      if ((x.written || y.written) && x.begin < y.end && y.begin < x.end)
        return true;
  return false;
}

} // namespace

uint32_t findTensor(const tr::PlanImage &image, const std::string &name) {
  for (uint32_t i = 0; i < image.tensors.size(); ++i)
    if (image.strings()[image.tensors[i].name] == name)
      return i;
  throw std::logic_error("the plan lacks this tensor");
}

void poolTensors(tr::PlanImage &image, const std::vector<SharedPlace> &shared) {
  uint64_t bytes = 0; // of the pool
  for (trrt_plan_tensor &tensor : image.tensors)
    if (pooled(tensor)) {
      tensor.offset = bytes;
      bytes += tensor.slot_bytes;
    }
  for (const SharedPlace &place : shared)
    image.tensors[findTensor(image, place.second)].offset =
        image.tensors[findTensor(image, place.first)].offset + place.shift;
  uint64_t end = 0, start = 0;
  bool placed = false;
  for (trrt_plan_region &region : image.regions) {
    const uint64_t old = region.offset;
    if (!isPooled(static_cast<Region>(region.region))) {
      region.offset = end;
      for (trrt_plan_tensor &tensor : image.tensors)
        if (tensor.region == region.region)
          tensor.offset = tensor.offset - old + end;
      end += region.bytes;
      continue;
    }
    if (!placed) {
      start = end;
      end += bytes;
      placed = true;
    }
    region.offset = start;
    region.bytes = bytes;
  }
  for (trrt_plan_tensor &tensor : image.tensors)
    if (pooled(tensor))
      tensor.offset += start;
  image.target.arena_bytes = end;
}

void reduceEdges(tr::PlanImage &image) {
  std::vector<trrt_plan_edge> edges;
  for (trrt_plan_schedule &schedule : image.schedules) {
    const uint32_t count = schedule.node_count;
    schedule.first_edge = static_cast<uint32_t>(edges.size());
    std::vector<std::vector<bool>> leads(count, std::vector<bool>(count, false));
    for (uint32_t to = 0; to < count; ++to)
      for (uint32_t from = to; from-- > 0;)
        if (!leads[from][to] && conflict(image, image.scheduleNodes[schedule.first_node + from].op,
                                         image.scheduleNodes[schedule.first_node + to].op)) {
          edges.push_back({from, to});
          for (uint32_t before = 0; before <= from; ++before)
            if (before == from || leads[before][from])
              leads[before][to] = true;
        }
    schedule.edge_count = static_cast<uint32_t>(edges.size()) - schedule.first_edge;
  }
  image.scheduleEdges = edges;
}

tr::PlanImage pooledPlan() {
  tr::PlanImage image = samplePlan();
  poolTensors(image, {{"y", "dy"}});
  reduceEdges(image);
  return image;
}

} // namespace trrt::test
