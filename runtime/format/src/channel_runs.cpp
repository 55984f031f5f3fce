// SPDX-License-Identifier: Apache-2.0
//
// Channel intervals, and the pieces that they cut a tensor into.
#include "channel_runs.h"

#include <algorithm>
#include <limits>

namespace trf {

// 0: no variant uses the tensor.
static int64_t channelsOf(const Plan &plan, uint32_t tensor) {
  for (uint32_t v = 0; v < plan.variants.size(); ++v)
    if (const int64_t channels = plan.shape(tensor, v)[3])
      return channels;
  return 0;
}

ChannelRun channelRunOf(const Plan &plan, uint32_t tensor) {
  const TensorInfo &info = plan.tensors[tensor];
  if (info.parent == kNone)
    return {tensor, 0, std::numeric_limits<int64_t>::max()};
  return {info.parent, info.first_channel, info.first_channel + channelsOf(plan, tensor)};
}

ChannelPieces::ChannelPieces(const Plan &plan) : spans(plan.tensors.size()) {
  std::vector<std::vector<uint32_t>> runsOf(plan.tensors.size());
  for (uint32_t id = 0; id < plan.tensors.size(); ++id)
    if (plan.tensors[id].parent != kNone)
      runsOf[plan.tensors[id].parent].push_back(id);
  for (uint32_t id = 0; id < plan.tensors.size(); ++id)
    if (plan.tensors[id].parent == kNone)
      cut(plan, id, runsOf[id]);
}

void ChannelPieces::cut(const Plan &plan, uint32_t root, const std::vector<uint32_t> &runs) {
  std::vector<int64_t> bounds = {0, std::max<int64_t>(1, channelsOf(plan, root))};
  for (const uint32_t id : runs) {
    const ChannelRun run = channelRunOf(plan, id);
    bounds.insert(bounds.end(), {run.begin, run.end});
  }
  std::sort(bounds.begin(), bounds.end());
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  const auto pieceAt = [&](int64_t channel) {
    const auto at = std::lower_bound(bounds.begin(), bounds.end(), channel);
    return pieceCount + static_cast<uint32_t>(at - bounds.begin());
  };
  for (const uint32_t id : runs) {
    const ChannelRun run = channelRunOf(plan, id);
    spans[id] = {pieceAt(run.begin), pieceAt(run.end)};
  }
  spans[root] = {pieceCount, pieceCount + static_cast<uint32_t>(bounds.size()) - 1};
  pieceCount = spans[root].end;
}

} // namespace trf
