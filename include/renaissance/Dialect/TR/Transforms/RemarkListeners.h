// SPDX-License-Identifier: Apache-2.0
//
// Several listeners to the remarks of passes: a context has one place for them.
#ifndef RENAISSANCE_DIALECT_TR_TRANSFORMS_REMARKLISTENERS_H
#define RENAISSANCE_DIALECT_TR_TRANSFORMS_REMARKLISTENERS_H

#include "mlir/IR/Remarks.h"

#include <functional>
#include <vector>

namespace tr {

/// What to call with which remarks. Categories are regular expressions that a remark's whole
/// category must match; those of kinds that are not set let nothing through, and `all` is not
/// looked at.
struct RemarkListener {
  mlir::remark::RemarkCategories categories;
  std::function<void(const mlir::remark::detail::Remark &)> hear;
};

/// Takes the context's place for remarks until it ends. Passes must run in one thread meanwhile. An
/// expression that is none is an error.
mlir::LogicalResult listenToRemarks(mlir::MLIRContext &context,
                                    std::vector<RemarkListener> listeners);

} // namespace tr

#endif // RENAISSANCE_DIALECT_TR_TRANSFORMS_REMARKLISTENERS_H
