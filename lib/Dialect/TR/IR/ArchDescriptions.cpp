// SPDX-License-Identifier: Apache-2.0
//
// Descriptions of the primitive layers and of the loss.
#include "DescriptionUnits.h"
#include "renaissance/Dialect/TR/IR/ArchOps.h"

using namespace mlir;
using namespace tr;
using namespace tr::units;

namespace tr::arch {
namespace {

// A layer without parameters: one kernel op each way.
template <typename Forward, typename Backward>
void describeSimple(LayerDescription &d, StringRef path, Forward forward, Backward backward) {
  TensorRef y = d.declareOutput(path);
  d.forwardAndInference(forward(d.input(), y));
  if (d.needsInputGrad())
    d.backward(backward(d.outputGrad(), d.inputGrad()));
}

KernelCall makeCopy(TensorRef x, TensorRef y) {
  namespace op = trf::ops::copy;
  return KernelCall(op::kOpcode, {{op::x, x}, {op::y, y}});
}

void describeBn(LayerDescription &d, StringRef path, double eps, double momentum) {
  const LayerContext &context = d.getContext();
  Bn bn(d, path, d.getInput().c, eps, momentum, context.zeroGamma && context.endsResidualStem);
  TensorRef y = d.declareOutput(path);
  bn.stats(d.input());
  bn.apply(d.input(), Activation::None, y);
  bn.inference(d.input(), Activation::None, y);
  if (!context.first)
    bn.recomputeOutput(d.input(), Activation::None, path + ".output.rebuilt");
  bn.backward(d.outputGrad(), d.input(), Activation::None, d.wantedInputGrad());
}

} // namespace

void ConvOp::describe(LayerDescription &d) {
  Conv conv(d, getPath(), d.getInput(), getGeometry());
  d.setOutput(conv.y);
  conv.forward(d.input());
  conv.inference(d.input());
  conv.backward(d.input(), d.outputGrad(), d.wantedInputGrad());
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
  namespace fwd = trf::ops::act_fwd;
  namespace bwd = trf::ops::act_bwd;
  auto apply = [&](TensorRef y) {
    return KernelCall(fwd::kOpcode, {{fwd::x, d.input()}, {fwd::y, y}}, fwd::Attrs{getKind()});
  };
  d.forwardAndInference(apply(d.declareOutput(getPath())));
  if (!d.needsInputGrad())
    return;
  d.recomputeOutput(apply(d.trainingFeature(getPath() + ".output.rebuilt", d.getOutput())));
  d.backward(KernelCall(bwd::kOpcode,
                        {{bwd::dy, d.outputGrad()}, {bwd::x, d.input()}, {bwd::dx, d.inputGrad()}},
                        bwd::Attrs{getKind()}));
}

// Inference passes the input on: no kernel op and no tensor of its own.
void DropoutOp::describe(LayerDescription &d) {
  const LayerContext &context = d.getContext();
  double p = getP().convertToDouble();
  d.setOutput(d.input());
  if (!context.training)
    return;
  TensorRef y = d.declareOutput(getPath());
  d.setInferenceOutput(d.input());
  d.setRandom();
  ImageShape shape = d.getInput();
  TensorRef mask = d.tensor(getPath() + ".mask", {trf::Role::Mask}, trf::DType::U8,
                            {context.batch, shape.h, shape.w, shape.c});
  namespace fwd = trf::ops::dropout_fwd;
  d.forward(KernelCall(fwd::kOpcode,
                       {{fwd::x, d.input()},
                        {fwd::seed, d.shared(trf::SharedTensor::Seed)},
                        {fwd::step, d.shared(trf::SharedTensor::Step)},
                        {fwd::y, y},
                        {fwd::mask, mask}},
                       fwd::Attrs{p, int64_t{context.index}}));
  namespace bwd = trf::ops::dropout_bwd;
  if (d.needsInputGrad())
    d.backward(KernelCall(bwd::kOpcode,
                          {{bwd::dy, d.outputGrad()}, {bwd::mask, mask}, {bwd::dx, d.inputGrad()}},
                          bwd::Attrs{p}));
}

void FlattenOp::describe(LayerDescription &d) {
  d.setFeatures(d.getContext().features);
  describeSimple(d, getPath(), makeCopy, makeCopy);
}
void IdentityOp::describe(LayerDescription &d) { describeSimple(d, getPath(), makeCopy, makeCopy); }

void ChannelPaddingOp::describe(LayerDescription &d) {
  namespace fwd = trf::ops::channel_pad_fwd;
  namespace bwd = trf::ops::channel_pad_bwd;
  describeSimple(
      d, getPath(),
      [](TensorRef x, TensorRef y) {
        return KernelCall(fwd::kOpcode, {{fwd::x, x}, {fwd::y, y}});
      },
      [](TensorRef dy, TensorRef dx) {
        return KernelCall(bwd::kOpcode, {{bwd::dy, dy}, {bwd::dx, dx}});
      });
}

void AvgPoolOp::describe(LayerDescription &d) {
  namespace fwd = trf::ops::avgpool_fwd;
  namespace bwd = trf::ops::avgpool_bwd;
  describeSimple(
      d, getPath(),
      [&](TensorRef x, TensorRef y) {
        return KernelCall(fwd::kOpcode, {{fwd::x, x}, {fwd::y, y}},
                          withWindow<fwd::Attrs>(getWindow()));
      },
      [&](TensorRef dy, TensorRef dx) {
        return KernelCall(bwd::kOpcode, {{bwd::dy, dy}, {bwd::dx, dx}},
                          withWindow<bwd::Attrs>(getWindow()));
      });
}

void GapOp::describe(LayerDescription &d) {
  namespace fwd = trf::ops::gap_fwd;
  namespace bwd = trf::ops::gap_bwd;
  describeSimple(
      d, getPath(),
      [](TensorRef x, TensorRef y) {
        return KernelCall(fwd::kOpcode, {{fwd::x, x}, {fwd::y, y}});
      },
      [](TensorRef dy, TensorRef dx) {
        return KernelCall(bwd::kOpcode, {{bwd::dy, dy}, {bwd::dx, dx}});
      });
}

void MaxPoolOp::describe(LayerDescription &d) {
  const LayerContext &context = d.getContext();
  namespace fwd = trf::ops::maxpool_fwd;
  namespace bwd = trf::ops::maxpool_bwd;
  TensorRef y = d.declareOutput(getPath()), index;
  ImageShape shape = d.getOutput();
  if (d.needsInputGrad())
    index = d.tensor(getPath() + ".index", {trf::Role::Mask}, indexType(getWindow()),
                     {context.batch, shape.h, shape.w, shape.c});
  auto pool = [&](TensorRef indexOut) {
    return KernelCall(fwd::kOpcode, {{fwd::x, d.input()}, {fwd::y, y}, {fwd::index, indexOut}},
                      withWindow<fwd::Attrs>(getWindow()));
  };
  d.forward(pool(index));
  d.inference(pool(d.absent()));
  if (d.needsInputGrad())
    d.backward(KernelCall(
        bwd::kOpcode, {{bwd::dy, d.outputGrad()}, {bwd::index, index}, {bwd::dx, d.inputGrad()}},
        withWindow<bwd::Attrs>(getWindow())));
}

void FcOp::describe(LayerDescription &d) {
  Fc fc(d, getPath(), d.getContext().features, getOut(), getBias());
  TensorRef y = d.declareOutput(getPath());
  fc.forwardAndInference(d.input(), y);
  fc.backward(d.input(), d.outputGrad(), d.wantedInputGrad());
}

// The gradient of a sum is that of both branches.
void Add2Op::describe(LayerDescription &d) {
  namespace op = trf::ops::add_fwd;
  d.passGradient();
  d.forwardAndInference(KernelCall(
      op::kOpcode, {{op::a, d.input(0)}, {op::b, d.input(1)}, {op::y, d.declareOutput(getPath())}},
      op::Attrs{Activation::None}));
}

// The logits are the input; as first layer the images are copied to get there.
void SoftmaxCeOp::describe(LayerDescription &d) {
  using Shared = trf::SharedTensor;
  namespace fwd = trf::ops::softmax_ce_fwd;
  namespace bwd = trf::ops::softmax_ce_bwd;
  d.setOutput(d.input());
  d.forwardAndInference(
      KernelCall(fwd::kOpcode, {{fwd::logits, d.input()},
                                {fwd::labels, d.shared(Shared::Label)},
                                {fwd::valid, d.shared(Shared::Valid)},
                                {fwd::label_smoothing, d.shared(Shared::LabelSmoothing)},
                                {fwd::probs, d.shared(Shared::Probs)},
                                {fwd::loss, d.shared(Shared::Loss)},
                                {fwd::top1, d.shared(Shared::Top1)},
                                {fwd::top5, d.shared(Shared::Top5)},
                                {fwd::predicted, d.shared(Shared::Predicted)}}));
  if (d.needsInputGrad())
    d.backward(KernelCall(bwd::kOpcode, {{bwd::probs, d.shared(Shared::Probs)},
                                         {bwd::labels, d.shared(Shared::Label)},
                                         {bwd::valid, d.shared(Shared::Valid)},
                                         {bwd::label_smoothing, d.shared(Shared::LabelSmoothing)},
                                         {bwd::dlogits, d.inputGrad()}}));
}

} // namespace tr::arch
