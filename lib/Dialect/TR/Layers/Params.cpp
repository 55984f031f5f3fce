// SPDX-License-Identifier: Apache-2.0
//
// Values of calls to attributes, and what verifiers of several layers check.
#include "Params.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace tr::params {

ConvAttr makeConv(Location loc, const BoundCall &call) {
  return ConvAttr::getChecked([&] { return emitError(loc); }, loc.getContext(), call["out"].integer,
                              call["kernel"].dims, call["stride"].dims, call["pad"].dims,
                              call["dilation"].dims, call["groups"].integer, call["bias"].boolean);
}

PoolAttr makePool(Location loc, Dims2 kernel, Dims2 stride, Dims2 pad, bool ceil) {
  return PoolAttr::getChecked([&] { return emitError(loc); }, loc.getContext(), kernel, stride, pad,
                              ceil);
}

FloatAttr makeReal(OpBuilder &builder, const ArgumentValue &value) {
  return builder.getF64FloatAttr(value.real);
}

ActivationAttr makeAct(OpBuilder &builder, Act act) {
  return ActivationAttr::get(builder.getContext(), act);
}

LogicalResult checkPositive(Operation *op, StringRef what, int64_t value) {
  if (value >= 1 && value <= kMostExtent)
    return success();
  return op->emitOpError("expected ")
         << what << " in [1, " << kMostExtent << "], but got " << value;
}

LogicalResult checkNorm(function_ref<InFlightDiagnostic()> emitError, double eps, double momentum) {
  if (!(eps > 0) || !std::isfinite(eps))
    return emitError() << "expected eps > 0, but got " << eps;
  // Kernels compute with FP32, in which less would be 0.
  if (eps < std::numeric_limits<float>::min() || eps > std::numeric_limits<float>::max())
    return emitError() << "expected eps in the range of FP32, [1.17549e-38, 3.40282e+38], but got "
                       << eps;
  if (!(momentum >= 0 && momentum <= 1))
    return emitError() << "expected momentum in [0, 1], but got " << momentum;
  return success();
}

LogicalResult checkFinite(function_ref<InFlightDiagnostic()> emitError, StringRef what,
                          double value) {
  if (value >= 0 && std::isfinite(static_cast<float>(value)))
    return success();
  return emitError() << "expected a finite " << what << " of at least 0, but got " << value;
}

} // namespace tr::params
