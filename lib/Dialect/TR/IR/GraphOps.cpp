// SPDX-License-Identifier: Apache-2.0
//
// Registration and verifiers of `tr.graph`.
#include "renaissance/Dialect/TR/IR/GraphOps.h"

#define GET_OP_CLASSES
#include "renaissance/Dialect/TR/IR/GraphOps.cpp.inc"

void tr::TRDialect::registerGraphOps() {
  addOperations<
#define GET_OP_LIST
#include "renaissance/Dialect/TR/IR/GraphOps.cpp.inc"
      >();
}
