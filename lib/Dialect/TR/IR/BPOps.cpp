// SPDX-License-Identifier: Apache-2.0
//
// Registration of `tr.bp`, and the nodes that hold nodes.
#include "renaissance/Dialect/TR/IR/BPOps.h"

#include "../Layers/Params.h"
#include "BranchText.h"
#include "SymbolName.h"

#include "renaissance/Dialect/TR/IR/LayerChain.h"

#define GET_OP_CLASSES
#include "renaissance/Dialect/TR/IR/BPOps.cpp.inc"

using namespace mlir;
using namespace tr;
using namespace tr::params;

void TRDialect::registerBPOps() {
  addOperations<
#define GET_OP_LIST
#include "renaissance/Dialect/TR/IR/BPOps.cpp.inc"
      >();
}

LogicalResult bp::ModelOp::verify() {
  if (failed(checkSymbolName(*this)))
    return failure();
  if (getInput().size() != 3)
    return emitOpError("expected input height, width and channels, but got ")
           << getInput().size() << " values";
  for (int64_t extent : getInput())
    if (failed(checkPositive(*this, "input extent", extent)))
      return failure();
  return checkPositive(*this, "classes", getClasses());
}

LogicalResult bp::RepeatOp::verify() { return checkPositive(*this, "times", getTimes()); }

static Operation *buildSeq(OpBuilder &builder, Location loc, const BoundCall &call) {
  auto op = bp::SeqOp::create(builder, loc, call.name);
  op.getBody().emplaceBlock();
  return op;
}

static Operation *buildRepeat(OpBuilder &builder, Location loc, const BoundCall &call) {
  auto op = bp::RepeatOp::create(builder, loc, call["times"].integer, call.name);
  op.getBody().emplaceBlock();
  return op;
}

ArrayRef<Signature> bp::SeqOp::getSignatures() {
  static constexpr Param params[] = {required("layers", ParamKind::Layers)};
  static constexpr Signature calls[] = {
      {"seq", params, "layers in order; empty only as a branch", buildSeq}};
  return calls;
}

ArrayRef<Signature> bp::RepeatOp::getSignatures() {
  static constexpr Param params[] = {required("body", ParamKind::Layer),
                                     required("times", ParamKind::Int)};
  static constexpr Signature calls[] = {
      {"repeat", params, "the body several times, each with parameters of its own", buildRepeat}};
  return calls;
}
