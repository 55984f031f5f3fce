// SPDX-License-Identifier: Apache-2.0
//
// `--html FILE`: one page that shows a compilation: layers, fusions and their reasons, memory over
// time, steps by stream.
#ifndef RENAISSANCE_TOOLS_TR_COMPILE_HTMLREPORT_H
#define RENAISSANCE_TOOLS_TR_COMPILE_HTMLREPORT_H

#include "Report.h"

#include "renaissance/Dialect/TR/Transforms/RemarkListeners.h"

#include "llvm/Support/JSON.h"

namespace tr {

/// A merge that a pass made or nearly made, or a fused layer that was written as one.
struct FusionDecision {
  bool merged = false;
  std::string pass, location, reason;
};

/// A listener that appends what passes decide to `decisions`, which must outlive the context.
RemarkListener recordDecisions(std::vector<FusionDecision> &decisions);

struct ReportInput {
  graph::ProgramOp program; ///< finished
  llvm::ArrayRef<LayerRow> rows;
  llvm::ArrayRef<FusionDecision> decisions;
  const MemoryUse &use;
};

/// What the page draws; numbers that `tr-run inspect --json` has too are named as there.
llvm::json::Value collectReport(const ReportInput &input);

/// The page: a document of its own that loads nothing.
std::string renderReport(const llvm::json::Value &data);

} // namespace tr

#endif // RENAISSANCE_TOOLS_TR_COMPILE_HTMLREPORT_H
