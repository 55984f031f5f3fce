// SPDX-License-Identifier: Apache-2.0
//
// Dependencies of a list of kernel ops, on plain structures.
#ifndef RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_GRAPH_STEPDAG_H
#define RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_GRAPH_STEPDAG_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <vector>

namespace tr {

/// Tensors that an op reads and writes.
struct Accesses {
  llvm::SmallVector<uint32_t, 8> reads, writes;
};

/// For each op the earlier ops that it must wait for, ascending: the transitive
/// reduction of read-after-write, write-after-read and write-after-write.
std::vector<llvm::SmallVector<uint32_t, 2>> buildStepDag(llvm::ArrayRef<Accesses> ops,
                                                         size_t tensorCount);

} // namespace tr

#endif // RENAISSANCE_LIB_DIALECT_TR_TRANSFORMS_GRAPH_STEPDAG_H
