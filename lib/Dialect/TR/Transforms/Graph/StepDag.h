// SPDX-License-Identifier: Apache-2.0
//
// Dependencies of a list of kernel ops, on plain structures.
#ifndef RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_GRAPH_STEPDAG_H
#define RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_GRAPH_STEPDAG_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tr {

/// Tensors that an op reads and writes.
struct Accesses {
  llvm::SmallVector<uint32_t, 8> reads, writes;
};

/// Place of a tensor in the arena, in bytes.
struct Extent {
  int64_t offset, bytes;
};

/// Tensors that are channels of others. A root, which is no run itself, is cut into pieces wherever
/// one of its runs begins or ends; a tensor without runs is one piece.
struct Pieces {
  struct Span {
    uint32_t first = 0, end = 0;
  };
  std::vector<Span> spans;     ///< of each tensor
  std::vector<uint32_t> roots; ///< of each piece: the tensor

  uint32_t getRoot(uint32_t tensor) const { return roots[spans[tensor].first]; }
  bool overlap(uint32_t a, uint32_t b) const {
    return spans[a].first < spans[b].end && spans[b].first < spans[a].end;
  }
};

/// For each op the earlier ops that it must wait for, ascending.
using StepEdges = std::vector<llvm::SmallVector<uint32_t, 2>>;

/// The transitive reduction of read-after-write, write-after-read and write-after-write, where
/// tensors that overlap in the arena count as one place; runs of one root overlap where they share
/// a channel. `extents` has one entry for each tensor; one of no bytes overlaps nothing.
StepEdges buildStepDag(llvm::ArrayRef<const Accesses *> ops, llvm::ArrayRef<Extent> extents,
                       const Pieces &pieces);

} // namespace tr

#endif // RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_GRAPH_STEPDAG_H
