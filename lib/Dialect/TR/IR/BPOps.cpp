// SPDX-License-Identifier: Apache-2.0
//
// Verifiers of `tr.bp`.
#include "renaissance/Dialect/TR/IR/BPOps.h"

#define GET_OP_CLASSES
#include "renaissance/Dialect/TR/IR/BPOps.cpp.inc"

using namespace mlir;

namespace tr {

void TRDialect::registerBPOps() {
  addOperations<
#define GET_OP_LIST
#include "renaissance/Dialect/TR/IR/BPOps.cpp.inc"
      >();
}

namespace bp {
namespace {
LogicalResult checkPositive(Operation *op, StringRef what, int64_t value) {
  if (value >= 1 && value < (int64_t(1) << 31))
    return success();
  return op->emitOpError("expected ") << what << " in [1, 2147483647], but got " << value;
}

LogicalResult checkPair(Operation *op, StringRef what, ArrayRef<int64_t> values, int64_t least) {
  if (values.size() != 2)
    return op->emitOpError("expected 2 values for ") << what << ", but got " << values.size();
  for (int64_t value : values)
    if (value < least || value >= (int64_t(1) << 31))
      return op->emitOpError("expected ")
             << what << " in [" << least << ", 2147483647], but got " << value;
  return success();
}

LogicalResult checkBn(Operation *op, double eps, double momentum) {
  if (!(eps > 0) || !std::isfinite(eps))
    return op->emitOpError("expected eps > 0, but got ") << eps;
  if (!(momentum >= 0 && momentum <= 1))
    return op->emitOpError("expected momentum in [0, 1], but got ") << momentum;
  return success();
}
} // namespace

LogicalResult ModelOp::verify() {
  if (getInput().size() != 3)
    return emitOpError("expected input height, width and channels, but got ")
           << getInput().size() << " values";
  for (int64_t extent : getInput())
    if (failed(checkPositive(*this, "input extent", extent)))
      return failure();
  return checkPositive(*this, "classes", getClasses());
}

LogicalResult RepeatOp::verify() { return checkPositive(*this, "times", getTimes()); }

LogicalResult ConvDwOp::verify() {
  if (failed(checkPair(*this, "kernel", getKernel(), 1)) ||
      failed(checkPair(*this, "stride", getStride(), 1)) ||
      failed(checkPair(*this, "pad", getPad(), 0)))
    return failure();
  return checkPair(*this, "dilation", getDilation(), 1);
}

LogicalResult BnOp::verify() {
  return checkBn(*this, getEps().convertToDouble(), getMomentum().convertToDouble());
}
LogicalResult CbrOp::verify() {
  return checkBn(*this, getEps().convertToDouble(), getMomentum().convertToDouble());
}
LogicalResult CbrpOp::verify() {
  return checkBn(*this, getEps().convertToDouble(), getMomentum().convertToDouble());
}

LogicalResult DropoutOp::verify() {
  double p = getP().convertToDouble();
  if (!(p >= 0 && p < 1))
    return emitOpError("expected p in [0, 1), but got ") << p;
  return success();
}

LogicalResult FlattenOp::verify() {
  if (getStartDim() != 1)
    return emitOpError("expected start_dim 1 (the batch stays), but got ") << getStartDim();
  return success();
}

LogicalResult FcOp::verify() { return checkPositive(*this, "out features", getOut()); }
LogicalResult GapFcOp::verify() { return checkPositive(*this, "out features", getOut()); }

LogicalResult BlockOp::verify() {
  bool bottleneck =
      getStyle() == BlockStyle::RESNET_1_3_1 || getStyle() == BlockStyle::RESNET_1_3_1_DS;
  if (bottleneck && !getMid())
    return emitOpError("expected mid for style ") << stringifyBlockStyle(getStyle());
  if (!bottleneck && getMid())
    return emitOpError("expected no mid for style ")
           << stringifyBlockStyle(getStyle()) << ", but got " << *getMid();
  if (getMid() && failed(checkPositive(*this, "mid", *getMid())))
    return failure();
  return checkPositive(*this, "out", getOut());
}

} // namespace bp
} // namespace tr
