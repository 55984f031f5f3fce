// SPDX-License-Identifier: Apache-2.0
//
// Tensors and kernel ops of a residual block.
#include "BlockDescription.h"

#include "Shapes.h"

using namespace mlir;
using namespace tr;
using namespace tr::units;

BlockDescription::BlockDescription(LayerDescription &d, ArrayAttr parts, BlockAttr block,
                                   double eps, double momentum)
    : d(d), parts(parts), block(block), eps(eps), momentum(momentum),
      stages(getStem(block, d.getInput().c)), shortcutInput(d.input()) {
  const LayerContext &context = d.getContext();
  ImageShape shape = d.getInput();
  unsigned count = stages.size();
  values.push_back(d.input());
  for (unsigned i = 0; i < count; ++i) {
    bool endsStem = hasShortcut(block) || context.endsResidualStem;
    bool zeroGamma = context.zeroGamma && endsStem && i + 1 == count;
    stem.push_back(makeUnit(i, shape, stages[i], zeroGamma));
    shape = stem.back().conv.shape;
    values.push_back(d.feature(outputName(i), shape));
    if (i + 1 < count)
      gradients.push_back(d.gradient(outputName(i) + ".grad", shape));
  }
  if (std::optional<BlockStage> stage = getProjection(block)) {
    ImageShape input = d.getInput();
    if (PoolAttr pool = getShortcutPool(block)) {
      input = shapes::pooled(input, pool);
      shortcutInput = d.feature(partOf(parts, 2 * count) + ".input", input);
    }
    projection.push_back(makeUnit(count, input, *stage, /*zeroGamma=*/false));
  }
  output = values.back();
  d.setOutput(output);
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

void BlockDescription::describeForward() {
  unsigned last = stem.size() - 1;
  for (unsigned i = 0; i <= last; ++i) {
    stem[i].forward(values[i]);
    if (i == last && hasShortcut(block))
      return describeJoin();
    stem[i].bn.apply(stem[i].conv.y, actAfter(i), values[i + 1]);
    stem[i].inference(values[i], d.absent(), actAfter(i), values[i + 1]);
  }
  stem.back().bn.recomputeOutput(stem.back().conv.y, actAfter(last), outputName(last) + ".rebuilt");
}

// y = act(stem + shortcut), the stem's last normalisation and the projection's included.
KernelCall BlockDescription::makeJoin(Act act, TensorRef y) const {
  const ConvBn &last = stem.back();
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
  Act act = getFinalAct(block);
  TensorRef shortcut = d.input();
  if (PoolAttr pool = getShortcutPool(block))
    d.forwardAndInference(poolAverage(pool, d.input(), shortcutInput));
  if (!projection.empty()) {
    projection.front().forward(shortcutInput);
    projection.front().inference(shortcutInput, d.absent(), Activation::None,
                                 projection.front().conv.y);
    shortcut = projection.front().conv.y;
  }
  stem.back().inference(values[stem.size() - 1], shortcut, act, output);
  // Backward takes the slope from the output, or else from the sum.
  if (!trf::row(act.kind).slopeFromOutput)
    sum = d.trainingFeature(partOf(parts, 2 * stem.size() - 1) + ".sum", d.getOutput());
  if (sum && !canRecomputeJoin()) {
    namespace op = trf::ops::act_fwd;
    d.forward(makeJoin(Activation::None, sum));
    d.forward(KernelCall(op::kOpcode, {{op::x, sum}, {op::y, output}}, op::Attrs{act}));
    return;
  }
  d.forward(makeJoin(act, output));
  if (d.getContext().training && canRecomputeJoin())
    d.recomputeOutput(
        makeJoin(act, d.trainingFeature(outputName(stem.size() - 1) + ".rebuilt", d.getOutput())));
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

// From the gradient of the output to that of the sum.
TensorRef BlockDescription::describeSumGradient() {
  Act act = getFinalAct(block);
  if (act == Activation::None)
    return d.outputGrad();
  StringRef part = partOf(parts, 2 * stem.size() - 1);
  TensorRef sumGrad = d.gradient(part + ".sum.grad", d.getOutput());
  if (!sum) {
    namespace op = trf::ops::act_bwd_out;
    d.backward(KernelCall(op::kOpcode,
                          {{op::dy, d.outputGrad()}, {op::y, output}, {op::dx, sumGrad}},
                          op::Attrs{act}));
    return sumGrad;
  }
  namespace op = trf::ops::act_bwd;
  if (canRecomputeJoin())
    d.backward(makeJoin(Activation::None, sum));
  d.backward(KernelCall(op::kOpcode, {{op::dy, d.outputGrad()}, {op::x, sum}, {op::dx, sumGrad}},
                        op::Attrs{act}));
  return sumGrad;
}

void BlockDescription::describeBackward() {
  TensorRef sumGrad = hasShortcut(block) ? describeSumGradient() : d.outputGrad();
  TensorRef dy = sumGrad;
  for (unsigned i = stem.size(); i-- > 0;) {
    TensorRef dx = i > 0 ? gradients[i - 1] : d.wantedInputGrad();
    stem[i].normBackward(dy, actAfter(i));
    TensorRef x = i > 0 ? recompute(i - 1) : values[0];
    stem[i].convBackward(x, dx);
    dy = dx;
  }
  if (hasShortcut(block))
    describeShortcutGradient(sumGrad);
}

// Adds the shortcut's share to the gradient of the input.
void BlockDescription::describeShortcutGradient(TensorRef sumGrad) {
  TensorRef shortcutGrad = sumGrad;
  if (!projection.empty()) {
    PoolAttr pool = getShortcutPool(block);
    StringRef part = partOf(parts, 2 * stem.size());
    shortcutGrad = d.absent();
    if (d.needsInputGrad())
      shortcutGrad = d.gradient(part + ".input.grad", d.getInput());
    TensorRef projectionGrad = shortcutGrad;
    if (pool && shortcutGrad)
      projectionGrad = d.gradient(part + ".pooled.grad", shapes::pooled(d.getInput(), pool));
    projection.front().backward(shortcutInput, sumGrad, Activation::None, projectionGrad);
    if (pool && shortcutGrad)
      d.backward(poolAverageBackward(pool, projectionGrad, shortcutGrad));
  }
  namespace op = trf::ops::add_fwd;
  if (d.needsInputGrad())
    d.backward(KernelCall(op::kOpcode,
                          {{op::a, d.inputGrad()}, {op::b, shortcutGrad}, {op::y, d.inputGrad()}},
                          op::Attrs{Activation::None}));
}
