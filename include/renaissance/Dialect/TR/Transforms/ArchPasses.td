// SPDX-License-Identifier: Apache-2.0
//
// Passes within `tr.arch` (steps 2 to 10) and the boundary checks of `tr.bp` and
// `tr.arch`.
#ifndef TR_ARCH_PASSES_TD
#define TR_ARCH_PASSES_TD

include "mlir/Pass/PassBase.td"

class TR_ArchPass<string flag> : Pass<"tr-arch-" # flag, "::tr::arch::PlanOp"> {
  let dependentDialects = ["::tr::TRDialect"];
}

#endif // TR_ARCH_PASSES_TD
