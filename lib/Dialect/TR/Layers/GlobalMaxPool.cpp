// SPDX-License-Identifier: Apache-2.0
//
// global_maxpool: the maximum of each map.
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

ArrayRef<Signature> bp::GlobalMaxPoolOp::getSignatures() {
  static constexpr Signature calls[] = {
      {"global_maxpool", {}, "global maximum pooling", buildPlain<bp::GlobalMaxPoolOp>}};
  return calls;
}

FailureOr<ImageShape> arch::GlobalMaxPoolOp::inferOutputShape(Inputs inputs, Emit) {
  return ImageShape{1, 1, inputs.front().c};
}

void arch::GlobalMaxPoolOp::describe(LayerDescription &d) {
  namespace fwd = trf::ops::global_maxpool_fwd;
  namespace bwd = trf::ops::global_maxpool_bwd;
  TensorRef y = d.declareOutput(getPath()), index;
  if (d.needsInputGrad())
    index = d.tensor(getPath() + ".index", {trf::Role::Mask}, trf::DType::I32,
                     {d.getContext().batch, 1, 1, d.getOutput().c});
  auto pool = [&](TensorRef indexOut) {
    return KernelCall(fwd::kOpcode, {{fwd::x, d.input()}, {fwd::y, y}, {fwd::index, indexOut}});
  };
  d.forward(pool(index));
  d.inference(pool(d.absent()));
  if (d.needsInputGrad())
    d.backward(KernelCall(
        bwd::kOpcode, {{bwd::dy, d.outputGrad()}, {bwd::index, index}, {bwd::dx, d.inputGrad()}}));
}

// One window over the whole map.
FailureOr<Value> arch::GlobalMaxPoolOp::lower(TensorBuilder &b, ValueRange inputs) {
  ArrayRef<int64_t> in = b.shapeOf(inputs.front());
  Dims2 whole = {in[1], in[2]};
  return b.poolMax(PoolAttr::get(getContext(), whole, whole, /*pad=*/Dims2{0, 0}, /*ceil=*/false,
                                 /*more=*/Dims2{0, 0}, /*dilation=*/Dims2{1, 1},
                                 /*count_pad=*/false),
                   inputs.front());
}
