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

/// For each op the earlier ops that it must wait for, ascending.
using StepEdges = std::vector<llvm::SmallVector<uint32_t, 2>>;

/// The transitive reduction of read-after-write, write-after-read and write-after-write, where
/// tensors that overlap in the arena count as one place. `extents` has one entry for each tensor;
/// one of no bytes overlaps nothing.
StepEdges buildStepDag(llvm::ArrayRef<const Accesses *> ops, llvm::ArrayRef<Extent> extents);

/// A read of a tensor whose bytes another tensor was written to since: position of the op and the
/// two tensors. Reads of what nothing wrote are not looked for; the runtime's verifier does.
struct StaleRead {
  uint32_t op, tensor, writtenOver;
};
std::optional<StaleRead> findStaleRead(llvm::ArrayRef<const Accesses *> ops,
                                       llvm::ArrayRef<Extent> extents);

} // namespace tr

#endif // RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_GRAPH_STEPDAG_H
