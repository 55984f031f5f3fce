// SPDX-License-Identifier: Apache-2.0
//
// Tensors that are runs of the channels of another one. Such a run has no bytes of its own:
// it lies in the slot of its root, between channels of others, so bytes cannot tell who wrote
// what there. Pieces can: a root is cut wherever one of its runs begins or ends.
#ifndef TRF_SRC_CHANNEL_RUNS_H
#define TRF_SRC_CHANNEL_RUNS_H

#include "trf/plan.h"

namespace trf {

// Channels [begin, end) of a tensor that is no run itself.
struct ChannelRun {
  uint32_t root = kNone;
  int64_t begin = 0, end = 0;

  bool overlaps(const ChannelRun &o) const {
    return root == o.root && begin < o.end && o.begin < end;
  }
  bool operator==(const ChannelRun &o) const {
    return root == o.root && begin == o.begin && end == o.end;
  }
};

// A tensor without parent is all channels of itself. All variants that use a tensor agree.
ChannelRun channelRunOf(const Plan &plan, uint32_t tensor);

// A tensor without runs is one piece.
class ChannelPieces {
public:
  explicit ChannelPieces(const Plan &plan);

  uint32_t count() const { return pieceCount; }
  // Calls fn(piece) for the pieces that a tensor consists of.
  template <typename Fn> void forEach(uint32_t tensor, Fn fn) const {
    for (uint32_t piece = spans[tensor].first; piece < spans[tensor].end; ++piece)
      fn(piece);
  }

private:
  struct Span {
    uint32_t first = 0, end = 0;
  };
  void cut(const Plan &plan, uint32_t root, const std::vector<uint32_t> &runs);

  std::vector<Span> spans; // of each tensor
  uint32_t pieceCount = 0;
};

} // namespace trf

#endif // TRF_SRC_CHANNEL_RUNS_H
