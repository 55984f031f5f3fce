// SPDX-License-Identifier: Apache-2.0
//
// softmax_ce: the loss. Its result is its input, the logits.
#include "Layer.h"

using namespace mlir;
using namespace tr;
using namespace tr::params;

ArrayRef<Signature> bp::SoftmaxCeOp::getSignatures() {
  static constexpr Signature calls[] = {{"softmax_ce",
                                         {},
                                         "the loss; added at the end when not written",
                                         buildPlain<bp::SoftmaxCeOp>}};
  return calls;
}

LogicalResult bp::SoftmaxCeOp::expand(LayerChain &chain, const LayerSite &site) {
  chain.appendLoss(site);
  return success();
}

LogicalResult arch::SoftmaxCeOp::checkFields(Emit emitError) {
  return shapes::checkRange(emitError, "classes", getClasses());
}

FailureOr<ImageShape> arch::SoftmaxCeOp::inferOutputShape(Inputs inputs, Emit emitError) {
  ImageShape in = inputs.front();
  // One that --tr-arch-normalize-softmax-ce will move to the end takes any input where it stands.
  bool last = llvm::any_of(getOutput().getUsers(), [](Operation *user) {
    return isa<YieldOp>(user) && isa<NetworkOp>(user->getParentOp());
  });
  if (!last)
    return in;
  int64_t classes = getClasses();
  // A map of so many elements gets a Flatten by --tr-arch-normalize-flatten.
  if (in.h * in.w * in.c != classes)
    return emitError() << "expected " << classes << " logits for " << classes
                       << " classes, but got " << toString(in);
  return in;
}

// As first layer it has the images as logits; they are copied to get there.
void arch::SoftmaxCeOp::describe(LayerDescription &d) {
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

FailureOr<Value> arch::SoftmaxCeOp::lower(TensorBuilder &, ValueRange inputs) {
  return inputs.front();
}
