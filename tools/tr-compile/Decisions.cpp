// SPDX-License-Identifier: Apache-2.0
//
// The decisions of merging passes, from the remarks that they make.
#include "HtmlReport.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tr {
namespace {

class Recorder final : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Recorder(std::vector<FusionDecision> &decisions) : decisions(decisions) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::string reason;
    for (const remark::detail::Remark::Arg &arg : remark.getArgs())
      if (arg.key == "Reason")
        reason = arg.val;
    decisions.push_back({remark.getRemarkType() == llvm::remarks::Type::Passed,
                         remark.getCategoryName().str(), locationText(remark.getLocation()),
                         std::move(reason)});
  }

private:
  std::vector<FusionDecision> &decisions;
};

} // namespace

LogicalResult recordDecisions(MLIRContext &context, std::vector<FusionDecision> &decisions) {
  remark::RemarkCategories merges;
  merges.passed = merges.missed = "tr-arch-(expand-tree|merge-.*)";
  return remark::enableOptimizationRemarks(context, std::make_unique<Recorder>(decisions),
                                           std::make_unique<remark::RemarkEmittingPolicyAll>(),
                                           merges);
}

} // namespace tr
