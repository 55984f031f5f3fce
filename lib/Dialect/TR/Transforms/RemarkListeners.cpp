// SPDX-License-Identifier: Apache-2.0
//
// One streamer for all: the engine lets through what any listener wants, and each gets its own.
#include "renaissance/Dialect/TR/Transforms/RemarkListeners.h"

#include <array>

using namespace mlir;

namespace tr {
namespace {

// By kind: passed, missed, analysis, failed.
constexpr size_t kKinds = 4;
using Patterns = std::array<std::optional<std::string>, kKinds>;

std::optional<size_t> kindOf(const remark::detail::Remark &remark) {
  switch (remark.getRemarkType()) {
  case llvm::remarks::Type::Passed:
    return 0;
  case llvm::remarks::Type::Missed:
    return 1;
  case llvm::remarks::Type::Analysis:
    return 2;
  case llvm::remarks::Type::Failure:
    return 3;
  default:
    return std::nullopt;
  }
}

class Hub final : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Hub(std::vector<RemarkListener> listeners) {
    for (RemarkListener &listener : listeners)
      add(std::move(listener));
  }

  // The expression that is none; empty: all are.
  const std::string &fault() const { return wrong; }
  // What any listener wants.
  remark::RemarkCategories categories() const {
    return {/*all=*/std::nullopt, all[0], all[1], all[2], all[3]};
  }

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::optional<size_t> kind = kindOf(remark);
    for (const Ear &ear : ears)
      if (kind && ear.filters[*kind] && ear.filters[*kind]->match(remark.getCategoryName()))
        ear.hear(remark);
  }

private:
  struct Ear {
    std::function<void(const remark::detail::Remark &)> hear;
    std::array<std::optional<llvm::Regex>, kKinds> filters;
  };

  void add(RemarkListener listener) {
    const remark::RemarkCategories &wanted = listener.categories;
    Patterns patterns = {wanted.passed, wanted.missed, wanted.analysis, wanted.failed};
    Ear ear{std::move(listener.hear), {}};
    for (size_t kind = 0; kind < kKinds; ++kind) {
      if (!patterns[kind])
        continue;
      std::string pattern = "^(" + *patterns[kind] + ")$", reason;
      ear.filters[kind].emplace(pattern);
      if (!ear.filters[kind]->isValid(reason))
        wrong = *patterns[kind] + ": " + reason;
      all[kind] = all[kind] ? *all[kind] + "|" + pattern : pattern;
    }
    ears.push_back(std::move(ear));
  }

  std::vector<Ear> ears;
  Patterns all;
  std::string wrong;
};

} // namespace

LogicalResult listenToRemarks(MLIRContext &context, std::vector<RemarkListener> listeners) {
  auto hub = std::make_unique<Hub>(std::move(listeners));
  if (!hub->fault().empty())
    return emitError(UnknownLoc::get(&context))
           << "expected a regular expression of categories of remarks, but got " << hub->fault();
  remark::RemarkCategories categories = hub->categories();
  return remark::enableOptimizationRemarks(
      context, std::move(hub), std::make_unique<remark::RemarkEmittingPolicyAll>(), categories);
}

} // namespace tr
