// SPDX-License-Identifier: Apache-2.0
//
// Registration of `tr.arch` and the verifier of networks; layers check themselves.
#include "renaissance/Dialect/TR/IR/ArchOps.h"

#include "../Layers/Params.h"
#include "BranchText.h"
#include "SymbolName.h"

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
  if (failed(checkSymbolName(*this)) ||
      failed(params::checkPositive(*this, "classes", getClasses())))
    return failure();
  Block &body = getBody().front();
  if (body.getNumArguments() != 1)
    return emitOpError("expected one block argument, the images, but got ")
           << body.getNumArguments();
  auto emit = [&] { return emitError("network '") << getSymName() << "': images: "; };
  if (failed(tr::detail::checkLayerType(body.getArgument(0).getType(), emit)))
    return failure();
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
