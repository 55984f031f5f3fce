// SPDX-License-Identifier: Apache-2.0
//
// Descriptions of the fused layers. All residual blocks are one description of
// their convolutions, shortcut and last activation.
#include "DescriptionUnits.h"
#include "renaissance/Dialect/TR/IR/ArchOps.h"

using namespace mlir;
using namespace tr;
using namespace tr::units;
using plan::Kernel;

namespace tr::arch {
namespace {

StringRef part(ArrayAttr parts, unsigned index) {
  return cast<StringAttr>(parts[index]).getValue();
}

TensorRef wantedInputGrad(const LayerDescription &d) {
  return d.getContext().inputNeedsGrad ? d.inputGrad() : d.absent();
}

// A convolution of a block, with the activation behind it.
struct Stage {
  ConvAttr geometry;
  Activation act;
};

struct Block {
  SmallVector<Stage, 3> stem;
  std::optional<Stage> projection; // behind the stem's parts
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
    return ConvBn(d, part(parts, 2 * index), part(parts, 2 * index + 1), input, stage.geometry,
                  block.eps, block.momentum, zeroGamma);
  }
  // The stem's last normalisation is applied together with the shortcut.
  Activation actAfter(unsigned index) const {
    bool last = index + 1 == block.stem.size();
    return last && block.hasShortcut ? Activation::None : block.stem[index].act;
  }
  void describeJoin();
  void rebuildJoin(Kernel kernel, Refs operands, Attrs attrs);
  std::string outputName(unsigned index) const {
    return (part(parts, 2 * index + 1) + ".output").str();
  }
  // Backward's own copy of what stage `index` gave to the next one.
  TensorRef makeAgain(unsigned index) {
    return stem[index].bn.applyAgain(stem[index].conv.y, actAfter(index),
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
  ImageShape shape = context.input;
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
    projection.push_back(makeUnit(count, context.input, *block.projection, /*zeroGamma=*/false));
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
    stem.back().bn.rebuildOutput(stem.back().conv.y, actAfter(stem.size() - 1),
                                 outputName(stem.size() - 1) + ".rebuilt");
}

void BlockDescription::describeJoin() {
  ConvBn &last = stem.back();
  Attrs attrs = {actAttr(block.stem.back().act)};
  Refs training = last.bn.inputs(last.conv.y);
  TensorRef lastInput = values[stem.size() - 1];
  if (projection.empty()) {
    training.append({d.input(), output});
    d.forward(Kernel::bn_apply_add, training, attrs);
    last.inference(lastInput, d.input(), block.stem.back().act, output);
    if (!d.getContext().first) // whose input is gone when backward begins
      rebuildJoin(Kernel::bn_apply_add, training, attrs);
    return;
  }
  ConvBn &shortcut = projection.front();
  shortcut.forward(d.input());
  training.append(shortcut.bn.inputs(shortcut.conv.y));
  training.push_back(output);
  d.forward(Kernel::bn_apply_add_bn, training, attrs);
  shortcut.inference(d.input(), d.absent(), Activation::None, shortcut.conv.y);
  last.inference(lastInput, shortcut.conv.y, block.stem.back().act, output);
  rebuildJoin(Kernel::bn_apply_add_bn, training, attrs);
}

// The same op again, on a copy of the output.
void BlockDescription::rebuildJoin(Kernel kernel, Refs operands, Attrs attrs) {
  if (!d.getContext().training)
    return;
  operands.back() =
      d.trainingFeature(outputName(stem.size() - 1) + ".rebuilt", d.getContext().output);
  d.rebuildOutput(kernel, operands, attrs);
}

void BlockDescription::describeBackward() {
  const LayerContext &context = d.getContext();
  TensorRef sumGrad = d.outputGrad();
  Activation last = block.stem.back().act;
  if (block.hasShortcut && last != Activation::None) {
    sumGrad = d.gradient(part(parts, 2 * stem.size() - 1) + ".sum.grad", context.output);
    d.backward(Kernel::act_bwd_out, {d.outputGrad(), output, sumGrad}, {actAttr(last)});
  }
  TensorRef dy = sumGrad;
  for (unsigned i = stem.size(); i-- > 0;) {
    TensorRef dx = i > 0 ? gradients[i - 1] : wantedInputGrad(d);
    stem[i].normBackward(dy, actAfter(i));
    TensorRef x = i > 0 ? makeAgain(i - 1) : values[0];
    stem[i].convBackward(x, dx);
    dy = dx;
  }
  if (!block.hasShortcut)
    return;
  TensorRef shortcutGrad = sumGrad;
  if (!projection.empty()) {
    shortcutGrad = d.absent();
    if (context.inputNeedsGrad)
      shortcutGrad = d.gradient(part(parts, 2 * stem.size()) + ".input.grad", context.input);
    projection.front().backward(d.input(), sumGrad, Activation::None, shortcutGrad);
  }
  if (context.inputNeedsGrad)
    d.backward(Kernel::add_fwd, {d.inputGrad(), shortcutGrad, d.inputGrad()},
               {actAttr(Activation::None)});
}

void describeBlock(LayerDescription &d, ArrayAttr parts, const Block &block) {
  if (!d.expectParts(2 * (block.stem.size() + (block.projection ? 1 : 0))))
    return;
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
  if (!d.expectParts(2))
    return;
  bool zeroGamma = context.zeroGamma && context.endsResidualStem && getAct() == Activation::None;
  ConvBn unit(d, part(getParts(), 0), part(getParts(), 1), context.input, getGeometry(),
              getEps().convertToDouble(), getMomentum().convertToDouble(), zeroGamma);
  TensorRef y = d.feature(part(getParts(), 1) + ".output", context.output);
  d.setOutput(y);
  unit.forward(d.input());
  unit.bn.apply(unit.conv.y, getAct(), y);
  unit.inference(d.input(), d.absent(), getAct(), y);
  unit.bn.rebuildOutput(unit.conv.y, getAct(), part(getParts(), 1) + ".output.rebuilt");
  unit.backward(d.input(), d.outputGrad(), getAct(), wantedInputGrad(d));
}

void CbrpOp::describe(LayerDescription &d) {
  const LayerContext &context = d.getContext();
  d.setFused();
  if (!d.expectParts(2))
    return;
  StringRef bnPart = part(getParts(), 1);
  ConvBn unit(d, part(getParts(), 0), bnPart, context.input, getGeometry(),
              getEps().convertToDouble(), getMomentum().convertToDouble());
  TensorRef y = d.feature(bnPart + ".output", context.output);
  TensorRef index =
      d.trainingTensor(bnPart + ".index", plan::Region::SMask, indexType(getWindow()),
                       {context.batch, context.output.h, context.output.w, context.output.c});
  TensorRef poolGrad = d.gradient(bnPart + ".pool.grad", unit.conv.shape);
  d.setOutput(y);

  Attrs pool = poolAttrs(getWindow()), attrs = {actAttr(getAct())};
  attrs.append(pool);
  Refs training = unit.bn.inputs(unit.conv.y), inference = unit.bn.folded(unit.conv.y);
  training.append({y, index});
  inference.push_back(y);
  unit.forward(d.input());
  unit.conv.inference(d.input());
  d.forward(Kernel::bn_apply_pool, training, attrs);
  d.inference(Kernel::bn_inf_pool, inference, attrs);
  d.backward(Kernel::maxpool_bwd, {d.outputGrad(), index, poolGrad}, pool);
  unit.backward(d.input(), poolGrad, getAct(), wantedInputGrad(d));
}

void GapFcOp::describe(LayerDescription &d) {
  const LayerContext &context = d.getContext();
  d.setFused();
  ImageShape pooled{1, 1, context.input.c};
  Fc fc(d, getPath(), pooled, getOut(), getBias());
  TensorRef mean = d.feature(getPath() + ".gap", pooled);
  TensorRef y = d.feature(getPath() + ".output", context.output);
  d.setOutput(y);
  d.both(Kernel::gap_fwd, {d.input(), mean});
  fc.both(mean, y);
  if (!context.inputNeedsGrad) {
    fc.backward(mean, d.outputGrad(), d.absent());
    return;
  }
  TensorRef meanGrad = d.gradient(getPath() + ".gap.grad", pooled);
  fc.backward(mean, d.outputGrad(), meanGrad);
  d.backward(Kernel::gap_bwd, {meanGrad, d.inputGrad()});
}

void BottleneckProjectionOp::describe(LayerDescription &d) {
  describeBlock(d, getParts(),
                bottleneck(getContext(), getMid(), getOut(), getStride(), /*projected=*/true,
                           getEps().convertToDouble(), getMomentum().convertToDouble()));
}
void BottleneckIdentityOp::describe(LayerDescription &d) {
  describeBlock(d, getParts(),
                bottleneck(getContext(), getMid(), d.getContext().input.c, /*stride=*/1,
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
                basic(getContext(), d.getContext().input.c, /*stride=*/1, /*projected=*/false,
                      getEps().convertToDouble(), getMomentum().convertToDouble()));
}
void InvResidualNoShortcutOp::describe(LayerDescription &d) {
  describeBlock(d, getParts(),
                invertedResidual(getContext(), d.getContext().input.c, getExpand(), getOut(),
                                 getStride(), /*hasShortcut=*/false, getEps().convertToDouble(),
                                 getMomentum().convertToDouble()));
}
void InvResidualIdentityOp::describe(LayerDescription &d) {
  int64_t channels = d.getContext().input.c;
  describeBlock(d, getParts(),
                invertedResidual(getContext(), channels, getExpand(), channels, /*stride=*/1,
                                 /*hasShortcut=*/true, getEps().convertToDouble(),
                                 getMomentum().convertToDouble()));
}

} // namespace tr::arch
