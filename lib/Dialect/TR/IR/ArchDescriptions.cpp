// SPDX-License-Identifier: Apache-2.0
//
// Descriptions of the primitive layers and of the loss.
#include "DescriptionUnits.h"
#include "renaissance/Dialect/TR/IR/ArchOps.h"

using namespace mlir;
using namespace tr;
using namespace tr::units;
using plan::Kernel;

namespace tr::arch {
namespace {

// Where backward writes the gradient of the layer's input, if it is wanted.
TensorRef wantedInputGrad(const LayerDescription &d) {
  return d.getContext().inputNeedsGrad ? d.inputGrad() : d.absent();
}

TensorRef declareOutput(LayerDescription &d, StringRef path) {
  TensorRef y = d.feature(path + ".output", d.getContext().output);
  d.setOutput(y);
  return y;
}

// A layer without parameters: one kernel op each way.
void describeSimple(LayerDescription &d, StringRef path, Kernel forward, Kernel backward,
                    LayerDescription::Attrs attrs = {}) {
  TensorRef y = declareOutput(d, path);
  d.both(forward, {d.input(), y}, attrs);
  if (d.getContext().inputNeedsGrad)
    d.backward(backward, {d.outputGrad(), d.inputGrad()}, attrs);
}

void describeBn(LayerDescription &d, StringRef path, double eps, double momentum) {
  const LayerContext &context = d.getContext();
  Bn bn(d, path, context.input.c, eps, momentum, context.zeroGamma && context.endsResidualStem);
  TensorRef y = declareOutput(d, path);
  bn.stats(d.input());
  bn.apply(d.input(), Activation::None, y);
  bn.inference(d.input(), Activation::None, y);
  if (!context.first)
    bn.rebuildOutput(d.input(), Activation::None, path + ".output.rebuilt");
  bn.backward(d.outputGrad(), d.input(), Activation::None, wantedInputGrad(d));
}

} // namespace

void ConvOp::describe(LayerDescription &d) {
  Conv conv(d, getPath(), d.getContext().input, getGeometry());
  d.setOutput(conv.y);
  conv.forward(d.input());
  conv.inference(d.input());
  conv.backward(d.input(), d.outputGrad(), wantedInputGrad(d));
}

void BnOp::describe(LayerDescription &d) {
  describeBn(d, getPath(), getEps().convertToDouble(), getMomentum().convertToDouble());
}
void Bn1dOp::describe(LayerDescription &d) {
  describeBn(d, getPath(), getEps().convertToDouble(), getMomentum().convertToDouble());
}
void Bn2dOp::describe(LayerDescription &d) {
  describeBn(d, getPath(), getEps().convertToDouble(), getMomentum().convertToDouble());
}

void ActOp::describe(LayerDescription &d) {
  TensorRef y = declareOutput(d, getPath());
  d.both(Kernel::act_fwd, {d.input(), y}, {actAttr(getKind())});
  if (d.getContext().inputNeedsGrad) {
    TensorRef copy = d.trainingFeature(getPath() + ".output.rebuilt", d.getContext().output);
    d.rebuildOutput(Kernel::act_fwd, {d.input(), copy}, {actAttr(getKind())});
    d.backward(Kernel::act_bwd, {d.outputGrad(), d.input(), d.inputGrad()}, {actAttr(getKind())});
  }
}

// Inference passes the input on: no kernel op and no tensor of its own.
void DropoutOp::describe(LayerDescription &d) {
  const LayerContext &context = d.getContext();
  double p = getP().convertToDouble();
  d.setOutput(d.input());
  if (!context.training)
    return;
  TensorRef y = declareOutput(d, getPath());
  d.setInferenceOutput(d.input());
  d.setRandom();
  TensorRef mask = d.tensor(getPath() + ".mask", plan::Region::SMask, plan::DType::U8,
                            {context.batch, context.input.h, context.input.w, context.input.c});
  d.forward(Kernel::dropout_fwd, {d.input(), d.named("seed"), d.named("step"), y, mask},
            {p, static_cast<int64_t>(context.index)});
  if (context.inputNeedsGrad)
    d.backward(Kernel::dropout_bwd, {d.outputGrad(), mask, d.inputGrad()}, {p});
}

void FlattenOp::describe(LayerDescription &d) {
  d.setFeatures(d.getContext().features);
  describeSimple(d, getPath(), Kernel::copy, Kernel::copy);
}
void IdentityOp::describe(LayerDescription &d) {
  describeSimple(d, getPath(), Kernel::copy, Kernel::copy);
}
void ChannelPaddingOp::describe(LayerDescription &d) {
  describeSimple(d, getPath(), Kernel::channel_pad_fwd, Kernel::channel_pad_bwd);
}
void AvgPoolOp::describe(LayerDescription &d) {
  describeSimple(d, getPath(), Kernel::avgpool_fwd, Kernel::avgpool_bwd, poolAttrs(getWindow()));
}
void GapOp::describe(LayerDescription &d) {
  describeSimple(d, getPath(), Kernel::gap_fwd, Kernel::gap_bwd);
}

void MaxPoolOp::describe(LayerDescription &d) {
  const LayerContext &context = d.getContext();
  Attrs attrs = poolAttrs(getWindow());
  TensorRef y = declareOutput(d, getPath());
  TensorRef index;
  if (context.inputNeedsGrad)
    index = d.tensor(getPath() + ".index", plan::Region::SMask, indexType(getWindow()),
                     {context.batch, context.output.h, context.output.w, context.output.c});
  d.forward(Kernel::maxpool_fwd, {d.input(), y, index}, attrs);
  d.inference(Kernel::maxpool_fwd, {d.input(), y, d.absent()}, attrs);
  if (context.inputNeedsGrad)
    d.backward(Kernel::maxpool_bwd, {d.outputGrad(), index, d.inputGrad()}, attrs);
}

void FcOp::describe(LayerDescription &d) {
  Fc fc(d, getPath(), d.getContext().features, getOut(), getBias());
  TensorRef y = declareOutput(d, getPath());
  fc.both(d.input(), y);
  fc.backward(d.input(), d.outputGrad(), wantedInputGrad(d));
}

// The logits are the input; as first layer the images are copied to get there.
void SoftmaxCeOp::describe(LayerDescription &d) {
  d.setOutput(d.input());
  d.both(Kernel::softmax_ce_fwd, {d.input(), d.named("label"), d.named("valid"),
                                  d.named("label_smoothing"), d.named("probs"), d.named("loss"),
                                  d.named("top1"), d.named("top5"), d.named("predicted")});
  if (d.getContext().inputNeedsGrad)
    d.backward(Kernel::softmax_ce_bwd, {d.named("probs"), d.named("label"), d.named("valid"),
                                        d.named("label_smoothing"), d.inputGrad()});
}

} // namespace tr::arch
