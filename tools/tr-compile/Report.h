// SPDX-License-Identifier: Apache-2.0
//
// What tr-compile prints about a network: its layers and its memory.
#ifndef RENAISSANCE_TOOLS_TR_COMPILE_REPORT_H
#define RENAISSANCE_TOOLS_TR_COMPILE_REPORT_H

#include "renaissance/Dialect/TR/IR/ArchOps.h"
#include "renaissance/Dialect/TR/IR/GraphOps.h"
#include "renaissance/Dialect/TR/Transforms/MemoryUse.h"

#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace tr {

/// One line of the summary, taken before tr.arch is lowered.
struct LayerRow {
  std::string path, kind, input, output, location; ///< location: "model.bp:12:5" or empty
  bool first = false;
};

/// The layers of `plan` in program order, branches of a residual included.
std::vector<LayerRow> collectLayers(arch::NetworkOp network);

struct LayerCosts {
  int64_t parameters = 0;
  int64_t flops = 0; ///< multiplications and additions of one sample's inference
};

/// Of each layer path with parameters or FLOPs.
llvm::StringMap<LayerCosts> collectCosts(graph::ProgramOp program);

/// Of extents.
int64_t product(llvm::ArrayRef<int64_t> dims);

/// File without its folder, line and column of the first place in `loc`; empty where it has none.
std::string locationText(mlir::Location loc);

/// Table of layers with shapes, parameters, FLOPs of one sample's inference and
/// the mark of the first layer; totals below.
void printSummary(llvm::raw_ostream &os, const std::vector<LayerRow> &rows,
                  graph::ProgramOp program);

/// Digits in groups of three.
std::string grouped(int64_t value);

/// Bytes of the regions outside the pool, and for each schedule peak, bound, sum without reuse
/// and what is alive at the bound, by layer. Slot bytes, 1 GB = 1e9 bytes.
void printMemory(llvm::raw_ostream &os, graph::ProgramOp program, const MemoryUse &use);

} // namespace tr

#endif // RENAISSANCE_TOOLS_TR_COMPILE_REPORT_H
