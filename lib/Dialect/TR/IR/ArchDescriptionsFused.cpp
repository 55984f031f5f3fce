// SPDX-License-Identifier: Apache-2.0
//
// Descriptions of the fused layers. All residual blocks are one description of
// their convolutions, shortcut and last activation.
#include "DescriptionUnits.h"
#include "renaissance/Dialect/TR/IR/ArchOps.h"

using namespace mlir;
using namespace tr;
using namespace tr::units;

namespace tr::arch {
namespace {

// A convolution of a block, with the activation after it.
struct Stage {
  ConvAttr geometry;
  Activation act;
};

struct Block {
  SmallVector<Stage, 3> stem;
  std::optional<Stage> projection; // its parts follow the stem's
  bool hasShortcut;                // the projection, else the input itself
  double eps, momentum;
};

ConvAttr square(MLIRContext *context, int64_t out, int64_t kernel, int64_t stride,
                int64_t groups = 1) {
  int64_t pad = kernel / 2;
  return ConvAttr::get(context, out, {kernel, kernel}, {stride, stride}, {pad, pad}, {1, 1}, groups,
                       /*bias=*/false);
}

class BlockDescription {
public:
  BlockDescription(LayerDescription &d, ArrayAttr parts, const Block &block);
  void describeForward();
  void describeBackward();

private:
  ConvBn makeUnit(unsigned index, ImageShape input, const Stage &stage, bool zeroGamma) {
    return ConvBn(d, partOf(parts, 2 * index), partOf(parts, 2 * index + 1), input, stage.geometry,
                  block.eps, block.momentum, zeroGamma);
  }
  // The stem's last normalisation is applied together with the shortcut.
  Activation actAfter(unsigned index) const {
    bool last = index + 1 == block.stem.size();
    return last && block.hasShortcut ? Activation::None : block.stem[index].act;
  }
  void describeJoin();
  KernelCall makeJoin(TensorRef y) const;
  std::string outputName(unsigned index) const {
    return (partOf(parts, 2 * index + 1) + ".output").str();
  }
  // Backward's own copy of what stage `index` gave to the next one.
  TensorRef recompute(unsigned index) {
    return stem[index].bn.recompute(stem[index].conv.y, actAfter(index),
                                    outputName(index) + ".rebuilt", stem[index].conv.shape);
  }

  LayerDescription &d;
  ArrayAttr parts;
  const Block &block;
  SmallVector<ConvBn, 3> stem;
  SmallVector<ConvBn, 1> projection;
  SmallVector<TensorRef, 4> values;    // input of each stage
  SmallVector<TensorRef, 3> gradients; // of the output of each stage but the last
  TensorRef output;
};

BlockDescription::BlockDescription(LayerDescription &d, ArrayAttr parts, const Block &block)
    : d(d), parts(parts), block(block) {
  const LayerContext &context = d.getContext();
  d.setFused();
  ImageShape shape = d.getInput();
  unsigned count = block.stem.size();
  values.push_back(d.input());
  for (unsigned i = 0; i < count; ++i) {
    bool endsStem = block.hasShortcut || context.endsResidualStem;
    bool zeroGamma = context.zeroGamma && endsStem && i + 1 == count;
    stem.push_back(makeUnit(i, shape, block.stem[i], zeroGamma));
    shape = stem.back().conv.shape;
    values.push_back(d.feature(outputName(i), shape));
    if (i + 1 < count)
      gradients.push_back(d.gradient(outputName(i) + ".grad", shape));
  }
  if (block.projection)
    projection.push_back(makeUnit(count, d.getInput(), *block.projection, /*zeroGamma=*/false));
  output = values.back();
  d.setOutput(output);
}

void BlockDescription::describeForward() {
  for (unsigned i = 0; i < stem.size(); ++i) {
    stem[i].forward(values[i]);
    if (i + 1 == stem.size() && block.hasShortcut)
      break;
    stem[i].bn.apply(stem[i].conv.y, actAfter(i), values[i + 1]);
    stem[i].inference(values[i], d.absent(), actAfter(i), values[i + 1]);
  }
  if (block.hasShortcut)
    describeJoin();
  else
    stem.back().bn.recomputeOutput(stem.back().conv.y, actAfter(stem.size() - 1),
                                   outputName(stem.size() - 1) + ".rebuilt");
}

// y = act(stem + shortcut), the stem's last normalisation and the projection's included.
KernelCall BlockDescription::makeJoin(TensorRef y) const {
  const ConvBn &last = stem.back();
  Activation act = block.stem.back().act;
  if (projection.empty()) {
    namespace op = trf::ops::bn_apply_add;
    return KernelCall(op::kOpcode,
                      {{op::x, last.conv.y},
                       {op::mean, last.bn.mean},
                       {op::inv_std, last.bn.invStd},
                       {op::gamma, last.bn.gamma.value},
                       {op::beta, last.bn.beta.value},
                       {op::shortcut, d.input()},
                       {op::y, y}},
                      op::Attrs{act});
  }
  namespace op = trf::ops::bn_apply_add_bn;
  const ConvBn &shortcut = projection.front();
  return KernelCall(op::kOpcode,
                    {{op::x, last.conv.y},
                     {op::mean, last.bn.mean},
                     {op::inv_std, last.bn.invStd},
                     {op::gamma, last.bn.gamma.value},
                     {op::beta, last.bn.beta.value},
                     {op::shortcut_x, shortcut.conv.y},
                     {op::shortcut_mean, shortcut.bn.mean},
                     {op::shortcut_inv_std, shortcut.bn.invStd},
                     {op::shortcut_gamma, shortcut.bn.gamma.value},
                     {op::shortcut_beta, shortcut.bn.beta.value},
                     {op::y, y}},
                    op::Attrs{act});
}

void BlockDescription::describeJoin() {
  Activation act = block.stem.back().act;
  TensorRef shortcut = d.input();
  if (!projection.empty()) {
    projection.front().forward(d.input());
    projection.front().inference(d.input(), d.absent(), Activation::None,
                                 projection.front().conv.y);
    shortcut = projection.front().conv.y;
  }
  d.forward(makeJoin(output));
  stem.back().inference(values[stem.size() - 1], shortcut, act, output);
  // The first layer's input is gone when backward begins.
  bool canRecompute = !projection.empty() || !d.getContext().first;
  if (d.getContext().training && canRecompute)
    d.recomputeOutput(
        makeJoin(d.trainingFeature(outputName(stem.size() - 1) + ".rebuilt", d.getOutput())));
}

void BlockDescription::describeBackward() {
  TensorRef sumGrad = d.outputGrad();
  Activation last = block.stem.back().act;
  if (block.hasShortcut && last != Activation::None) {
    sumGrad = d.gradient(partOf(parts, 2 * stem.size() - 1) + ".sum.grad", d.getOutput());
    namespace op = trf::ops::act_bwd_out;
    d.backward(KernelCall(op::kOpcode,
                          {{op::dy, d.outputGrad()}, {op::y, output}, {op::dx, sumGrad}},
                          op::Attrs{last}));
  }
  TensorRef dy = sumGrad;
  for (unsigned i = stem.size(); i-- > 0;) {
    TensorRef dx = i > 0 ? gradients[i - 1] : d.wantedInputGrad();
    stem[i].normBackward(dy, actAfter(i));
    TensorRef x = i > 0 ? recompute(i - 1) : values[0];
    stem[i].convBackward(x, dx);
    dy = dx;
  }
  if (!block.hasShortcut)
    return;
  TensorRef shortcutGrad = sumGrad;
  if (!projection.empty()) {
    shortcutGrad = d.absent();
    if (d.needsInputGrad())
      shortcutGrad = d.gradient(partOf(parts, 2 * stem.size()) + ".input.grad", d.getInput());
    projection.front().backward(d.input(), sumGrad, Activation::None, shortcutGrad);
  }
  namespace op = trf::ops::add_fwd;
  if (d.needsInputGrad())
    d.backward(KernelCall(op::kOpcode,
                          {{op::a, d.inputGrad()}, {op::b, shortcutGrad}, {op::y, d.inputGrad()}},
                          op::Attrs{Activation::None}));
}

void describeBlock(LayerDescription &d, ArrayAttr parts, const Block &block) {
  BlockDescription description(d, parts, block);
  description.describeForward();
  description.describeBackward();
}

Block bottleneck(MLIRContext *context, int64_t mid, int64_t out, int64_t stride, bool projected,
                 double eps, double momentum) {
  Block block{{{square(context, mid, 1, 1), Activation::ReLU},
               {square(context, mid, 3, stride), Activation::ReLU},
               {square(context, out, 1, 1), Activation::ReLU}},
              std::nullopt,
              /*hasShortcut=*/true,
              eps,
              momentum};
  if (projected)
    block.projection = Stage{square(context, out, 1, stride), Activation::None};
  return block;
}

Block basic(MLIRContext *context, int64_t out, int64_t stride, bool projected, double eps,
            double momentum) {
  Block block{{{square(context, out, 3, stride), Activation::ReLU},
               {square(context, out, 3, 1), Activation::ReLU}},
              std::nullopt,
              /*hasShortcut=*/true,
              eps,
              momentum};
  if (projected)
    block.projection = Stage{square(context, out, 1, stride), Activation::None};
  return block;
}

Block invertedResidual(MLIRContext *context, int64_t in, int64_t expand, int64_t out,
                       int64_t stride, bool hasShortcut, double eps, double momentum) {
  Block block{{}, std::nullopt, hasShortcut, eps, momentum};
  int64_t wide = expand > 0 ? expand : in;
  if (expand > 0)
    block.stem.push_back({square(context, wide, 1, 1), Activation::ReLU6});
  block.stem.push_back({square(context, wide, 3, stride, /*groups=*/wide), Activation::ReLU6});
  block.stem.push_back({square(context, out, 1, 1), Activation::None});
  return block;
}

} // namespace

void CbrOp::describe(LayerDescription &d) {
  const LayerContext &context = d.getContext();
  d.setFused();
  bool zeroGamma = context.zeroGamma && context.endsResidualStem && getAct() == Activation::None;
  StringRef bnPart = partOf(getParts(), 1);
  ConvBn unit(d, partOf(getParts(), 0), bnPart, d.getInput(), getGeometry(),
              getEps().convertToDouble(), getMomentum().convertToDouble(), zeroGamma);
  TensorRef y = d.declareOutput(bnPart);
  unit.forward(d.input());
  unit.bn.apply(unit.conv.y, getAct(), y);
  unit.inference(d.input(), d.absent(), getAct(), y);
  unit.bn.recomputeOutput(unit.conv.y, getAct(), bnPart + ".output.rebuilt");
  unit.backward(d.input(), d.outputGrad(), getAct(), d.wantedInputGrad());
}

void CbrpOp::describe(LayerDescription &d) {
  const LayerContext &context = d.getContext();
  d.setFused();
  StringRef bnPart = partOf(getParts(), 1);
  ConvBn unit(d, partOf(getParts(), 0), bnPart, d.getInput(), getGeometry(),
              getEps().convertToDouble(), getMomentum().convertToDouble());
  TensorRef y = d.declareOutput(bnPart);
  ImageShape shape = d.getOutput();
  TensorRef index = d.trainingTensor(bnPart + ".index", {trf::Role::Mask}, indexType(getWindow()),
                                     {context.batch, shape.h, shape.w, shape.c});
  TensorRef poolGrad = d.gradient(bnPart + ".pool.grad", unit.conv.shape);

  unit.forward(d.input());
  unit.conv.inference(d.input());
  namespace fwd = trf::ops::bn_apply_pool;
  fwd::Attrs training = withWindow<fwd::Attrs>(getWindow());
  training.act = getAct();
  d.forward(KernelCall(fwd::kOpcode,
                       {{fwd::x, unit.conv.y},
                        {fwd::mean, unit.bn.mean},
                        {fwd::inv_std, unit.bn.invStd},
                        {fwd::gamma, unit.bn.gamma.value},
                        {fwd::beta, unit.bn.beta.value},
                        {fwd::y, y},
                        {fwd::index, index}},
                       training));
  namespace inf = trf::ops::bn_inf_pool;
  inf::Attrs folded = withWindow<inf::Attrs>(getWindow());
  folded.act = getAct();
  d.inference(KernelCall(
      inf::kOpcode,
      {{inf::x, unit.conv.y}, {inf::scale, unit.bn.scale}, {inf::bias, unit.bn.shift}, {inf::y, y}},
      folded));
  namespace bwd = trf::ops::maxpool_bwd;
  d.backward(KernelCall(bwd::kOpcode,
                        {{bwd::dy, d.outputGrad()}, {bwd::index, index}, {bwd::dx, poolGrad}},
                        withWindow<bwd::Attrs>(getWindow())));
  unit.backward(d.input(), poolGrad, getAct(), d.wantedInputGrad());
}

void GapFcOp::describe(LayerDescription &d) {
  namespace fwd = trf::ops::gap_fwd;
  namespace bwd = trf::ops::gap_bwd;
  d.setFused();
  ImageShape pooled{1, 1, d.getInput().c};
  Fc fc(d, getPath(), pooled, getOut(), getBias());
  TensorRef mean = d.feature(getPath() + ".gap", pooled);
  TensorRef y = d.declareOutput(getPath());
  d.forwardAndInference(KernelCall(fwd::kOpcode, {{fwd::x, d.input()}, {fwd::y, mean}}));
  fc.forwardAndInference(mean, y);
  if (!d.needsInputGrad())
    return fc.backward(mean, d.outputGrad(), d.absent());
  TensorRef meanGrad = d.gradient(getPath() + ".gap.grad", pooled);
  fc.backward(mean, d.outputGrad(), meanGrad);
  d.backward(KernelCall(bwd::kOpcode, {{bwd::dy, meanGrad}, {bwd::dx, d.inputGrad()}}));
}

void BottleneckProjectionOp::describe(LayerDescription &d) {
  describeBlock(d, getParts(),
                bottleneck(getContext(), getMid(), getOut(), getStride(), /*projected=*/true,
                           getEps().convertToDouble(), getMomentum().convertToDouble()));
}
void BottleneckIdentityOp::describe(LayerDescription &d) {
  describeBlock(d, getParts(),
                bottleneck(getContext(), getMid(), d.getInput().c, /*stride=*/1,
                           /*projected=*/false, getEps().convertToDouble(),
                           getMomentum().convertToDouble()));
}
void BasicBlockProjectionOp::describe(LayerDescription &d) {
  describeBlock(d, getParts(),
                basic(getContext(), getOut(), getStride(), /*projected=*/true,
                      getEps().convertToDouble(), getMomentum().convertToDouble()));
}
void BasicBlockIdentityOp::describe(LayerDescription &d) {
  describeBlock(d, getParts(),
                basic(getContext(), d.getInput().c, /*stride=*/1, /*projected=*/false,
                      getEps().convertToDouble(), getMomentum().convertToDouble()));
}
void InvResidualNoShortcutOp::describe(LayerDescription &d) {
  describeBlock(d, getParts(),
                invertedResidual(getContext(), d.getInput().c, getExpand(), getOut(), getStride(),
                                 /*hasShortcut=*/false, getEps().convertToDouble(),
                                 getMomentum().convertToDouble()));
}
void InvResidualIdentityOp::describe(LayerDescription &d) {
  int64_t channels = d.getInput().c;
  describeBlock(d, getParts(),
                invertedResidual(getContext(), channels, getExpand(), channels, /*stride=*/1,
                                 /*hasShortcut=*/true, getEps().convertToDouble(),
                                 getMomentum().convertToDouble()));
}

} // namespace tr::arch
