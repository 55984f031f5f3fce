// SPDX-License-Identifier: Apache-2.0
//
// maxpool and avgpool: pooling by windows.
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

static constexpr Param kCeil = named(optional("ceil", ParamKind::Bool, "false"));
static constexpr Param kMaxPool[] = {kKernel, kPoolStride, kPad0, kCeil, kDilation, kPadEnd};
static constexpr Param kAvgPool[] = {kKernel,
                                     kPoolStride,
                                     kPad0,
                                     kCeil,
                                     named(optional("count_include_pad", ParamKind::Bool, "false")),
                                     kPadEnd};

template <typename OpT>
static Operation *buildPool(OpBuilder &builder, Location loc, const BoundCall &call) {
  PoolAttr window = makePool(loc, call);
  return window ? OpT::create(builder, loc, window, call.name).getOperation() : nullptr;
}

ArrayRef<Signature> bp::MaxPoolOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"maxpool", kMaxPool, "maximum pooling", buildPool<bp::MaxPoolOp>}};
  return calls;
}
ArrayRef<Signature> bp::AvgPoolOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"avgpool", kAvgPool, "average pooling over the cells inside the input, or the padded one",
       buildPool<bp::AvgPoolOp>}};
  return calls;
}

FailureOr<ImageShape> arch::MaxPoolOp::inferOutputShape(Inputs inputs, Emit emitError) {
  if (getWindow().getCountPad())
    return emitError() << "expected no count_pad of a maximum, but got it";
  return shapes::pool(emitError, inputs.front(), getWindow());
}
FailureOr<ImageShape> arch::AvgPoolOp::inferOutputShape(Inputs inputs, Emit emitError) {
  if (getWindow().getDilation() != Dims2{1, 1})
    return emitError() << "expected dilation [1, 1] of an average, but got ["
                       << getWindow().getDilation().h << ", " << getWindow().getDilation().w << "]";
  return shapes::pool(emitError, inputs.front(), getWindow());
}

void arch::MaxPoolOp::describe(LayerDescription &d) {
  const LayerContext &context = d.getContext();
  namespace fwd = trf::ops::maxpool_fwd;
  namespace bwd = trf::ops::maxpool_bwd;
  TensorRef y = d.declareOutput(getPath()), index;
  ImageShape shape = d.getOutput();
  if (d.needsInputGrad())
    index = d.tensor(getPath() + ".index", {trf::Role::Mask}, units::indexType(getWindow()),
                     {context.batch, shape.h, shape.w, shape.c});
  auto pool = [&](TensorRef indexOut) {
    return KernelCall(fwd::kOpcode, {{fwd::x, d.input()}, {fwd::y, y}, {fwd::index, indexOut}},
                      units::withMaxWindow<fwd::Attrs>(getWindow()));
  };
  d.forward(pool(index));
  d.inference(pool(d.absent()));
  if (d.needsInputGrad())
    d.backward(KernelCall(
        bwd::kOpcode, {{bwd::dy, d.outputGrad()}, {bwd::index, index}, {bwd::dx, d.inputGrad()}},
        units::withMaxWindow<bwd::Attrs>(getWindow())));
}

void arch::AvgPoolOp::describe(LayerDescription &d) {
  units::describeSimple(
      d, getPath(), [&](TensorRef x, TensorRef y) { return units::poolAverage(getWindow(), x, y); },
      [&](TensorRef dy, TensorRef dx) { return units::poolAverageBackward(getWindow(), dy, dx); });
}

FailureOr<Value> arch::MaxPoolOp::lower(TensorBuilder &b, ValueRange inputs) {
  return b.poolMax(getWindow(), inputs.front());
}
FailureOr<Value> arch::AvgPoolOp::lower(TensorBuilder &b, ValueRange inputs) {
  return b.poolAverage(getWindow(), inputs.front());
}
