// SPDX-License-Identifier: Apache-2.0
//
// The decisions of merging passes, from the remarks that they make.
#include "HtmlReport.h"

using namespace mlir;

namespace tr {

static FusionDecision decisionOf(const remark::detail::Remark &remark) {
  std::string reason;
  for (const remark::detail::Remark::Arg &arg : remark.getArgs())
    if (arg.key == "Reason")
      reason = arg.val;
  return {remark.getRemarkType() == llvm::remarks::Type::Passed, remark.getCategoryName().str(),
          locationText(remark.getLocation()), std::move(reason)};
}

RemarkListener recordDecisions(std::vector<FusionDecision> &decisions) {
  RemarkListener listener;
  listener.categories.passed = listener.categories.missed = "tr-arch-(expand-tree|merge-.*)";
  listener.hear = [&decisions](const remark::detail::Remark &remark) {
    decisions.push_back(decisionOf(remark));
  };
  return listener;
}

} // namespace tr
