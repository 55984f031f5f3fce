// SPDX-License-Identifier: Apache-2.0
//
// Registration of `tr.arch` and the verifiers of its structural ops; the layers'
// shape rules are in ArchShapes.cpp.
#include "renaissance/Dialect/TR/IR/ArchOps.h"

#define GET_OP_CLASSES
#include "renaissance/Dialect/TR/IR/ArchOps.cpp.inc"

using namespace mlir;

namespace tr {

void TRDialect::registerArchOps() {
  addOperations<
#define GET_OP_LIST
#include "renaissance/Dialect/TR/IR/ArchOps.cpp.inc"
      >();
}

namespace arch {

LogicalResult NetworkOp::verify() {
  if (getClasses() < 1)
    return emitOpError("expected classes >= 1, but got ") << getClasses();
  Block &body = getBody().front();
  if (body.getNumArguments() != 1)
    return emitOpError("expected one block argument, the images, but got ")
           << body.getNumArguments();
  if (body.empty() || !isa<YieldOp>(body.back()))
    return emitOpError("expected a tr.arch.yield at the end");
  return success();
}

// Layers that join branches may belong to other dialects.
LogicalResult YieldOp::verify() {
  Operation *parent = (*this)->getParentOp();
  if (isa<NetworkOp, JoinOpInterface>(parent))
    return success();
  return emitOpError("expected to end a network or a branch of a layer, but got a place in '")
         << parent->getName() << "'";
}

} // namespace arch
} // namespace tr
