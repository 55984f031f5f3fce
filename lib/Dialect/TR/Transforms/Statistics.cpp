// SPDX-License-Identifier: Apache-2.0
//
// Counts by pass and name, as text and as JSON.
#include "renaissance/Dialect/TR/Transforms/Statistics.h"

#include "renaissance/Dialect/TR/Transforms/Counts.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace tr {

RemarkListener Statistics::listen() {
  RemarkListener listener;
  listener.categories.analysis = ".*";
  listener.hear = [this](const remark::detail::Remark &remark) { add(remark); };
  return listener;
}

void Statistics::add(const remark::detail::Remark &remark) {
  if (remark.getRemarkName() != kCountRemark)
    return;
  Counts &counts = passes[remark.getCategoryName().str()];
  for (const remark::detail::Remark::Arg &arg : remark.getArgs()) {
    int64_t count = 0;
    if (!StringRef(arg.val).getAsInteger(10, count))
      counts[arg.key] += count;
  }
}

void Statistics::printText(llvm::raw_ostream &os) const {
  size_t width = 0;
  for (const auto &[flag, counts] : passes)
    width = std::max(width, flag.size());
  for (const auto &[flag, counts] : passes) {
    StringRef shown = flag;
    for (const auto &[name, count] : counts) {
      os << llvm::left_justify(shown, width) << llvm::format_decimal(count, 14) << "  " << name
         << '\n';
      shown = "";
    }
  }
}

void Statistics::printJson(llvm::raw_ostream &os) const {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attributeArray("statistics", [&] {
      for (const auto &[flag, counts] : passes)
        json.object([&, &flag = flag, &counts = counts] {
          json.attribute("pass", flag);
          json.attributeObject("counts", [&] {
            for (const auto &[name, count] : counts)
              json.attribute(name, count);
          });
        });
    });
  });
  os << '\n';
}

} // namespace tr
