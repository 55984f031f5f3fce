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

using namespace trf;
using tr::KernelCall;
using tr::LayerDescription;
using tr::TensorRef;

void own::OwnDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "OwnOps.cpp.inc"
      >();
}

mlir::FailureOr<tr::ImageShape>
own::ResidualUnitOp::inferOutputShape(llvm::ArrayRef<tr::ImageShape> inputs,
                                      llvm::function_ref<mlir::InFlightDiagnostic()>) {
  return inputs.front();
}

// Kernel 1x1, stride 1, no pad, dilation 1, one group.
template <typename Attrs> static Attrs pointwise() {
  Attrs attrs = {};
  attrs.kernel_h = attrs.kernel_w = attrs.stride_h = attrs.stride_w = 1;
  attrs.dilation_h = attrs.dilation_w = attrs.groups = 1;
  return attrs;
}

// y = a + b, without an activation.
static KernelCall add(TensorRef a, TensorRef b, TensorRef y) {
  namespace op = ops::add_fwd;
  return KernelCall(op::kOpcode, {{op::a, a}, {op::b, b}, {op::y, y}}, op::Attrs{Activation::None});
}

void own::ResidualUnitOp::describe(LayerDescription &d) {
  namespace conv = ops::conv_fwd;
  namespace act = ops::act_fwd;
  int64_t c = d.getInput().c;
  std::string path = getPath().str();
  LayerDescription::Parameter w = d.parameter(path, "weight", Group::DeepConv, {c, 1, 1, c},
                                              ParamLayout::Conv, Init::Normal, std::sqrt(2.0 / c));
  TensorRef t = d.feature(path + ".conv", d.getOutput());
  TensorRef a = d.feature(path + ".relu", d.getOutput());
  TensorRef y = d.declareOutput(path);
  d.forwardAndInference(KernelCall(conv::kOpcode,
                                   {{conv::x, d.input()}, {conv::w, w.value}, {conv::y, t}},
                                   pointwise<conv::Attrs>()));
  d.forwardAndInference(
      KernelCall(act::kOpcode, {{act::x, t}, {act::y, a}}, act::Attrs{Activation::ReLU}));
  d.forwardAndInference(add(a, d.input(), y));

  namespace act_bwd = ops::act_bwd;
  namespace weight = ops::conv_bwd_weight;
  TensorRef dt = d.gradient(path + ".conv.grad", d.getOutput());
  d.backward(KernelCall(act_bwd::kOpcode,
                        {{act_bwd::dy, d.outputGrad()}, {act_bwd::x, t}, {act_bwd::dx, dt}},
                        act_bwd::Attrs{Activation::ReLU}));
  d.backward(KernelCall(weight::kOpcode,
                        {{weight::x, d.input()}, {weight::dy, dt}, {weight::dw, w.grad}},
                        pointwise<weight::Attrs>()));
  if (!d.needsInputGrad())
    return;
  namespace data = ops::conv_bwd_data;
  TensorRef dx = d.gradient(path + ".input.grad", d.getInput());
  d.backward(KernelCall(data::kOpcode, {{data::dy, dt}, {data::w, w.value}, {data::dx, dx}},
                        pointwise<data::Attrs>()));
  d.backward(add(dx, d.outputGrad(), d.inputGrad()));
}
