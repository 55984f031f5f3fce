// SPDX-License-Identifier: Apache-2.0
//
// The layer: its shape, its tensors, and the kernel ops of training and inference.
#include "Own.h"

#include "renaissance/Dialect/TR/IR/LayerDescription.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpImplementation.h"

#include <cmath>

#include "OwnDialect.cpp.inc"
#define GET_OP_CLASSES
#include "OwnOps.cpp.inc"

using tr::LayerDescription;
using tr::TensorRef;
using tr::plan::Kernel;

void own::OwnDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "OwnOps.cpp.inc"
      >();
}

mlir::FailureOr<tr::ImageShape>
own::ResidualUnitOp::inferOutputShape(tr::ImageShape input,
                                      llvm::function_ref<mlir::InFlightDiagnostic()>) {
  return input;
}

void own::ResidualUnitOp::describe(LayerDescription &d) {
  const tr::LayerContext &context = d.getContext();
  int64_t c = context.input.c;
  std::string path = getPath().str();
  LayerDescription::Parameter w =
      d.parameter(path, "weight", tr::plan::Region::WDeepConv, {c, 1, 1, c},
                  tr::plan::ParamLayout::Conv, tr::plan::Init::Normal, std::sqrt(2.0 / c));
  TensorRef t = d.feature(path + ".conv", context.output);
  TensorRef a = d.feature(path + ".relu", context.output);
  TensorRef y = d.feature(path + ".output", context.output);
  d.setOutput(y);
  // kernel 1x1, stride 1, pad 0, dilation 1, one group.
  const tr::KernelAttr one = int64_t(1), zero = int64_t(0), relu = int64_t(1);
  const tr::KernelAttr conv[] = {one, one, one, one, zero, zero, one, one, one};
  d.both(Kernel::conv_fwd, {d.input(), w.value, d.absent(), t}, conv);
  d.both(Kernel::act_fwd, {t, a}, {relu});
  d.both(Kernel::add_fwd, {a, d.input(), y}, {zero});

  TensorRef dt = d.gradient(path + ".conv.grad", context.output);
  d.backward(Kernel::act_bwd, {d.outputGrad(), t, dt}, {relu});
  d.backward(Kernel::conv_bwd_weight, {d.input(), dt, w.grad, d.absent()}, conv);
  if (!context.inputNeedsGrad)
    return;
  TensorRef dx = d.gradient(path + ".input.grad", context.input);
  d.backward(Kernel::conv_bwd_data, {dt, w.value, dx}, conv);
  d.backward(Kernel::add_fwd, {dx, d.outputGrad(), d.inputGrad()}, {zero});
}
