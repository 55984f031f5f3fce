// SPDX-License-Identifier: Apache-2.0
//
// `--tr-arch-expand-tree` as a function: `tr.bp` to `tr.arch`.
#ifndef RENAISSANCE_CONVERSION_BPTOARCH_H
#define RENAISSANCE_CONVERSION_BPTOARCH_H

#include "renaissance/Dialect/TR/IR/ArchOps.h"
#include "renaissance/Dialect/TR/IR/BPOps.h"

namespace tr {

/// Builds a `tr.arch.network` before `model` and erases the model. With `fuse`, blocks
/// and cbr become fused layers, without it primitives. On an error the model stays
/// and no network is left.
llvm::FailureOr<arch::NetworkOp> expandModel(bp::ModelOp model, bool fuse);

} // namespace tr

#endif // RENAISSANCE_CONVERSION_BPTOARCH_H
