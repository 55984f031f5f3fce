// SPDX-License-Identifier: Apache-2.0
//
// Values of calls to attributes, and what verifiers of several layers check.
#include "Params.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace tr::params {

FailureOr<Pads> readPads(Location loc, const BoundCall &call) {
  const ArgumentValue &pad = call["pad"], &end = call["pad_end"];
  if (pad.word.empty()) {
    Dims2 last = end.given ? end.dims : pad.dims;
    return Pads{pad.dims, {last.h - pad.dims.h, last.w - pad.dims.w}};
  }
  if (end.given)
    return emitError(loc) << "expected no pad_end with pad = same, which says both";
  Dims2 stride = call["stride"].dims, kernel = call["kernel"].dims;
  if (stride != Dims2{1, 1})
    return emitError(loc) << "expected stride 1 with pad = same, but got " << stride.h << "x"
                          << stride.w << "; write pad and pad_end";
  const ArgumentValue *dilation = call.find("dilation");
  Dims2 step = dilation ? dilation->dims : Dims2{1, 1};
  Dims2 both = {step.h * (kernel.h - 1), step.w * (kernel.w - 1)};
  return Pads{{both.h / 2, both.w / 2}, {both.h % 2, both.w % 2}};
}

ConvAttr makeConv(Location loc, const BoundCall &call) {
  FailureOr<Pads> pads = readPads(loc, call);
  if (failed(pads))
    return {};
  return ConvAttr::getChecked([&] { return emitError(loc); }, loc.getContext(), call["out"].integer,
                              call["kernel"].dims, call["stride"].dims, pads->before,
                              call["dilation"].dims, call["groups"].integer, call["bias"].boolean,
                              pads->more);
}

PoolAttr makePool(Location loc, Dims2 kernel, Dims2 stride, Dims2 pad, bool ceil) {
  return PoolAttr::getChecked([&] { return emitError(loc); }, loc.getContext(), kernel, stride, pad,
                              ceil, Dims2{0, 0}, Dims2{1, 1}, false);
}

PoolAttr makePool(Location loc, const BoundCall &call) {
  FailureOr<Pads> pads = readPads(loc, call);
  if (failed(pads))
    return {};
  const ArgumentValue *dilation = call.find("dilation"), *count = call.find("count_include_pad");
  return PoolAttr::getChecked([&] { return emitError(loc); }, loc.getContext(), call["kernel"].dims,
                              call["stride"].dims, pads->before, call["ceil"].boolean, pads->more,
                              dilation ? dilation->dims : Dims2{1, 1}, count && count->boolean);
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
