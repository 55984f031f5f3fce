// SPDX-License-Identifier: Apache-2.0
//
// Passes within `tr.graph` (the phases after shapes are known) and its boundary
// check.
#ifndef TR_GRAPH_PASSES_TD
#define TR_GRAPH_PASSES_TD

include "mlir/Pass/PassBase.td"

class TR_GraphPass<string flag> : Pass<"tr-graph-" # flag, "::tr::graph::ProgramOp"> {
  let dependentDialects = ["::tr::TRDialect"];
}

#endif // TR_GRAPH_PASSES_TD
